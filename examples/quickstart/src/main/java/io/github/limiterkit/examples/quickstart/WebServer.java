package io.github.limiterkit.examples.quickstart;

import io.github.limiterkit.jaxrs.RateLimitFeature;
import io.github.limiterkit.servlet.RateLimitFilter;
import io.github.limiterkit.setup.LimiterKit;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.glassfish.jersey.CommonProperties;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.servlet.ServletContainer;
import org.jspecify.annotations.Nullable;

/** Jetty with the servlet filter, and Jersey under {@code /api} with the REST filters. */
final class WebServer implements AutoCloseable {

  private final Server server;
  private final ServerConnector connector;

  private WebServer(Server server, ServerConnector connector) {
    this.server = server;
    this.connector = connector;
  }

  /** Starts on the loopback address only: a demo is nobody else's business. */
  static WebServer start(int port, LimiterKit kit, @Nullable EmbeddedRedis redis) throws Exception {
    Server server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    server.setHandler(application(kit, redis));
    try {
      server.start();
    } catch (IOException portTaken) {
      server.stop();
      throw new IOException(
          "port " + port + " cannot be used; choose another, as in PORT=8081", portTaken);
    }
    return new WebServer(server, (ServerConnector) server.getConnectors()[0]);
  }

  private static ServletContextHandler application(LimiterKit kit, @Nullable EmbeddedRedis redis) {
    ServletContextHandler context = new ServletContextHandler();
    FilterHolder limits = new FilterHolder(new RateLimitFilter(kit));
    limits.setAsyncSupported(true);
    context.addFilter(limits, "/*", EnumSet.of(DispatcherType.REQUEST));

    context.addServlet(new ServletHolder(new HelloServlet()), "/hello");
    context.addServlet(new ServletHolder(new LoginServlet()), "/login");
    context.addServlet(new ServletHolder(new StatusServlet(kit, redis)), "/status");
    context.addServlet(new ServletHolder(new PageServlet()), "");

    ResourceConfig api =
        new ResourceConfig(OrdersResource.class)
            .register(new DemoKeys())
            .register(new RateLimitFeature(kit))
            // Two things that Jersey would otherwise look for, and complain of not finding.
            .property(ServerProperties.WADL_FEATURE_DISABLE, true)
            .property(CommonProperties.PROVIDER_DEFAULT_DISABLE, "DATASOURCE");
    context.addServlet(new ServletHolder(new ServletContainer(api)), "/api/*");
    return context;
  }

  int port() {
    return connector.getLocalPort();
  }

  void join() throws InterruptedException {
    server.join();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception failed) {
      System.err.println("The server did not stop: " + failed.getMessage());
    }
  }
}
