package io.github.limiterkit.http.answer;

import io.github.limiterkit.Charge;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Source;
import java.util.List;

/** Decisions made up, so that every number in an answer can be chosen. */
final class Answering {

  static final long DAY = 86_400;

  private Answering() {}

  static Policy policy(String name, String limits) {
    return Policy.named(name).limits(limits).build();
  }

  static LimitUsage left(Policy policy, int index, long remaining, long resetMillis) {
    return new LimitUsage(
        Charge.of(policy, "k"),
        index,
        policy.limits().get(index).permits(),
        remaining,
        0,
        resetMillis,
        Source.LOCAL);
  }

  static LimitUsage spent(Policy policy, int index, long waitMillis) {
    return new LimitUsage(
        Charge.of(policy, "k"),
        index,
        policy.limits().get(index).permits(),
        0,
        waitMillis,
        waitMillis,
        Source.LOCAL);
  }

  static Judged judged(Policy policy, LimitUsage... usages) {
    return new Judged(PolicyText.of(policy), List.of(usages), Source.LOCAL, 429, true);
  }
}
