package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Source;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Retry-after and reset values. */
class K17RetryAfterIT extends OnManualClock {

  @Test
  @DisplayName("ST-046 refused until the announced moment, admitted exactly at it")
  void keepsItsWord() {
    Policy policy = policy("5/10s");
    assertThat(ask(policy, 5).allowed()).isTrue();
    assertThat(ask(policy).retryAfterMillis()).isEqualTo(10_000);
    at(9_999);
    assertThat(ask(policy).retryAfterMillis()).isEqualTo(1);
    at(10_000);
    assertThat(ask(policy).allowed()).isTrue();
  }

  @Test
  @DisplayName("ST-046 property: alone on its key, a call is admitted at the wait and not before")
  void keepsItsWordInRandomHistories() {
    SplittableRandom random = new SplittableRandom(20_260_046);
    for (int history = 0; history < 150; history++) {
      int limit = history % 5 == 4 ? 121 + random.nextInt(500) : 1 + random.nextInt(20);
      long window = 1L + random.nextInt(history % 2 == 0 ? 60_000 : 300);
      Policy policy = policy("h-" + history, limit + "/" + window + "ms");
      for (int i = 0; i < 30; i++) {
        advance(random.nextLong(1 + window / 3));
        ask(policy, 1 + random.nextInt(limit));
      }
      long cost = 1L + random.nextInt(limit);
      Decision refused = ask(policy, cost);
      while (!refused.allowed() && refused.source() == Source.DENY_CACHE) {
        // What a remembered refusal tells is a lower bound, so ask again when it is over.
        advance(refused.retryAfterMillis());
        refused = ask(policy, cost);
      }
      if (!refused.allowed()) {
        advance(refused.retryAfterMillis() - 1);
        assertThat(ask(policy, cost).allowed()).as("history %d", history).isFalse();
        advance(1);
        assertThat(ask(policy, cost).allowed()).as("history %d", history).isTrue();
      }
    }
  }

  @Test
  @DisplayName("ST-047 the wait is for the first unit that leaves, not for the end of the window")
  void tellsTheEarliestMoment() {
    Policy policy = policy("60/1m");
    for (int second = 0; second < 60; second++) {
      at(second * 1_000L);
      assertThat(ask(policy).allowed()).isTrue();
    }
    at(59_500);
    assertThat(ask(policy).retryAfterMillis()).isEqualTo(500);
    at(60_000);
    assertThat(ask(policy).allowed()).isTrue();
    at(60_001);
    assertThat(ask(policy).retryAfterMillis()).isEqualTo(999);
  }

  @Test
  @DisplayName("ST-048 the milliseconds are told as they are, neither cut nor rounded")
  void tellsMilliseconds() {
    Policy policy = policy("1/1s");
    assertThat(ask(policy).allowed()).isTrue();
    at(600);
    assertThat(ask(policy).retryAfterMillis()).isEqualTo(400);
    at(999);
    assertThat(ask(policy).retryAfterMillis()).isEqualTo(1);
  }

  @Test
  @DisplayName("ST-049 the wait is for the unit that frees enough, not for the newest")
  void waitsForTheUnitThatFreesEnough() {
    Policy policy = policy("2/1m");
    ask(policy);
    at(10_000);
    ask(policy);
    at(20_000);
    // The dearer one first: a remembered refusal holds for dearer ones too, as a lower bound.
    assertThat(ask(policy, 2).retryAfterMillis()).isEqualTo(50_000);
    assertThat(ask(policy).retryAfterMillis()).isEqualTo(40_000);
  }

  @Test
  @DisplayName("ST-049 sibling: of several limits the longest wait counts")
  void waitsForTheSlowestLimit() {
    Policy policy = policy("2/1s, 3/1m");
    ask(policy, 2);
    assertThat(ask(policy).retryAfterMillis()).isEqualTo(1_000);
    at(1_000);
    ask(policy);
    Decision both = ask(policy, 2);
    assertThat(both.usages())
        .extracting(LimitUsage::retryAfterMillis)
        .containsExactly(1_000L, 59_000L);
    assertThat(both.retryAfterMillis()).isEqualTo(59_000);
  }

  @Test
  @DisplayName("ST-050 one meaning per field in every answer")
  void givesEachFieldOneMeaning() {
    Policy policy = policy("3/1m");
    assertThat(ask(policy, 0).retryAfterMillis()).as("looked at").isZero();
    Decision admitted = ask(policy, 2);
    assertThat(admitted.retryAfterMillis()).as("admitted").isZero();
    assertThat(admitted.usages().get(0).resetAfterMillis()).isEqualTo(60_000);
    at(1_000);
    Decision refused = ask(policy, 2);
    assertThat(refused.retryAfterMillis()).as("refused").isEqualTo(59_000);
    assertThat(ask(policy, 2).retryAfterMillis()).as("refused again").isEqualTo(59_000);
    Decision impossible = ask(policy, 4);
    assertThat(impossible.retryAfterMillis()).as("impossible").isEqualTo(LimitUsage.NEVER);
    assertThat(impossible.retryAfter()).isEqualTo(Decision.NEVER);
    Decision looked = ask(policy, 0);
    assertThat(looked.usages().get(0).resetAfterMillis()).isEqualTo(59_000);
    assertThat(look(policy)).isEqualTo(List.of(1L));
  }
}
