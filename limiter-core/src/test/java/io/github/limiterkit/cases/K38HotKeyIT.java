package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.setup.LimiterKit;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Hot key. */
class K38HotKeyIT {

  private static final Policy PLENTY = Policy.named("plenty").limits("100000000/1m").build();

  @RegisterExtension static final TestRedis redis = new TestRedis();

  @Test
  @DisplayName("ST-090 64 threads on one key never make the store look lost, and cost it few calls")
  void bearsAHotKey() throws Exception {
    MetricRegistry registry = new MetricRegistry();
    try (LimiterKit kit =
        Kits.shared(
            Kits.over(redis.url(), Duration.ofSeconds(1), Kits.plenty())
                .metrics(DropwizardMetrics.on(registry))
                .build())) {
      RateLimiter limiter = Kits.limiter(kit);
      long before = TestRedis.executions(redis.server());
      int calls = 300;
      Together.run(
          64,
          thread -> {
            for (int i = 0; i < calls; i++) {
              Decision decision = limiter.acquire(Charge.of(PLENTY, "hot"));
              assertThat(decision.source()).isEqualTo(Source.SHARED);
            }
            return 0;
          });
      assertThat(kit.mode()).isEqualTo(Mode.SHARED);
      assertThat(registry.counter("limiterkit.store.transitions.degraded").getCount()).isZero();
      long commands = TestRedis.executions(redis.server()) - before;
      assertThat(commands).as("calls at the server").isLessThan(64L * calls / 4);
      Decision last = limiter.acquire(new Charge(PLENTY, "hot", 0));
      assertThat(100_000_000 - Answers.left(last)).isEqualTo(64L * calls);
    }
  }
}
