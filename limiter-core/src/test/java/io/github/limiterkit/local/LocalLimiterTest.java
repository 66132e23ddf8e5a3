package io.github.limiterkit.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Source;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalLimiterTest {

  private final AtomicLong nanos = new AtomicLong();
  private final LocalLimiter limiter = new LocalLimiter(nanos::get, 1_000);

  private void advance(long millis) {
    nanos.addAndGet(Duration.ofMillis(millis).toNanos());
  }

  private static Policy policy(String name, String limits) {
    return Policy.named(name).limits(limits).build();
  }

  @Test
  void answersWithTheUsageOfEveryLimit() {
    Policy policy = policy("orders", "10/1m, 2/1s");
    Charge charge = Charge.of(policy, "user:1");
    limiter.acquire(charge);
    advance(400);
    Decision second = limiter.acquire(charge);
    Decision third = limiter.acquire(charge);
    assertThat(second)
        .isEqualTo(
            new Decision(
                true,
                Source.LOCAL,
                List.of(
                    new LimitUsage(charge, 0, 10, 8, 0, 59_600, Source.LOCAL),
                    new LimitUsage(charge, 1, 2, 0, 0, 600, Source.LOCAL))));
    assertThat(third)
        .isEqualTo(
            new Decision(
                false,
                Source.LOCAL,
                List.of(
                    new LimitUsage(charge, 0, 10, 8, 0, 59_600, Source.LOCAL),
                    new LimitUsage(charge, 1, 2, 0, 600, 600, Source.LOCAL))));
    assertThat(third.retryAfterMillis()).isEqualTo(600);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE + 1, -1, 0, Long.MAX_VALUE - 5_000_000_000L})
  @DisplayName("ST-069: the clock may begin anywhere, and wrap")
  void countsFromAnyOrigin(long origin) {
    nanos.set(origin);
    LocalLimiter fromOrigin = new LocalLimiter(nanos::get, 10);
    Charge charge = Charge.of(policy("a", "3/3s"), "user:1");
    boolean[] expected = {true, true, true, true, false, true, true};
    long[] at = {0, 1_000, 2_000, 3_000, 3_500, 4_000, 5_500};
    long now = 0;
    for (int i = 0; i < at.length; i++) {
      advance(at[i] - now);
      now = at[i];
      assertThat(fromOrigin.acquire(charge).allowed()).as("at %d", now).isEqualTo(expected[i]);
    }
  }

  @Test
  @DisplayName("ST-070: an idle time is credited once")
  void creditsAnIdleTimeOnce() {
    Charge charge = Charge.of(policy("a", "10/1m"), "user:1");
    admit(charge, 10);
    advance(Duration.ofHours(2).toMillis());
    admit(charge, 10);
    assertThat(limiter.acquire(charge).retryAfterMillis()).isEqualTo(60_000);
  }

  @Test
  void keepsCountingWhenThePermitsChange() {
    admit(Charge.of(policy("a", "10/1m"), "user:1"), 8);
    Decision lowered = limiter.acquire(Charge.of(policy("a", "5/1m"), "user:1"));
    assertThat(lowered.allowed()).isFalse();
    Decision raised = limiter.acquire(Charge.of(policy("a", "100/1m"), "user:1"));
    assertThat(raised.usages().get(0).remaining()).isEqualTo(91);
  }

  @Test
  void beginsAfreshWhenTheWindowChanges() {
    admit(Charge.of(policy("a", "3/1m, 50/1h"), "user:1"), 3);
    Decision changed = limiter.acquire(Charge.of(policy("a", "60/1h, 3/2m"), "user:1"));
    assertThat(changed.usages()).extracting(LimitUsage::remaining).containsExactly(56L, 2L);
  }

  @Test
  void givesNoAmnestyWhenTwoWindowsTakeTurns() {
    Charge minute = Charge.of(policy("a", "3/1m"), "user:1");
    Charge hour = Charge.of(policy("a", "3/1h"), "user:1");
    for (int i = 0; i < 3; i++) {
      assertThat(limiter.acquire(minute).allowed()).isTrue();
      assertThat(limiter.acquire(hour).allowed()).isTrue();
    }
    assertThat(limiter.acquire(minute).allowed()).isFalse();
    assertThat(limiter.acquire(hour).allowed()).isFalse();
  }

  @Test
  void chargesAllPoliciesOrNone() {
    Charge first = Charge.of(policy("a", "3/1m"), "user:1");
    Charge second = Charge.of(policy("b", "2/1m"), "user:1");
    assertThat(limiter.acquire(List.of(first, second)).allowed()).isTrue();
    assertThat(limiter.acquire(List.of(first, second)).allowed()).isTrue();
    Decision refused = limiter.acquire(List.of(first, second));
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.usages()).extracting(LimitUsage::remaining).containsExactly(1L, 0L);
    assertThat(limiter.acquire(first).allowed()).isTrue();
  }

  @Test
  void refusesTwoChargesToOnePolicyAndKey() {
    Charge charge = Charge.of(policy("orders", "3/1m"), "user:1");
    assertThatThrownBy(() -> limiter.acquire(List.of(charge, charge)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"orders\"")
        .hasMessageNotContaining("user:1");
    assertThat(limiter.size()).isZero();
    assertThatThrownBy(() -> limiter.acquire(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private void admit(Charge charge, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(limiter.acquire(charge).allowed()).isTrue();
    }
  }
}
