package io.github.limiterkit.redis;

import java.time.Duration;

/**
 * The times of a lane.
 *
 * @param deadlineNanos the time of one decision
 * @param stuckNanos when a connection that says nothing is given up
 */
record Timing(long deadlineNanos, long stuckNanos) {

  static Timing of(Duration deadline) {
    long nanos = deadline.toNanos();
    return new Timing(nanos, Math.max(Duration.ofSeconds(1).toNanos(), 10 * nanos));
  }

  int stuckMillis() {
    return (int) Duration.ofNanos(stuckNanos).toMillis();
  }
}
