package io.github.limiterkit.benchmarks;

import java.util.function.Predicate;

/** Sees to it that a contender which does not limit cannot win. */
final class Proof {

  private static final int TIMES = 4;

  private Proof() {}

  /**
   * Asks one key for several times the scarce quota, before anything is measured.
   *
   * @param name of the contender
   * @param limiter the contender, told {@link Quota#SCARCE}; says whether it admits one unit
   */
  static void limits(String name, Predicate<String> limiter) {
    long began = System.nanoTime();
    long admitted = 0;
    for (long i = 0; i < TIMES * Quota.SCARCE.permits(); i++) {
      admitted += limiter.test("proof") ? 1 : 0;
    }
    admittedOf(name, Quota.SCARCE, 1, admitted, (System.nanoTime() - began) / 1e9);
  }

  /** Checks how many were admitted of one key under the scarce quota. */
  static void admittedOf(String name, Quota quota, long least, long admitted, double seconds) {
    long most = quota.mostAdmitted(seconds);
    if (admitted < least || admitted > most) {
      throw new NotLimitingException(
          "%s admitted %d units of one key in %.1f s, expected %d to %d"
              .formatted(name, admitted, seconds, least, most));
    }
  }

  /** Checks that nothing was refused under the roomy quota. */
  static void nothingRefused(String name, long refused) {
    if (refused > 0) {
      throw new NotLimitingException(
          "%s refused %d units of a quota that was not reached".formatted(name, refused));
    }
  }
}
