package io.github.limiterkit.servlet;

import org.junit.jupiter.api.DisplayName;

/** The contract in Tomcat. */
@DisplayName("Tomcat 10.1, Tomcat 11")
class TomcatIT extends ServletAdapterContract {

  TomcatIT() {
    super(new TomcatContainer());
  }
}
