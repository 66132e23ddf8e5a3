package io.github.limiterkit.servlet;

/** The contract in Undertow. */
class UndertowIT extends ServletAdapterContract {

  UndertowIT() {
    super(new UndertowContainer());
  }
}
