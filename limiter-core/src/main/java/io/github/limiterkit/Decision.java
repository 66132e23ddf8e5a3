package io.github.limiterkit;

import java.time.Duration;
import java.util.List;

/**
 * The answer to {@link RateLimiter#acquire}: yes or no, who said so, and how each limit stands.
 *
 * <pre>{@code
 * Decision decision = kit.acquire("orders", "user:customer-42");
 * if (!decision.allowed()) {
 *   sleepFor(decision.retryAfter());
 * }
 * }</pre>
 *
 * <p>Immutable and safe for use by several threads.
 *
 * @param allowed whether the work may go on; if so, everything asked for was charged, else nothing
 * @param source who decided; for several charges the weakest that took part
 * @param usages one per limit that was looked at, in the order of the charges; none for a charge
 *     that {@link WhenStoreFails#OPEN} let pass uncounted
 */
public record Decision(boolean allowed, Source source, List<LimitUsage> usages) {

  /** A wait without end: the cost exceeds a limit, so waiting does not help. */
  public static final Duration NEVER = Duration.ofMillis(LimitUsage.NEVER);

  /**
   * Takes a copy of the list, unless it is immutable already.
   *
   * @param allowed whether the work may go on
   * @param source who decided
   * @param usages one per limit that was looked at
   */
  public Decision {
    usages = List.copyOf(usages);
  }

  /**
   * The least wait after which the same charges are admitted if nobody else is.
   *
   * @return zero if allowed, else 1 ms or more; {@link #NEVER} if waiting does not help
   */
  public Duration retryAfter() {
    long millis = retryAfterMillis();
    return millis == LimitUsage.NEVER ? NEVER : Duration.ofMillis(millis);
  }

  /**
   * As {@link #retryAfter}, in milliseconds.
   *
   * @return 0 if allowed, else 1 or more; {@link LimitUsage#NEVER} if waiting does not help
   */
  public long retryAfterMillis() {
    if (allowed) {
      return 0;
    }
    long longest = 0;
    for (LimitUsage usage : usages) {
      longest = Math.max(longest, usage.retryAfterMillis());
    }
    return longest;
  }
}
