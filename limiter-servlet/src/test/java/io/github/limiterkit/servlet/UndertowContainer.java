package io.github.limiterkit.servlet;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.handlers.PathHandler;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.FilterInfo;
import io.undertow.servlet.api.ListenerInfo;
import io.undertow.servlet.api.ServletContainerInitializerInfo;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import io.undertow.servlet.util.ImmediateInstanceHandle;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletException;
import java.net.InetSocketAddress;
import java.util.EventListener;
import java.util.Set;

/** Undertow 2.3. */
final class UndertowContainer implements App.Container {

  @Override
  public App.Running start(App app) throws Exception {
    DeploymentInfo deployment =
        Servlets.deployment()
            .setClassLoader(UndertowContainer.class.getClassLoader())
            .setContextPath(app.contextPath.isEmpty() ? "/" : app.contextPath)
            .setDeploymentName("app");
    app.contextParams.forEach(deployment::addInitParameter);
    for (Object listener : app.listeners) {
      EventListener one = (EventListener) listener;
      deployment.addListener(
          new ListenerInfo(one.getClass(), () -> new ImmediateInstanceHandle<>(one)));
    }
    for (ServletContainerInitializer initializer : app.initializers) {
      deployment.addServletContainerInitializer(
          new ServletContainerInitializerInfo(
              initializer.getClass(), new ImmediateInstanceFactory<>(initializer), Set.of()));
    }
    for (App.FilterSpec filter : app.filters) {
      FilterInfo info =
          filter.instance() == null
              ? new FilterInfo(filter.name(), filter.type())
              : new FilterInfo(
                  filter.name(), filter.type(), new ImmediateInstanceFactory<>(filter.instance()));
      info.setAsyncSupported(true);
      filter.params().forEach(info::addInitParam);
      deployment.addFilter(info);
      for (String pattern : filter.patterns()) {
        for (DispatcherType type : filter.dispatches()) {
          deployment.addFilterUrlMapping(filter.name(), pattern, type);
        }
      }
    }
    app.servlets.forEach(
        (pattern, servlet) ->
            deployment.addServlet(
                Servlets.servlet(
                        "at " + pattern,
                        servlet.getClass(),
                        new ImmediateInstanceFactory<>(servlet))
                    .addMapping(pattern)
                    .setAsyncSupported(true)));
    if (app.errorPage != null) {
      deployment.addErrorPage(Servlets.errorPage(app.errorPage));
    }
    return start(deployment);
  }

  private static App.Running start(DeploymentInfo deployment) throws ServletException {
    DeploymentManager manager = Servlets.defaultContainer().addDeployment(deployment);
    manager.deploy();
    PathHandler root =
        new PathHandler().addPrefixPath(deployment.getContextPath(), manager.start());
    Undertow server =
        Undertow.builder()
            .setIoThreads(1)
            .setWorkerThreads(8)
            .addHttpListener(0, "0.0.0.0")
            .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, -1L) // else it answers 413 by itself
            .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
            .setHandler(root)
            .build();
    server.start();
    int port = ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
    return new App.Running(
        port,
        () -> {
          manager.stop();
          manager.undeploy();
          server.stop();
        });
  }
}
