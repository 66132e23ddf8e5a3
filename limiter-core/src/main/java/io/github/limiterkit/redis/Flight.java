package io.github.limiterkit.redis;

import java.util.concurrent.atomic.AtomicInteger;

/** One round trip under way: when it was sent, and how much of its silence has been reported. */
final class Flight {

  private static final int ENDED = -1;

  final long sentNanos;
  private final AtomicInteger reported = new AtomicInteger();

  Flight(long sentNanos) {
    this.sentNanos = sentNanos;
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
