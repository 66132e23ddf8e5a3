package io.github.limiterkit.servlet;

/** The contract in Tomcat. */
class TomcatIT extends ServletAdapterContract {

  TomcatIT() {
    super(new TomcatContainer());
  }
}
