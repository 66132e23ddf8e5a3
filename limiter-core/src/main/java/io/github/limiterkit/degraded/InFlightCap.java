package io.github.limiterkit.degraded;

import java.util.concurrent.atomic.AtomicInteger;

/** How many callers may wait for the store at once, so that a slow store piles up no threads. */
final class InFlightCap {

  private final int most;
  private final AtomicInteger inside = new AtomicInteger();

  InFlightCap(int most) {
    this.most = most;
  }

  /** Whoever gets true leaves again; who gets false does not wait. */
  boolean tryEnter() {
    if (inside.incrementAndGet() > most) {
      inside.decrementAndGet();
      return false;
    }
    return true;
  }

  void leave() {
    inside.decrementAndGet();
  }

  int inside() {
    return inside.get();
  }
}
