package io.github.limiterkit.examples.outagereplay;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** One server of the fleet, on a free port of the loopback address. */
final class Instance implements AutoCloseable {

  private static final int THREADS = 100;

  private final Server server;
  private final ServerConnector connector;

  private Instance(Server server, ServerConnector connector) {
    this.server = server;
    this.connector = connector;
  }

  static Instance start(Passages passages, Filter limiter, ApiServlet api) throws Exception {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, 4);
    threads.setDaemon(true);
    Server server = new Server(threads);
    ServerConnector connector = new ServerConnector(server, 1, 1);
    connector.setHost("127.0.0.1");
    // Longer than any run: a request on a connection that has just been closed would look refused.
    connector.setIdleTimeout(TimeUnit.MINUTES.toMillis(10));
    server.addConnector(connector);

    ServletContextHandler context = new ServletContextHandler();
    for (Filter filter : List.of(passages, limiter)) {
      FilterHolder holder = new FilterHolder(filter);
      holder.setAsyncSupported(true);
      context.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST));
    }
    ServletHolder holder = new ServletHolder(api);
    holder.setAsyncSupported(true);
    context.addServlet(holder, "/*");
    server.setHandler(context);
    server.start();
    return new Instance(server, connector);
  }

  int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception failed) {
      System.err.println("A server did not stop: " + failed.getMessage());
    }
  }
}
