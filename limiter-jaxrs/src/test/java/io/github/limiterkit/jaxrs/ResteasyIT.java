package io.github.limiterkit.jaxrs;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.FilterInfo;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.net.ServerSocket;
import org.jboss.resteasy.core.ResteasyDeploymentImpl;
import org.jboss.resteasy.plugins.server.undertow.UndertowJaxrsServer;
import org.jboss.resteasy.spi.ResteasyDeployment;
import org.junit.jupiter.api.DisplayName;

/** The contract on RESTEasy 6.2, in Undertow. */
@DisplayName("RESTEasy 6.2")
class ResteasyIT extends RestAdapterContract {

  ResteasyIT() {
    super(ResteasyIT::serve);
  }

  private static RestApp.Running serve(RestApp app) throws Exception {
    ResteasyDeployment deployment = new ResteasyDeploymentImpl();
    deployment.setApplication(app);
    UndertowJaxrsServer server = new UndertowJaxrsServer();
    DeploymentInfo info = server.undertowDeployment(deployment, "/api");
    info.setClassLoader(ResteasyIT.class.getClassLoader());
    info.setDeploymentName("app");
    info.setContextPath("/");
    for (Filter filter : app.servletFilters) {
      String name = "filter " + info.getFilters().size();
      info.addFilter(
          new FilterInfo(name, filter.getClass(), new ImmediateInstanceFactory<>(filter))
              .setAsyncSupported(true));
      info.addFilterUrlMapping(name, "/*", DispatcherType.REQUEST);
    }
    int port = freePort();
    server.deploy(info);
    server.start(
        Undertow.builder()
            .setIoThreads(1)
            .setWorkerThreads(20)
            .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, -1L) // else it answers 413 by itself
            .addHttpListener(port, "0.0.0.0"));
    return new RestApp.Running(port, server::stop);
  }

  /** The server does not tell the port that it was given. */
  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
