package io.github.limiterkit.servlet;

import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;

/** Jetty 12 with the servlet API of Jakarta EE 10. */
final class JettyEe10Container implements App.Container {

  @Override
  public App.Running start(App app) throws Exception {
    ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
    context.setContextPath(app.contextPath.isEmpty() ? "/" : app.contextPath);
    app.contextParams.forEach(context::setInitParameter);
    context.addServletContainerInitializer(
        (classes, starting) -> Registrations.register(app, starting));
    app.initializers.forEach(context::addServletContainerInitializer);
    if (app.errorPage != null) {
      ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
      errors.addErrorPage(ErrorPageErrorHandler.GLOBAL_ERROR_PAGE, app.errorPage);
      context.setErrorHandler(errors);
    }
    return Jetty.start(context);
  }
}
