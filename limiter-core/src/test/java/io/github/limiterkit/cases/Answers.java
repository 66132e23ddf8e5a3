package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import java.util.List;

/** What must be true of every answer, whoever gives it and whatever was asked. */
final class Answers {

  private Answers() {}

  /** Returns the decision if all of it holds. */
  static Decision check(Decision decision) {
    boolean refused = false;
    for (LimitUsage usage : decision.usages()) {
      assertThat(usage.remaining()).as("%s", usage).isBetween(0L, usage.quota());
      assertThat(usage.retryAfterMillis()).as("%s", usage).isNotNegative();
      assertThat(usage.resetAfterMillis()).as("%s", usage).isNotNegative();
      assertThat(usage.resetAfterMillis())
          .as("%s", usage)
          .isLessThanOrEqualTo(usage.limit().windowMillis());
      boolean never = usage.charge().cost() > usage.limit().permits();
      assertThat(usage.retryAfterMillis() == LimitUsage.NEVER).as("%s", usage).isEqualTo(never);
      refused |= usage.refused();
    }
    assertThat(decision.allowed()).as("%s", decision).isNotEqualTo(refused);
    assertThat(decision.retryAfterMillis() > 0).as("%s", decision).isEqualTo(refused);
    return decision;
  }

  static List<Long> remaining(Decision decision) {
    return decision.usages().stream().map(LimitUsage::remaining).toList();
  }

  /** What remains of the first limit. */
  static long left(Decision decision) {
    return decision.usages().get(0).remaining();
  }
}
