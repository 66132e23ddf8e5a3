package io.github.limiterkit.servlet;

import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.EventListener;
import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Jetty 12 with the servlet API of Jakarta EE 10. */
final class JettyContainer implements App.Container {

  @Override
  public App.Running start(App app) throws Exception {
    ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
    context.setContextPath(app.contextPath.isEmpty() ? "/" : app.contextPath);
    app.contextParams.forEach(context::setInitParameter);
    for (Object listener : app.listeners) {
      context.addEventListener((EventListener) listener);
    }
    app.initializers.forEach(context::addServletContainerInitializer);
    for (App.FilterSpec filter : app.filters) {
      FilterHolder holder =
          filter.instance() == null
              ? new FilterHolder(filter.type())
              : new FilterHolder(filter.instance());
      holder.setName(filter.name());
      holder.setAsyncSupported(true);
      filter.params().forEach(holder::setInitParameter);
      for (String pattern : filter.patterns()) {
        EnumSet<DispatcherType> dispatches = EnumSet.copyOf(filter.dispatches());
        context.addFilter(holder, pattern, dispatches);
      }
    }
    app.servlets.forEach(
        (pattern, servlet) -> {
          ServletHolder holder = new ServletHolder(servlet);
          holder.setAsyncSupported(true);
          context.addServlet(holder, pattern);
        });
    if (app.errorPage != null) {
      ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
      errors.addErrorPage(ErrorPageErrorHandler.GLOBAL_ERROR_PAGE, app.errorPage);
      context.setErrorHandler(errors);
    }
    return start(context);
  }

  static App.Running start(org.eclipse.jetty.server.Handler handler) throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server, 1, 1);
    server.addConnector(connector);
    server.setHandler(handler);
    try {
      server.start();
    } catch (Exception e) {
      server.stop();
      throw e;
    }
    return new App.Running(connector.getLocalPort(), server::stop);
  }
}
