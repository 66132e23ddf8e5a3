package io.github.limiterkit.benchmarks;

import com.google.common.collect.ImmutableList;
import jakarta.servlet.ServletContainerInitializer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A servlet container with its default settings, and the limiter that comes with it. */
enum HttpContainer {
  /** Jetty. */
  JETTY("jetty", ImmutableList.of(HttpGuard.JETTY)) {
    @Override
    int start(ServletContainerInitializer application) throws Exception {
      Server server = new Server();
      ServerConnector connector = new ServerConnector(server);
      connector.setHost("127.0.0.1");
      server.addConnector(connector);
      ServletContextHandler context = new ServletContextHandler();
      context.addServletContainerInitializer(application);
      server.setHandler(context);
      server.start();
      return connector.getLocalPort();
    }
  },

  /** Tomcat. */
  TOMCAT("tomcat", ImmutableList.of(HttpGuard.TOMCAT, HttpGuard.TOMCAT_WITH_HEADERS)) {
    @Override
    int start(ServletContainerInitializer application) throws Exception {
      Path base = Files.createTempDirectory("tomcat");
      base.toFile().deleteOnExit();
      Tomcat tomcat = new Tomcat();
      tomcat.setBaseDir(base.toString());
      tomcat.setPort(0);
      tomcat.getConnector().setProperty("address", "127.0.0.1");
      Context context = tomcat.addContext("", base.toString());
      context.addServletContainerInitializer(application, Set.of());
      tomcat.start();
      return tomcat.getConnector().getLocalPort();
    }
  };

  private final String title;
  private final ImmutableList<HttpGuard> own;

  HttpContainer(String title, ImmutableList<HttpGuard> own) {
    this.title = title;
    this.own = own;
  }

  String title() {
    return title;
  }

  /** The limiter that comes with it, in the configurations that are compared. */
  ImmutableList<HttpGuard> own() {
    return own;
  }

  /** Starts it on a free port of the loopback address, and returns the port. */
  abstract int start(ServletContainerInitializer application) throws Exception;
}
