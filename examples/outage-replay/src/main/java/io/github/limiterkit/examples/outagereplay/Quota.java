package io.github.limiterkit.examples.outagereplay;

import java.time.Duration;

/**
 * What everybody is given here: each client its quota, and the API the requests that it can bear.
 */
final class Quota {

  /** Scaled in time: what would be 100 a minute in earnest. */
  static final int PERMITS = 100;

  static final Duration WINDOW = Duration.ofSeconds(2);
  static final int INSTANCES = 4;

  /** The time that one decision may take, for all strategies alike. */
  static final Duration DEADLINE = Duration.ofMillis(50);

  private Quota() {}

  /** As a limit is written. */
  static String limits() {
    return PERMITS + "/" + WINDOW.toSeconds() + "s";
  }

  /** What the API bears, as a limit of one of its instances. */
  static String ceiling() {
    return Backend.CAPACITY_PER_SECOND / INSTANCES + "/1s";
  }

  /**
   * What one key may be given in any window that lies wholly in an outage: all instances divide by
   * the shares of one epoch, as they do if they lose the store together.
   */
  static long boundInOutage() {
    return PERMITS + PERMITS / 2 + INSTANCES;
  }

  /**
   * The part of the quota up to which a client is well-behaved: its mean {@code m} in a window on
   * one instance leaves six standard deviations of chance below that instance's part of the quota.
   *
   * @param permits of the quota
   * @param safety of the policy
   */
  static double wellBehavedUpTo(int permits, double safety) {
    double root = (Math.sqrt(36 + 4 * safety * permits / INSTANCES) - 6) / 2;
    return root * root * INSTANCES / permits;
  }
}
