package io.github.limiterkit.redis;

import java.time.Duration;

/**
 * The times of a lane.
 *
 * @param deadlineNanos the time of one decision
 * @param stuckNanos when a connection that says nothing is given up
 * @param patienceNanos how long a call waits for the reply to another before it sets out behind it
 */
record Timing(long deadlineNanos, long stuckNanos, long patienceNanos) {

  /** Many times what a healthy server in the same building takes. */
  private static final long PATIENCE_NANOS = Duration.ofMillis(5).toNanos();

  static Timing of(Duration deadline) {
    long nanos = deadline.toNanos();
    return new Timing(
        nanos,
        Math.max(Duration.ofSeconds(1).toNanos(), 10 * nanos),
        Math.min(PATIENCE_NANOS, nanos / 5));
  }

  int stuckMillis() {
    return (int) Duration.ofNanos(stuckNanos).toMillis();
  }
}
