package io.github.limiterkit.degraded;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The last ten samples of a node, none older than 10 s, and whether they are too bad. */
final class RecentSamples {

  /** So many are remembered. */
  static final int MEMORY = 10;

  private static final long OLDEST_NANOS = Duration.ofSeconds(10).toNanos();

  private final GateNumbers numbers;
  private final long slowNanos;
  private final long[] takenAt = new long[MEMORY];
  private final boolean[] bad = new boolean[MEMORY];
  private int size;
  private int next;
  private int failedInARow;
  private int badNow;

  RecentSamples(GateNumbers numbers) {
    this.numbers = numbers;
    this.slowNanos = numbers.slow().toNanos();
  }

  void add(long now, boolean failed, long roundTripNanos) {
    failedInARow = failed ? failedInARow + 1 : 0;
    if (size == MEMORY && bad[next]) {
      badNow--;
    }
    takenAt[next] = now;
    bad[next] = failed || roundTripNanos > slowNanos;
    if (bad[next]) {
      badNow++;
    }
    next = (next + 1) % MEMORY;
    size = Math.min(size + 1, MEMORY);
  }

  /** Returns null if the node looks healthy. */
  @Nullable String whyUnhealthy(long now) {
    if (failedInARow >= numbers.failuresInARow()) {
      return "no answer (" + failedInARow + " round trips in a row failed)";
    }
    // The count with the old ones is an upper bound, and nearly always 0.
    if (badNow < numbers.failuresOfTen()) {
      return null;
    }
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (bad[i] && now - takenAt[i] <= OLDEST_NANOS) {
        count++;
      }
    }
    return count < numbers.failuresOfTen()
        ? null
        : "slow (%d of the last %d round trips failed or took over %d ms)"
            .formatted(count, size, numbers.slow().toMillis());
  }

  void clear() {
    size = 0;
    next = 0;
    failedInARow = 0;
    badNow = 0;
  }
}
