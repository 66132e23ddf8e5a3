package io.github.limiterkit.degraded;

import io.github.limiterkit.Limit;

/**
 * What one instance may admit by itself while the store is gone: of a quota {@code q}, with the
 * instance's share of it and the policy's safety,
 *
 * <pre>
 *   units decided here            + cost &lt;= max(1, floor(safety · q · share))
 *   all units of this process     + cost &lt;= max(1, floor(q · max(share, own/U)))
 * </pre>
 *
 * <p>The share is {@code 1/N} of a fleet of {@code N}, or follows what this instance had of the key
 * before: {@code own} of the fleet's {@code U} units. The first test alone gives the bound: an
 * instance admits {@code 1 + safety · q · share} at most in a window, so a fleet {@code N + safety
 * · q · S}, where {@code S}, the sum of the shares, is {@code 1 + G/2} at most if {@code G}
 * different epochs were divided. The second goes on refusing whoever has spent the quota already.
 * They are two, because halving what a good client may have at every single timeout would refuse it
 * at every blip.
 *
 * @param share this instance's part of each quota, above 0, at most 1
 */
public record LocalRule(double share) {

  /**
   * All instances have equal parts.
   *
   * @param instances how many, 1 or more
   * @return the rule of each
   */
  public static LocalRule ofFleet(int instances) {
    return new LocalRule(1.0 / instances);
  }

  /**
   * What the first test allows, which is also the quota that this instance states.
   *
   * @param limit the limit
   * @param safety of the policy, above 0, at most 1
   * @return units in the limit's window, 1 or more
   */
  public long quotaHere(Limit limit, double safety) {
    return quotaHere(limit, safety, share);
  }

  static long quotaHere(Limit limit, double safety, double share) {
    return atLeastOne(safety * limit.permits() * share);
  }

  /** What the second test allows. */
  static long quotaOfOwn(Limit limit, double part) {
    return atLeastOne(limit.permits() * part);
  }

  private static long atLeastOne(double permits) {
    // A tenth of a billionth: 100 · (1/3) · 3 must not become 99 because of binary fractions.
    return Math.max(1, (long) Math.floor(permits + 1e-10 * permits));
  }
}
