package io.github.limiterkit.servlet;

import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Jetty 12 without a servlet API; what brings one is a handler of it. */
final class Jetty {

  private Jetty() {}

  static App.Running start(Handler handler) throws Exception {
    Server server = new Server();
    HttpConfiguration http = new HttpConfiguration();
    ServerConnector connector =
        new ServerConnector(
            server, 1, 1, new HttpConnectionFactory(http), new HTTP2CServerConnectionFactory(http));
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
