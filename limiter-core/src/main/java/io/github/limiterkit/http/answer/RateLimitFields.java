package io.github.limiterkit.http.answer;

import io.github.limiterkit.LimitUsage;
import java.util.List;

/**
 * Writes {@code RateLimit-Policy} and {@code RateLimit} as of draft-ietf-httpapi-ratelimit-headers
 * 08 to 11: lists of quoted names with parameters.
 *
 * <pre>{@code
 * RateLimit-Policy: "per-client";q=100;w=60
 * RateLimit: "per-client";r=99;t=60
 * }</pre>
 *
 * <p>Nothing in them is a promise: others may use what remains.
 */
public final class RateLimitFields {

  private RateLimitFields() {}

  /**
   * The value of {@code RateLimit-Policy}.
   *
   * @param judged every policy that was asked
   * @param refused whether the answer is a refusal
   * @return the members, empty if there are none, and then no field may be sent
   */
  public static String policies(List<Judged> judged, boolean refused) {
    if (judged.size() == 1 && judged.get(0).shown() && judged.get(0).isAsConfigured()) {
      return judged.get(0).text().configured(); // almost always, and then nothing is built
    }
    StringBuilder field = new StringBuilder(48 * judged.size());
    for (Judged one : judged) {
      // No usage and accepted: let pass uncounted. No usage and refused: another policy said no
      // before this one was asked, and it stays in the field so that the field stays the same.
      boolean known = refused ? !one.open() : !one.usages().isEmpty();
      if (one.shown() && known) {
        one.text().appendTo(comma(field), one.usages());
      }
    }
    return field.toString();
  }

  /**
   * The value of {@code RateLimit} on an accepted request.
   *
   * @param judged every policy that was asked
   * @param longestWait the most seconds to tell
   * @return the members, empty if there are none, and then no field may be sent
   */
  public static String accepted(List<Judged> judged, long longestWait) {
    return accepted(judged, longestWait, PartitionKeys.NONE);
  }

  /**
   * As {@link #accepted(List, long)}, with the keys of the quotas.
   *
   * @param judged every policy that was asked
   * @param longestWait the most seconds to tell
   * @param keys writes them
   * @return the members, empty if there are none, and then no field may be sent
   */
  public static String accepted(List<Judged> judged, long longestWait, PartitionKeys keys) {
    StringBuilder field = new StringBuilder(40 * judged.size());
    for (int i = 0; i < judged.size(); i++) {
      Judged one = judged.get(i);
      if (one.shown()) {
        for (int j = 0; j < one.usages().size(); j++) {
          LimitUsage usage = one.usages().get(j);
          one.text().appendName(comma(field), usage.index());
          field.append(";r=").append(PolicyText.integer(usage.remaining()));
          appendTime(field, Seconds.roundedUp(usage.resetAfterMillis()), longestWait);
          keys.appendTo(field, usage.charge());
        }
      }
    }
    return field.toString();
  }

  /**
   * The one limit of which least is left, and of several the one that takes longest.
   *
   * @param judged every policy that was asked
   * @return one policy with one limit; none if no limit may be shown
   */
  public static List<Judged> closest(List<Judged> judged) {
    Judged closest = null;
    LimitUsage least = null;
    for (Judged one : judged) {
      for (LimitUsage usage : one.shown() ? one.usages() : List.<LimitUsage>of()) {
        if (least == null || isCloser(usage, least)) {
          least = usage;
          closest = new Judged(one.text(), List.of(usage), one.source(), one.status(), one.shown());
        }
      }
    }
    return closest == null ? List.of() : List.of(closest);
  }

  private static boolean isCloser(LimitUsage one, LimitUsage other) {
    return one.remaining() < other.remaining()
        || (one.remaining() == other.remaining()
            && one.resetAfterMillis() > other.resetAfterMillis());
  }

  static void appendTime(StringBuilder field, long seconds, long longestWait) {
    if (seconds > 0) {
      field.append(";t=").append(Math.min(seconds, longestWait));
    }
  }

  static StringBuilder comma(StringBuilder field) {
    return field.length() == 0 ? field : field.append(", ");
  }
}
