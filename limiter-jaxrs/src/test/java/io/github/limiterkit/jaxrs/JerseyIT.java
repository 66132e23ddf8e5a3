package io.github.limiterkit.jaxrs;

import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.DisplayName;

/** The contract on Jersey 3.1, in Jetty. */
@DisplayName("Jersey 3.1")
class JerseyIT extends RestAdapterContract {

  JerseyIT() {
    super(app -> JettyServlet.start(app, new ServletContainer(ResourceConfig.forApplication(app))));
  }
}
