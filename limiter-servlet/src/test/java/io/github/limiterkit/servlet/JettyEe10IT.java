package io.github.limiterkit.servlet;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/** The contract in Jetty with the servlet API of Jakarta EE 10. */
@DisplayName("Jetty 12 ee10")
@Tag("servlet-6.0")
class JettyEe10IT extends ServletAdapterContract {

  JettyEe10IT() {
    super(new JettyEe10Container());
  }
}
