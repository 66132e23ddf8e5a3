package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.Policy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Input validation: zero, negative, cost above limit. */
class K19InputValidationIT extends OnManualClock {

  @Test
  @DisplayName("ST-056 a negative cost is refused before anything is asked, and gives nothing back")
  void refusesNegativeCosts() {
    Policy policy = policy("10/1m");
    ask(policy, 4);
    long before = place == Place.REDIS ? TestRedis.executions(redis.server()) : 0;
    for (long cost : new long[] {-1, -10, Integer.MIN_VALUE, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> ask(policy, cost))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(cost))
          .hasMessageContaining("\"p\"")
          .hasMessageContaining("0 to 4000000000");
    }
    if (place == Place.REDIS) {
      assertThat(TestRedis.executions(redis.server())).isEqualTo(before);
    }
    assertThat(look(policy)).containsExactly(6L);
  }

  @Test
  @DisplayName("ST-056 sibling: a cost beyond all bounds is refused too")
  void refusesCostsBeyondAllBounds() {
    Policy policy = policy("10/1m");
    for (long cost : new long[] {Limit.MAX_PERMITS + 1, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> ask(policy, cost))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(cost));
    }
    assertThat(look(policy)).containsExactly(10L);
  }

  @Test
  @DisplayName("ST-057 a limit of 0 or less is refused when it is built, naming the value")
  void refusesLimitsBelowOne() {
    for (long permits : new long[] {0, -1, Long.MIN_VALUE, Limit.MAX_PERMITS + 1}) {
      assertThatThrownBy(() -> new Limit(permits, Duration.ofMinutes(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(permits))
          .hasMessageContaining("1 to 4000000000");
      assertThatThrownBy(() -> policy(permits + "/1m"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("\"" + permits + "/1m\"");
    }
    assertThatThrownBy(() -> policy("5/0s"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5/0s");
    assertThatThrownBy(() -> policy("5/-1s"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5/-1s");
  }

  @Test
  @DisplayName("ST-058 a cost above the limit can never succeed, is told so, and consumes nothing")
  void refusesWhatCanNeverSucceed() {
    Policy policy = policy("3/1m");
    Decision impossible = ask(policy, 4);
    assertThat(impossible.allowed()).isFalse();
    assertThat(impossible.retryAfter()).isEqualTo(Decision.NEVER);
    Decision possible = ask(policy, 3);
    assertThat(possible.allowed()).isTrue();
    assertThat(Answers.left(possible)).isZero();
    assertThat(ask(policy, 4).retryAfter()).isEqualTo(Decision.NEVER);
  }

  @Test
  @DisplayName("ST-058 sibling: of several limits and charges one that never can is enough")
  void refusesWhatOneOfSeveralCanNeverAllow() {
    Policy both = policy("both", "3/1s, 10/1m");
    assertThat(ask(both, 4).retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(look(both)).containsExactly(3L, 10L);
    Charge wide = new Charge(policy("wide", "100/1m"), "user:ada", 5);
    Charge narrow = new Charge(policy("narrow", "4/1m"), "user:ada", 5);
    assertThat(ask(List.of(wide, narrow)).retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(look(wide.policy())).containsExactly(100L);
    assertThat(ask(both, Limit.MAX_PERMITS).retryAfter()).isEqualTo(Decision.NEVER);
  }
}
