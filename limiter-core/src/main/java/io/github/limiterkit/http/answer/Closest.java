package io.github.limiterkit.http.answer;

import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limit that is closest to its end, for dialects that tell of one only.
 *
 * @param quota units in force
 * @param window whole seconds, 1 or more
 * @param remaining units left, 0 if the request was refused
 * @param reset seconds until there are more, never earlier than {@code Retry-After}
 */
public record Closest(long quota, long window, long remaining, long reset) {

  /**
   * Finds it among the limits that may be shown.
   *
   * @param judged every policy that was asked
   * @param violations what a refusal says, null if the request was accepted
   * @param longestWait the most seconds to tell
   * @return the limit; null if there is none to show
   */
  public static @Nullable Closest of(
      List<Judged> judged, @Nullable Violations violations, long longestWait) {
    Closest closest = null;
    for (Judged one : judged) {
      if (one.shown()) {
        for (LimitUsage usage : one.usages()) {
          if (violations == null || usage.refused()) {
            closest = closer(closest, of(usage, violations, longestWait));
          }
        }
        if (violations != null && one.closed() && one.usages().isEmpty()) {
          Limit limit = one.text().policy().limits().get(0);
          closest =
              closer(
                  closest, new Closest(limit.permits(), window(limit), 0, violations.retryAfter()));
        }
      }
    }
    return closest;
  }

  private static Closest of(LimitUsage usage, @Nullable Violations violations, long longestWait) {
    long wait = violations == null ? 0 : violations.retryAfter();
    long reset = Math.min(Seconds.roundedUp(usage.resetAfterMillis()), longestWait);
    return new Closest(
        PolicyText.integer(usage.quota()),
        window(usage.limit()),
        violations == null ? PolicyText.integer(usage.remaining()) : 0,
        wait == 0 ? reset : wait);
  }

  private static long window(Limit limit) {
    return Seconds.roundedUp(limit.windowMillis());
  }

  /** Of two of which as little is left, the one that takes longer. */
  private static Closest closer(@Nullable Closest one, Closest other) {
    if (one == null || other.remaining < one.remaining) {
      return other;
    }
    return other.remaining == one.remaining && other.reset > one.reset ? other : one;
  }
}
