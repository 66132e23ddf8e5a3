package io.github.limiterkit.benchmarks;

import java.time.Duration;
import java.util.List;

/**
 * A scenario on Redis.
 *
 * @param name as it is printed; ends with the number of threads
 * @param threads callers that wait for their answer, as request threads do
 * @param keys how many there are, each asked for equally often
 * @param quota of each key
 * @param pause mean time that a caller does something else between two decisions, zero for none
 * @param timed whether each decision is timed; where decisions cost less than a reading of the
 *     clock they are not
 */
record SharedLoad(String name, int threads, int keys, Quota quota, Duration pause, boolean timed) {

  static final int MANY_KEYS = 10_000;

  private static final Duration THINKING = Duration.ofNanos(500_000);

  static final List<SharedLoad> ALL =
      List.of(
          new SharedLoad("keys-64", 64, MANY_KEYS, Quota.ROOMY, Duration.ZERO, true),
          new SharedLoad("keys-16", 16, MANY_KEYS, Quota.ROOMY, Duration.ZERO, true),
          new SharedLoad("hot-64", 64, 1, Quota.ROOMY, Duration.ZERO, true),
          new SharedLoad("refused-64", 64, 1, Quota.SCARCE, Duration.ZERO, false),
          new SharedLoad("light-1", 1, MANY_KEYS, Quota.ROOMY, THINKING, true),
          new SharedLoad("light-4", 4, MANY_KEYS, Quota.ROOMY, THINKING, true));

  boolean refuses() {
    return quota.equals(Quota.SCARCE);
  }

  /** Whether what matters is how long a decision takes, and not how many there can be. */
  boolean isLight() {
    return !pause.isZero();
  }

  /** The same at full speed, which brings all of the code to its final form in a short time. */
  SharedLoad withoutPauses() {
    return new SharedLoad(name, threads, keys, quota, Duration.ZERO, timed);
  }
}
