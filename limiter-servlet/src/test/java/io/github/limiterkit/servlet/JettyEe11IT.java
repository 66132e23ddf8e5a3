package io.github.limiterkit.servlet;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/** The contract in Jetty with the servlet API of Jakarta EE 11. */
@DisplayName("Jetty 12 ee11")
@Tag("servlet-6.1")
class JettyEe11IT extends ServletAdapterContract {

  JettyEe11IT() {
    super(new JettyEe11Container());
  }
}
