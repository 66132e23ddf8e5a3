package io.github.limiterkit.benchmarks;

import java.time.Duration;

/**
 * What every contender of a scenario is told to allow.
 *
 * @param permits units per window; a token bucket of that capacity for the contenders that are one
 * @param window length of the window, in which such a bucket is refilled once
 */
record Quota(long permits, Duration window) {

  /** So much that nothing is ever refused: what is measured is an admission. */
  static final Quota ROOMY = new Quota(1_000_000_000, Duration.ofMinutes(1));

  /** So little, for so long, that all but the first decisions are refusals. */
  static final Quota SCARCE = new Quota(100, Duration.ofHours(1));

  double permitsPerSecond() {
    return permits * 1e9 / window.toNanos();
  }

  int intPermits() {
    return Math.toIntExact(permits);
  }

  /**
   * The most that may be admitted of one key, by the most generous algorithm among the contenders:
   * one rounds the window up to a power of two, and the permits with it; others are full buckets
   * into which something flows meanwhile, where 2 per second is the least that flows.
   */
  long mostAdmitted(double seconds) {
    return 2 * permits + (long) Math.ceil(seconds * Math.max(2, permitsPerSecond())) + 1;
  }
}
