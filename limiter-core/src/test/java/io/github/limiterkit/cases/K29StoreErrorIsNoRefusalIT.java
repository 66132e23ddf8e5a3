package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Source;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.FaultProxy;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Store error mapped to the wrong answer. */
class K29StoreErrorIsNoRefusalIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  @Test
  @DisplayName("ST-077 whoever is new is admitted here, with numbers that describe the local limit")
  void admitsWithLocalNumbers() {
    HttpPolicy policy = HttpPolicy.named("p").limits("100/1m").build();
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit =
            Kits.shared(Kits.over(proxy.url(), Kits.DEADLINE, policy).fleetSize(5).build())) {
      proxy.refuse();
      await().until(() -> Kits.ask(kit, "p", "user:first").source() == Source.LOCAL);
      for (int i = 0; i < 10; i++) {
        Decision decision = Kits.ask(kit, "p", "user:ada");
        assertThat(decision.allowed()).isTrue();
        assertThat(decision.source()).isEqualTo(Source.LOCAL);
        LimitUsage usage = decision.usages().get(0);
        assertThat(usage.quota()).isEqualTo(20);
        assertThat(usage.remaining()).isEqualTo(19 - i);
        assertThat(usage.resetAfterMillis()).isBetween(1L, 60_000L);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  @DisplayName("ST-078 two hundred calls under each fault: no exception, no refusal, in time")
  void neverThrows(WireFault fault) {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit =
            Kits.shared(
                Kits.over(proxy.url(), Duration.ofMillis(50), Kits.plenty())
                    .probeFirst(Duration.ofMillis(50))
                    .probeLongest(Duration.ofMillis(50))
                    .build())) {
      Kits.ask(kit, "plenty");
      fault.inject(proxy);
      Calls calls = new Calls();
      for (int i = 0; i < 200; i++) {
        assertThat(calls.ask(kit, "plenty", "user:" + i % 10).allowed()).isTrue();
      }
      calls.assertInTime(Duration.ofMillis(50));
      assertThat(calls.from(Source.LOCAL)).isGreaterThan(190);
      proxy.pass();
      await()
          .pollInterval(Duration.ofMillis(5))
          .until(() -> Kits.ask(kit, "plenty").source() == Source.SHARED);
    }
  }
}
