package io.github.limiterkit.benchmarks;

/** What is measured of a contender in a round. */
enum Figure {
  RATE("decisions/s"),
  REQUESTS("requests/s"),
  P50("p50 µs"),
  P99("p99 µs"),
  COMMANDS("Redis commands per decision"),
  SERVER_CPU("Redis CPU µs per decision"),
  REQUEST_CPU("server CPU µs per request"),
  CLIENT_CPU("client CPU µs per decision"),
  ALLOCATED("bytes allocated per decision"),
  MEMORY("bytes kept per key");

  private final String title;

  Figure(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
