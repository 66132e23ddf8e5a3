package io.github.limiterkit.benchmarks;

/** Waits, for where nothing tells when it is time. */
final class Pause {

  private Pause() {}

  static void millis(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", asked);
    }
  }
}
