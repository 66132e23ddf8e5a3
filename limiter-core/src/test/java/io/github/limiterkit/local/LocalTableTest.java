package io.github.limiterkit.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LocalTableTest {

  private final AtomicLong nanos = new AtomicLong();

  private static Policy policy(String limits) {
    return Policy.named("a").limits(limits).build();
  }

  @Test
  @DisplayName("ST-074: a flood of new keys gives no amnesty to a key that is refusing")
  void neverForgetsAnAbuserUnderAFlood() {
    LocalLimiter limiter = new LocalLimiter(nanos::get, 1_000);
    Policy policy = policy("5/1m");
    Charge victim = Charge.of(policy, "user:victim");
    for (int i = 0; i < 5; i++) {
      assertThat(limiter.acquire(victim).allowed()).isTrue();
    }
    for (int i = 0; i < 20_000; i++) {
      assertThat(limiter.acquire(Charge.of(policy, "user:" + i)).allowed()).isTrue();
      assertThat(limiter.size()).isLessThanOrEqualTo(1_000);
      if (i % 100 == 0) {
        assertThat(limiter.acquire(victim).allowed()).isFalse();
      }
    }
    assertThat(limiter.forgottenUnits()).isEqualTo(20_001 - 1_000);
    nanos.addAndGet(60_000_000_000L);
    assertThat(limiter.acquire(victim).allowed()).isTrue();
  }

  @Test
  @DisplayName("ST-072: without traffic the table empties")
  void emptiesWithoutTraffic() {
    LocalLimiter limiter = new LocalLimiter(nanos::get, 100_000);
    Policy policy = policy("5/1m");
    for (int i = 0; i < 50_000; i++) {
      limiter.acquire(Charge.of(policy, "user:" + i));
    }
    assertThat(limiter.sweep()).isZero();
    nanos.addAndGet(120_000_000_000L);
    assertThat(limiter.size()).isEqualTo(50_000);
    assertThat(limiter.sweep()).isEqualTo(50_000);
    assertThat(limiter.size()).isZero();
    assertThat(limiter.forgottenUnits()).isZero();
  }
}
