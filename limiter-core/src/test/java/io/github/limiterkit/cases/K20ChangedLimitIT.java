package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Limit or window changed while keys live. */
class K20ChangedLimitIT extends OnManualClock {

  @Test
  @DisplayName("ST-059 a raised limit admits at once what it has room for")
  void followsARaisedLimit() {
    assertThat(admitted(3, policy("10/1m"))).isEqualTo(3);
    Decision raised = ask(policy("1000/1m"));
    assertThat(raised.allowed()).isTrue();
    assertThat(raised.usages()).extracting(LimitUsage::quota).containsExactly(1_000L);
    assertThat(Answers.left(raised)).isEqualTo(996);
  }

  @Test
  @DisplayName("ST-059 sibling: raised after a refusal, however long the refusal was to last")
  void followsALimitThatIsRaisedAfterARefusal() {
    assertThat(admitted(12, policy("10/1m"))).isEqualTo(10);
    assertThat(Answers.left(ask(policy("11/1m")))).isZero();
    assertThat(ask(policy("11/1m")).allowed()).isFalse();
    assertThat(Answers.left(ask(policy("500/1m")))).isEqualTo(488);
  }

  @Test
  @DisplayName("ST-059 property: what a limit admits, a larger one admits too")
  void neverDeniesByRaising() {
    SplittableRandom random = new SplittableRandom(20_260_059);
    for (int history = 0; history < 120; history++) {
      int first = 1 + random.nextInt(history % 3 == 0 ? 200 : 20);
      int small = 1 + random.nextInt(200);
      int large = small + 1 + random.nextInt(300);
      String one = "one-" + history;
      String two = "two-" + history;
      Policy recorded = policy(first + "/1m");
      for (int i = 0; i < 20; i++) {
        advance(random.nextInt(8_000));
        long cost = 1L + random.nextInt(first);
        assertThat(ask(recorded, one, cost).allowed())
            .isEqualTo(ask(recorded, two, cost).allowed());
      }
      long cost = 1L + random.nextInt(small);
      boolean bySmall = ask(policy(small + "/1m"), one, cost).allowed();
      boolean byLarge = ask(policy(large + "/1m"), two, cost).allowed();
      assertThat(byLarge || !bySmall).as("history %d: %d, %d", history, small, large).isTrue();
    }
  }

  @Test
  @DisplayName("ST-060 a lowered limit rules from the next call on")
  void followsALoweredLimit() {
    assertThat(admitted(2, policy("100/1m"))).isEqualTo(2);
    Decision third = ask(policy("10/1m"));
    assertThat(third.allowed()).isTrue();
    assertThat(third.usages()).extracting(LimitUsage::quota).containsExactly(10L);
    assertThat(Answers.left(third)).isEqualTo(7);
    assertThat(ask(policy("10/1m"), 5).allowed()).isTrue();
    Decision lowered = ask(policy("5/1m"));
    assertThat(lowered.allowed()).isFalse();
    assertThat(Answers.left(lowered)).isZero();
    assertThat(lowered.retryAfterMillis()).isEqualTo(60_000);
  }

  @Test
  @DisplayName("ST-060 while a release rolls out, each instance goes by its own limit")
  void letsTwoInstancesHaveDifferentLimits() {
    Policy old = policy("10/1m");
    Policy young = policy("5/1m");
    RateLimiter rolledOut = place == Place.REDIS ? newLimiter() : this::askAll;
    Charge byOld = Charge.of(old, "user:ada");
    Charge byYoung = Charge.of(young, "user:ada");
    for (long left = 9; left >= 5; left--) {
      assertThat(Answers.left(ask(old))).isEqualTo(left);
    }
    Decision refused = Answers.check(rolledOut.acquire(byYoung));
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.retryAfterMillis()).isEqualTo(60_000);
    assertThat(Answers.left(Answers.check(rolledOut.acquire(byOld)))).isEqualTo(4);
    for (long left = 3; left >= 0; left--) {
      assertThat(Answers.left(ask(old))).isEqualTo(left);
    }
    assertThat(ask(old).allowed()).isFalse();
    assertThat(Answers.check(rolledOut.acquire(byYoung)).allowed()).isFalse();
  }

  private Decision askAll(List<Charge> charges) {
    return ask(charges);
  }

  @Test
  @DisplayName("ST-060 sibling: another window begins a fresh count, and the old one is kept")
  void beginsAfreshWithAnotherWindow() {
    assertThat(ask(policy("3/1m"), 3).allowed()).isTrue();
    assertThat(Answers.left(ask(policy("3/2m"), 2))).isEqualTo(1);
    assertThat(ask(policy("3/1m")).allowed()).isFalse();
    assertThat(look(policy("3/2m"))).containsExactly(1L);
  }
}
