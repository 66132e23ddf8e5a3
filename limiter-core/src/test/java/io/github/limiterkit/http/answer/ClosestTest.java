package io.github.limiterkit.http.answer;

import static io.github.limiterkit.http.answer.Answering.DAY;
import static io.github.limiterkit.http.answer.Answering.judged;
import static io.github.limiterkit.http.answer.Answering.left;
import static io.github.limiterkit.http.answer.Answering.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Source;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClosestTest {

  private final Policy one = policy("one", "9/1h");
  private final Policy two = policy("two", "9/1h");

  /** The name of the closer of two limits, whichever is named first. */
  private String closer(LimitUsage first, LimitUsage second) {
    String there = told(List.of(judged(one, first), judged(two, second)));
    String back = told(List.of(judged(two, second), judged(one, first)));
    assertThat(back).isEqualTo(there);
    assertThat(reset(List.of(judged(one, first), judged(two, second))))
        .isEqualTo(reset(List.of(judged(two, second), judged(one, first))));
    return there;
  }

  private static String told(List<Judged> judged) {
    return RateLimitFields.accepted(RateLimitFields.closest(judged), DAY);
  }

  private static long reset(List<Judged> judged) {
    return Closest.of(judged, null, DAY).reset();
  }

  @Test
  @DisplayName("RL-5, DI-2: the limit of which least is left, else the one that takes longest")
  void choosesTheClosest() {
    assertThat(closer(left(one, 0, 1, 1_000), left(two, 0, 2, 9_000))).isEqualTo("\"one\";r=1;t=1");
    assertThat(closer(left(one, 0, 2, 9_000), left(two, 0, 1, 1_000))).isEqualTo("\"two\";r=1;t=1");
    assertThat(closer(left(one, 0, 1, 1_000), left(two, 0, 1, 2_000))).isEqualTo("\"two\";r=1;t=2");
    assertThat(closer(left(one, 0, 1, 2_000), left(two, 0, 1, 1_000))).isEqualTo("\"one\";r=1;t=2");
    assertThat(
            told(List.of(judged(one, left(one, 0, 1, 1_000)), judged(two, left(two, 0, 1, 1_000)))))
        .as("of equal ones the first")
        .startsWith("\"one\"");
    assertThat(RateLimitFields.closest(List.of())).isEmpty();
    assertThat(Closest.of(List.of(), null, DAY)).isNull();
  }

  @Test
  @DisplayName("RP-8, RL-4: a refusal tells of the partition, too")
  void writesPartitionsOfRefusals() {
    LimitUsage spent = Answering.spent(one, 0, 2_000);
    Violations violations =
        Violations.of(List.of(judged(one, spent)), DAY, 3, PartitionKeys.of("a secret of tests"));
    assertThat(violations.rateLimit()).matches("\"one\";r=0;t=5;pk=:[A-Za-z0-9+/]{16}:");
    assertThat(violations.retryAfter()).isEqualTo(5);
    assertThat(Violations.of(List.of(judged(one, spent)), DAY).rateLimit())
        .isEqualTo("\"one\";r=0;t=2");
  }

  @Test
  @DisplayName("RL-8: a hidden policy is named nowhere, and its wait is told")
  void hidesPartitionsOfHiddenPolicies() {
    LimitUsage spent = Answering.spent(one, 0, 2_000);
    Judged hidden = new Judged(PolicyText.of(one), List.of(spent), Source.LOCAL, 429, false);
    Violations violations =
        Violations.of(List.of(hidden), DAY, 0, PartitionKeys.of("a secret of tests"));
    assertThat(violations.rateLimit()).isEmpty();
    assertThat(violations.names()).isEmpty();
    assertThat(violations.retryAfter()).isEqualTo(2);
  }

  @Test
  @DisplayName("RA-8: an unknown wait is lengthened, too")
  void lengthensTheHint() {
    Judged unknown = judged(one);
    long hint = Violations.of(List.of(unknown), DAY).retryAfter();
    assertThat(Violations.of(List.of(unknown), DAY, 3, PartitionKeys.NONE).retryAfter())
        .isEqualTo(hint + 3);
  }
}
