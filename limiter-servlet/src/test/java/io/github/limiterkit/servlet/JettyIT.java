package io.github.limiterkit.servlet;

/** The contract in Jetty. */
class JettyIT extends ServletAdapterContract {

  JettyIT() {
    super(new JettyContainer());
  }
}
