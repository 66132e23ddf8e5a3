package io.github.limiterkit;

import java.util.Objects;

/**
 * One thing to be counted: {@code cost} units of a policy's limits, on account of {@code key}.
 *
 * <p>Immutable and safe for use by several threads. An empty key and a cost out of range are an
 * {@link IllegalArgumentException}.
 *
 * @param policy whose limits are charged
 * @param key who is charged; names its kind, as in {@code user:customer-42} or {@code
 *     ip:203.0.113.9}, so that keys of different kinds never meet; not empty, of any length and any
 *     characters (what is stored is encoded); more than 256 characters are replaced by their
 *     SHA-256, also here
 * @param cost units, 0 to 4,000,000,000; 0 looks without charging
 */
public record Charge(Policy policy, String key, long cost) {

  /**
   * Checks the bounds.
   *
   * @param policy whose limits are charged
   * @param key who is charged
   * @param cost units
   */
  public Charge {
    Objects.requireNonNull(policy, "policy");
    if (key.isEmpty()) {
      throw new IllegalArgumentException(
          "a charge to policy \"" + policy.name() + "\" needs a key, but it is empty");
    }
    key = LongKey.bounded(key);
    if (cost < 0 || cost > Limit.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "cost %d of a charge to policy \"%s\" is outside 0 to %d"
              .formatted(cost, policy.name(), Limit.MAX_PERMITS));
    }
  }

  /**
   * A charge of one unit.
   *
   * @param policy whose limits are charged
   * @param key who is charged
   * @return the charge
   */
  public static Charge of(Policy policy, String key) {
    return new Charge(policy, key, 1);
  }
}
