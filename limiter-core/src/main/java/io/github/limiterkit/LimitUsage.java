package io.github.limiterkit;

/**
 * How one limit stood after a decision.
 *
 * <p>Worked example: {@code 100/1m}, 20 units used in the last minute, the oldest of them 45 s ago,
 * and a charge of 1: {@code quota} 100, {@code remaining} 79, {@code retryAfterMillis} 0, {@code
 * resetAfterMillis} 15,000.
 *
 * <p>Immutable and safe for use by several threads. Nothing in it is a promise to the client:
 * others may use what remains.
 *
 * @param charge what was asked for
 * @param index which of the policy's limits this is, from 0
 * @param quota permits in force: those of the limit, or this instance's lowered ones while the
 *     shared store is gone
 * @param remaining units still available after this decision, 0 or more
 * @param retryAfterMillis 0 if this limit had room; else the least wait, 1 ms or more, after which
 *     the same charge has room if nobody else is admitted, or {@link #NEVER} if the cost exceeds
 *     the limit itself, so that waiting does not help
 * @param resetAfterMillis time until the next unit expires, 0 if there is none
 * @param source who answered for this limit
 */
public record LimitUsage(
    Charge charge,
    int index,
    long quota,
    long remaining,
    long retryAfterMillis,
    long resetAfterMillis,
    Source source) {

  /** A wait without end: the charge can never be admitted. */
  public static final long NEVER = Long.MAX_VALUE;

  /**
   * Whether this limit had no room for the charge.
   *
   * @return true if it refused
   */
  public boolean refused() {
    return retryAfterMillis > 0;
  }

  /**
   * The limit as configured; while the store is gone, {@link #quota} may be lower.
   *
   * @return the limit that was asked
   */
  public Limit limit() {
    return charge.policy().limits().get(index);
  }
}
