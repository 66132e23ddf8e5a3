package io.github.limiterkit.redis;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One round trip: what was sent and when, and how much of its silence was reported. */
final class Flight {

  private static final int ENDED = -1;

  final Cargo cargo;

  /** The call whose own caller has sent it and means to read the reply; null if it was not one. */
  final @Nullable Call<?> lone;

  final long sentNanos = System.nanoTime();

  /** Whether it went out with the whole script; for whoever has the turn. */
  boolean sentWhole;

  /** What was sent; for whoever may send. */
  int bytes;

  private final AtomicInteger reported = new AtomicInteger();

  Flight(Cargo cargo, @Nullable Call<?> lone) {
    this.cargo = cargo;
    this.lone = lone;
  }

  /** Whether one more deadline has passed in silence than was reported; if so it counts as told. */
  boolean isOverdueOnceMore(long nowNanos, long deadlineNanos) {
    int told = reported.get();
    return told != ENDED
        && nowNanos - sentNanos > deadlineNanos * (told + 1L)
        && reported.compareAndSet(told, told + 1);
  }

  /** Ends it. Returns true if nothing has been reported of it, and then nothing will be. */
  boolean endsUnreported() {
    return reported.compareAndSet(0, ENDED);
  }
}
