package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several rules on one request: atomicity. */
class K21SeveralRulesIT extends OnManualClock {

  @Test
  @DisplayName("ST-061 what the minute refuses uses up nothing of the half hour")
  void usesUpNothingOfTheOtherRule() {
    Policy policy = policy("10/1m, 30/30m");
    assertThat(admittedEverySecond(0, 15, policy)).isEqualTo(10);
    assertThat(admittedEverySecond(60, 74, policy)).isEqualTo(10);
    assertThat(look(policy).get(1)).isEqualTo(10);
    at(125_000);
    assertThat(ask(policy).allowed()).isTrue();
  }

  @Test
  @DisplayName("ST-061 sibling: the same with the rules in two policies, in either order")
  void usesUpNothingOfTheOtherPolicy() {
    Charge minute = Charge.of(policy("minute", "10/1m"), "user:ada");
    Charge half = Charge.of(policy("half-hour", "30/30m"), "user:ada");
    for (int second = 0; second <= 15; second++) {
      at(second * 1_000L);
      List<Charge> both = second % 2 == 0 ? List.of(minute, half) : List.of(half, minute);
      assertThat(ask(both).allowed()).isEqualTo(second < 10);
    }
    assertThat(look(half.policy())).containsExactly(20L);
    for (int second = 60; second <= 74; second++) {
      at(second * 1_000L);
      ask(List.of(half, minute));
    }
    assertThat(look(half.policy())).containsExactly(10L);
  }

  @Test
  @DisplayName("ST-061 property: after random calls each rule has used what was admitted")
  void chargesAllOrNone() {
    SplittableRandom random = new SplittableRandom(20_260_061);
    List<Policy> policies =
        List.of(policy("a", "20/1h"), policy("b", "30/1h, 25/2h"), policy("c", "15/1h"));
    long[] admitted = new long[3];
    for (int i = 0; i < 300; i++) {
      List<Charge> charges = new ArrayList<>();
      for (Policy policy : policies) {
        if (random.nextBoolean()) {
          charges.add(new Charge(policy, "user:ada", random.nextInt(4)));
        }
      }
      if (!charges.isEmpty() && ask(charges).allowed()) {
        charges.forEach(
            charge -> admitted[charge.policy().name().charAt(0) - 'a'] += charge.cost());
      }
    }
    assertThat(look(policies.get(0))).containsExactly(20 - admitted[0]);
    assertThat(look(policies.get(1))).containsExactly(30 - admitted[1], 25 - admitted[1]);
    assertThat(look(policies.get(2))).containsExactly(15 - admitted[2]);
  }

  @Test
  @DisplayName("ST-061 sibling: a refusal names the rule that refused, and no other")
  void namesTheRuleThatRefused() {
    Policy policy = policy("2/1s, 3/1m, 100/1h");
    ask(policy, 2);
    at(1_000);
    ask(policy);
    Decision refused = ask(policy);
    assertThat(refused.usages())
        .extracting(LimitUsage::refused)
        .containsExactly(false, true, false);
    assertThat(Answers.remaining(refused)).containsExactly(1L, 0L, 97L);
  }

  private int admittedEverySecond(int from, int to, Policy policy) {
    int admitted = 0;
    for (int second = from; second <= to; second++) {
      at(second * 1_000L);
      admitted += ask(policy).allowed() ? 1 : 0;
    }
    return admitted;
  }
}
