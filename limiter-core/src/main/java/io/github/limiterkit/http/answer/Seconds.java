package io.github.limiterkit.http.answer;

/** Milliseconds to the whole seconds of HTTP, never telling a client to come too early. */
final class Seconds {

  private Seconds() {}

  /** Whole seconds, rounded up: 1 ms is 1, 1001 ms is 2. */
  static long roundedUp(long millis) {
    return millis <= 0 ? 0 : (millis - 1) / 1000 + 1;
  }
}
