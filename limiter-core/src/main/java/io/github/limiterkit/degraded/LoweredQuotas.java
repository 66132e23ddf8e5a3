package io.github.limiterkit.degraded;

import io.github.limiterkit.Policy;

/** The lowered limits by which this instance refused a key. Never changes. */
final class LoweredQuotas {

  private final Policy policy;
  private final long[] quotas;
  private final long refusedMillis;

  /**
   * Keeps them.
   *
   * @param policy whose limits they are
   * @param quotas what was in force of each limit; not copied
   * @param refusedMillis the local time of the refusal
   */
  LoweredQuotas(Policy policy, long[] quotas, long refusedMillis) {
    this.policy = policy;
    this.quotas = quotas;
    this.refusedMillis = refusedMillis;
  }

  /** Whether they are lowered limits of such a policy. */
  boolean concerns(Policy other) {
    return policy == other || policy.limits().equals(other.limits());
  }

  int size() {
    return quotas.length;
  }

  long of(int limit) {
    return quotas[limit];
  }

  long refusedMillis() {
    return refusedMillis;
  }
}
