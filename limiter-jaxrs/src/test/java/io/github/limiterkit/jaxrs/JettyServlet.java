package io.github.limiterkit.jaxrs;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A servlet at /api in Jetty. */
final class JettyServlet {

  private JettyServlet() {}

  static RestApp.Running start(RestApp app, HttpServlet servlet) throws Exception {
    ServletContextHandler context = new ServletContextHandler();
    context.setContextPath("/");
    for (Filter filter : app.servletFilters) {
      FilterHolder holder = new FilterHolder(filter);
      holder.setAsyncSupported(true);
      context.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST));
    }
    ServletHolder holder = new ServletHolder(servlet);
    holder.setAsyncSupported(true);
    holder.setInitOrder(1);
    context.addServlet(holder, "/api/*");
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server, 1, 1);
    server.addConnector(connector);
    server.setHandler(context);
    try {
      server.start();
    } catch (Exception e) {
      server.stop();
      throw e;
    }
    return new RestApp.Running(connector.getLocalPort(), server::stop);
  }
}
