package io.github.limiterkit.servlet;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/** The contract in Undertow. */
@DisplayName("Undertow 2.3")
@Tag("servlet-6.0")
class UndertowIT extends ServletAdapterContract {

  UndertowIT() {
    super(new UndertowContainer());
  }
}
