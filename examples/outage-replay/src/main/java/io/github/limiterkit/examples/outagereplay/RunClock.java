package io.github.limiterkit.examples.outagereplay;

import java.time.Duration;

/** The time of a run: 0 is its first moment that counts, and before it everything is warming up. */
final class RunClock {

  private volatile long origin = System.nanoTime();

  /** Says when the first moment that counts will be. */
  void beginIn(Duration wait) {
    origin = System.nanoTime() + wait.toNanos();
  }

  /** Seconds from the beginning to a moment on {@link System#nanoTime()}. */
  double seconds(long nanos) {
    return (nanos - origin) / 1e9;
  }

  /** The moment on {@link System#nanoTime()} that is so many nanoseconds after the beginning. */
  long moment(long nanos) {
    return origin + nanos;
  }

  double now() {
    return seconds(System.nanoTime());
  }
}
