package io.github.limiterkit.servlet;

import org.junit.jupiter.api.Tag;

/** The contract in Undertow. */
@Tag("servlet-6.0")
class UndertowIT extends ServletAdapterContract {

  UndertowIT() {
    super(new UndertowContainer());
  }
}
