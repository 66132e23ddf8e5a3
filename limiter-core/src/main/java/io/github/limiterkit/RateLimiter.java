package io.github.limiterkit;

import java.util.List;

/**
 * Decides whether work may go on.
 *
 * <p>Local, shared and metered limiters implement this one interface and wrap each other. "No" is a
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

  /**
   * Gives back what a decision charged: the work was not done after all. As {@link
   * #refund(Decision, long)} with all of its units.
   *
   * @param decision an answer of this limiter
   * @return what was given back, never null
   */
  default Refund refund(Decision decision) {
    return refund(decision, Limit.MAX_PERMITS);
  }

  /**
   * Gives back a part of what a decision charged: less was done than was asked for.
   *
   * <p>A decision can be refunded once; of several threads that try, one does. It never frees more
   * than was taken, nor what was taken by others: nothing is given back of a refusal, of what was
   * not counted, of units that have left their window, and of a counter that began anew since (it
   * was reset, flushed or evicted). With several limits each is looked at by itself.
   *
   * <p>When a shared store is slow or gone, the units are free again as far as this instance counts
   * them, and nothing is kept for later: the store may go on counting them until they leave their
   * window. {@link Refund#complete} says so.
   *
   * <p>Whoever wraps a limiter hands this on to it: what is here is for limiters whose decisions
   * cannot be taken back.
   *
   * @param decision an answer of this limiter; one of another limiter is used up in vain
   * @param units how many to give back of every charge, 0 to 4,000,000,000; what a charge did not
   *     take is not given back; 0 gives nothing back and leaves the decision as it is
   * @return what was given back, never null, also when a shared store is slow or gone
   * @throws IllegalArgumentException if {@code units} is out of range
   */
  default Refund refund(Decision decision, long units) {
    return Refund.NOTHING;
  }

  /**
   * Looks at one key without charging it, and without making room for it.
   *
   * @param policy whose limits are looked at
   * @param key as in {@link Charge#key}
   * @return how each limit of the policy stands, and who says so; empty if the policy lets pass
   *     uncounted while a shared store is gone
   * @throws IllegalArgumentException if the key is empty
   */
  default List<LimitUsage> usage(Policy policy, String key) {
    return acquire(new Charge(policy, key, 0)).usages();
  }

  /**
   * Forgets what was counted for one key of a policy, so that it starts afresh. Refusals and
   * refunds of before are forgotten with it.
   *
   * <p>Whoever wraps a limiter hands this on to it.
   *
   * @param policy whose limits are forgotten
   * @param key as in {@link Charge#key}
   * @return whether a shared store heard of it
   * @throws IllegalArgumentException if the key is empty
   * @throws UnsupportedOperationException if this limiter cannot forget
   */
  default Reset reset(Policy policy, String key) {
    throw new UnsupportedOperationException(getClass().getName() + " cannot forget a key");
  }
}
