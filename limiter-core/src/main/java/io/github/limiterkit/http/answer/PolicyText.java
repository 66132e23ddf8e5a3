package io.github.limiterkit.http.answer;

import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A policy as clients see it: one name per limit, and its members of {@code RateLimit-Policy}.
 *
 * <p>The first limit carries the policy's name, each further one that name, a dash and its time:
 * {@code per-client}, {@code per-client-1s}. Immutable and safe for use by several threads.
 */
public final class PolicyText {

  /** The longest name a client is shown. */
  static final int LONGEST_NAME = 64;

  private static final long MAX_INTEGER = 999_999_999_999_999L;

  private final Policy policy;
  private final List<String> names;
  private final List<String> quoted;
  private final String configured;

  private PolicyText(Policy policy, List<String> names) {
    this.policy = policy;
    this.names = List.copyOf(names);
    this.quoted = names.stream().map(name -> '"' + name + '"').toList();
    StringBuilder members = new StringBuilder();
    appendPolicyTo(members, List.of());
    this.configured = members.toString();
  }

  /**
   * Works out the names.
   *
   * @param policy the policy to show
   * @return its text
   * @throws IllegalArgumentException if a name of a further limit would be too long
   */
  public static PolicyText of(Policy policy) {
    List<String> names = new ArrayList<>();
    for (Limit limit : policy.limits()) {
      String name = names.isEmpty() ? policy.name() : policy.name() + "-" + limit.windowText();
      if (name.length() > LONGEST_NAME) {
        throw new IllegalArgumentException(
            "policy \"%s\": its limit %s is shown to clients as \"%s\", which is longer than %d characters; shorten the policy's name"
                .formatted(policy.name(), limit, name, LONGEST_NAME));
      }
      names.add(name);
    }
    return new PolicyText(policy, names);
  }

  /**
   * The names, one per limit.
   *
   * @return in the order of the policy's limits
   */
  public List<String> names() {
    return names;
  }

  Policy policy() {
    return policy;
  }

  /** All members of RateLimit-Policy, with the quotas as configured. */
  String configured() {
    return configured;
  }

  /** Appends this policy's members of RateLimit-Policy, with the quotas in force. */
  void appendTo(StringBuilder field, List<LimitUsage> usages) {
    if (isAsConfigured(usages)) {
      field.append(configured);
    } else {
      appendPolicyTo(field, usages);
    }
  }

  private void appendPolicyTo(StringBuilder field, List<LimitUsage> usages) {
    for (int i = 0; i < names.size(); i++) {
      Limit limit = policy.limits().get(i);
      LimitUsage usage = usageOf(i, usages);
      if (i > 0) {
        field.append(", ");
      }
      appendName(field, i).append(";q=");
      field.append(integer(usage == null ? limit.permits() : usage.quota()));
      // A sub-second window is published as one second: w has no fractions and no zero.
      field.append(";w=").append(integer(Seconds.roundedUp(limit.windowMillis())));
    }
  }

  /** Appends a quoted name; names are printable ASCII without quotes and backslashes. */
  StringBuilder appendName(StringBuilder field, int index) {
    return field.append(quoted.get(index));
  }

  /** What structured fields allow as an integer and a limit can mean. */
  static long integer(long value) {
    return Math.max(0, Math.min(value, MAX_INTEGER));
  }

  static boolean isAsConfigured(List<LimitUsage> usages) {
    for (int i = 0; i < usages.size(); i++) {
      LimitUsage usage = usages.get(i);
      if (usage.quota() != usage.limit().permits()) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable LimitUsage usageOf(int index, List<LimitUsage> usages) {
    for (LimitUsage usage : usages) {
      if (usage.index() == index) {
        return usage;
      }
    }
    return null;
  }
}
