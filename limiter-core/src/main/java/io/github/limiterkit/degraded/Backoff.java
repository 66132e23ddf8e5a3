package io.github.limiterkit.degraded;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * How long a prober waits: doubling from the first wait to the longest, each time a random half to
 * whole of it, so that a fleet which lost its store together does not come back in step.
 */
final class Backoff {

  private final long first;
  private long longest;
  private final DoubleSupplier halfToOne;
  private long next;

  Backoff(Duration first, Duration longest, DoubleSupplier halfToOne) {
    this.first = first.toNanos();
    this.longest = longest.toNanos();
    this.halfToOne = halfToOne;
    this.next = this.first;
  }

  long nextNanos() {
    long now = next;
    next = Math.min(2 * next, longest);
    return (long) (now * halfToOne.getAsDouble());
  }

  /** From now on the waits double up to this. */
  void longest(Duration wait) {
    longest = wait.toNanos();
    next = Math.min(next, longest);
  }

  void restart() {
    next = first;
  }
}
