package io.github.limiterkit.jaxrs;

import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/** The contract on Jersey 3.1, in Jetty. */
class JerseyIT extends RestAdapterContract {

  JerseyIT() {
    super(app -> JettyServlet.start(app, new ServletContainer(ResourceConfig.forApplication(app))));
  }
}
