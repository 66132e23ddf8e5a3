package io.github.limiterkit;

import java.util.List;

/**
 * Decides whether work may go on.
 *
 * <p>Local, shared and metered limiters implement this one method and wrap each other. "No" is a
 * value, not an exception: a reached limit and a lost store both come back as a {@link Decision}.
 *
 * <pre>{@code
 * Decision decision = limiter.acquire(Charge.of(policy, "user:customer-42"));
 * if (!decision.allowed()) {
 *   return tooManyRequests(decision.retryAfter());
 * }
 * }</pre>
 *
 * <p>Implementations are safe for use by any number of threads, platform or virtual.
 */
@FunctionalInterface
public interface RateLimiter {

  /**
   * Asks for all of the charges at once: either every limit of every charge has room and all are
   * charged, or the answer is no and none is.
   *
   * @param charges what to charge, at least one, at most one per policy and key; a charge with cost
   *     0 looks without charging
   * @return the decision, never null, also when a shared store is slow or gone
   * @throws IllegalArgumentException if {@code charges} is empty
   */
  Decision acquire(List<Charge> charges);

  /**
   * Asks for one charge.
   *
   * @param charge what to charge
   * @return the decision, never null
   */
  default Decision acquire(Charge charge) {
    return acquire(List.of(charge));
  }
}
