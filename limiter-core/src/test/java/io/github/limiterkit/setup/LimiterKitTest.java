package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.MetricRegistry;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Reset;
import io.github.limiterkit.Source;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.metrics.DecisionCount;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.metrics.Outcome;
import io.github.limiterkit.redis.RedisStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LimiterKitTest {

  private final HttpPolicy login = HttpPolicy.named("login").limits("2/1m").build();
  private final HttpPolicy orders = HttpPolicy.named("orders").limits("10/1m").build();

  @Test
  void limitsWithTheFullQuotaWithoutAStore() {
    try (LimiterKit kit = LimiterKit.inMemory().policy(login).build()) {
      assertThat(kit.mode()).isEqualTo(Mode.LOCAL);
      assertThat(kit.acquire("login", "user:ada").allowed()).isTrue();
      assertThat(kit.acquire("login", "user:ada").allowed()).isTrue();

      Decision third = kit.acquire("login", "user:ada");
      assertThat(third.allowed()).isFalse();
      assertThat(third.source()).isEqualTo(Source.LOCAL);
      assertThat(kit.acquire("login", "user:grace").allowed()).isTrue();
    }
  }

  @Test
  void letsATestMoveItsClock() {
    AtomicLong nanos = new AtomicLong();
    try (LimiterKit kit = LimiterKit.inMemory().ticker(nanos::get).policy(login).build()) {
      kit.acquire("login", "user:ada", 2);
      assertThat(kit.acquire("login", "user:ada").retryAfter()).isEqualTo(Duration.ofMinutes(1));

      nanos.addAndGet(Duration.ofMinutes(1).toNanos());

      assertThat(kit.acquire("login", "user:ada").allowed()).isTrue();
    }
  }

  @Test
  void saysHowItIsDoing() {
    try (LimiterKit kit = LimiterKit.inMemory().policy(login, orders).build()) {
      kit.acquire("login", "user:ada", 2);
      kit.acquire("login", "user:ada");

      KitStatus status = kit.status();

      assertThat(status.mode()).isEqualTo(Mode.LOCAL);
      assertThat(status.nodes()).isEmpty();
      assertThat(status.alarm()).isNull();
      assertThat(status.policies()).containsExactly("login", "orders");
      assertThat(status.decisions())
          .containsExactly(
              new DecisionCount("login", Source.LOCAL, Outcome.ALLOWED, 1),
              new DecisionCount("login", Source.LOCAL, Outcome.REFUSED, 1));
    }
  }

  @Test
  void namesTheNearestPolicyToOneThatIsNotThere() {
    try (LimiterKit kit = LimiterKit.inMemory().policy(login, orders).build()) {
      assertThatThrownBy(() -> kit.acquire("logins", "user:ada"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no policy is named \"logins\"; did you mean \"login\"?");
      assertThatThrownBy(() -> kit.usage("order", "user:ada"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no policy is named \"order\"; did you mean \"orders\"?");
      assertThatThrownBy(() -> kit.reset("logins", "user:ada"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no policy is named \"logins\"; did you mean \"login\"?");
      assertThatThrownBy(() -> kit.reset("login", ""))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("needs a key");
    }
  }

  @Test
  void givesBackLooksAndStartsAfresh() {
    MetricRegistry registry = new MetricRegistry();
    LimiterKit.Builder builder =
        LimiterKit.inMemory().policy(login).metrics(DropwizardMetrics.on(registry));
    try (LimiterKit kit = builder.build()) {
      long quota = kit.usage("login", "user:ada").get(0).quota();
      Decision all = kit.acquire("login", "user:ada", quota);
      assertThat(kit.acquire("login", "user:ada").allowed()).isFalse();
      assertThat(kit.refund(all, 1).units()).isEqualTo(1);
      assertThat(kit.refund(all)).isEqualTo(Refund.NOTHING);
      assertThat(kit.usage("login", "user:ada").get(0).remaining()).isEqualTo(1);
      assertThat(registry.counter("limiterkit.refunded-units.login").getCount()).isEqualTo(1);
      assertThat(kit.reset("login", "user:ada")).isEqualTo(Reset.DONE);
      assertThat(kit.usage("login", "user:ada").get(0).remaining()).isEqualTo(quota);
      assertThat(kit.status().decisions())
          .as("a look is not counted")
          .containsExactly(
              new DecisionCount("login", Source.LOCAL, Outcome.ALLOWED, 1),
              new DecisionCount("login", Source.LOCAL, Outcome.REFUSED, 1));
    }
  }

  @Test
  void tellsEverythingThatIsWrongAtOnce() {
    HttpPolicy otherLogin = HttpPolicy.named("login").limits("9/1m").build();
    LimiterKit.Builder builder =
        LimiterKit.builder()
            .fleetSize(0)
            .maxKeys(-1)
            .route("post /login", login)
            .route("/api/**", orders)
            .policy(login)
            .policy(otherLogin)
            .exempt("health");

    assertThatThrownBy(builder::build)
        .isInstanceOfSatisfying(
            LimiterConfigurationException.class,
            wrong -> {
              assertThat(wrong.errors()).hasSize(6);
              assertThat(wrong)
                  .hasMessageStartingWith("limiterkit: 6 errors, nothing started\n")
                  .hasMessageContaining("fleetSize: 0 is outside 1 to 100000")
                  .hasMessageContaining("maxKeys: -1 is outside 1 to")
                  .hasMessageContaining("write POST /login")
                  .hasMessageContaining("/api/**")
                  .hasMessageContaining("two policies are named \"login\"")
                  .hasMessageContaining("health");
            });
  }

  @Test
  void tellsAllThatIsWrongWithTheGateAtOnce() {
    LimiterKit.Builder builder =
        LimiterKit.builder()
            .store(RedisStore.at("redis://127.0.0.1:1").deadline(Duration.ofMillis(20)))
            .policy(login)
            .slow(Duration.ofMillis(30))
            .failuresInARow(0)
            .failuresOfTen(12)
            .probeFirst(Duration.ofDays(1))
            .probeLongest(Duration.ZERO)
            .maxInFlight(0);

    assertThatThrownBy(builder::build)
        .isInstanceOfSatisfying(
            LimiterConfigurationException.class,
            wrong ->
                assertThat(wrong.errors())
                    .containsExactly(
                        "maxInFlight: 0 is outside 1 to 1000000",
                        "failures-in-a-row 0 is outside 1 to 100",
                        "failures-of-ten 12 is outside 1 to 11",
                        "probe-first 1d is outside 1ms to 1m",
                        "probe-longest PT0S is outside 1ms to 1h",
                        "degraded: slow 30ms is outside 1ms to the deadline, which is 20ms"));
  }

  @Test
  @DisplayName("HT-147: there, but without effect, is the worst of all")
  void refusesToStartWithoutAPolicy() {
    LimiterKit.Builder builder = LimiterKit.builder();

    assertThatThrownBy(builder::build)
        .isInstanceOf(LimiterConfigurationException.class)
        .hasMessageContaining("there is no policy; add route(\"/*\", policy)");
  }

  @Test
  void decidesOnFromMemoryAfterItIsClosed() {
    LimiterKit kit = LimiterKit.inMemory().policy(login).build();
    kit.acquire("login", "user:ada", 2);

    kit.close();
    kit.close();

    assertThat(kit.acquire("login", "user:ada").allowed()).isFalse();
    assertThat(kit.acquire("login", "user:grace").allowed()).isTrue();
  }

  @Test
  void stopsItsThreadWhenItIsClosed() {
    LimiterKit kit = LimiterKit.inMemory().policy(login).build();
    assertThat(threads()).isNotEmpty();

    kit.close();

    Awaitility.await().atMost(Duration.ofSeconds(1)).until(() -> threads().isEmpty());
  }

  @Test
  void keepsTheInterruptFlagOfWhoeverClosesIt() {
    LimiterKit kit = LimiterKit.inMemory().policy(login).build();

    Thread.currentThread().interrupt();
    kit.close();

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  @DisplayName("HT-153: two kits on one registry, each of whose figures go with it")
  void publishesItsFiguresUntilItIsClosed() {
    MetricRegistry registry = new MetricRegistry();
    LimiterKit.Builder builder =
        LimiterKit.inMemory().policy(login).metrics(DropwizardMetrics.on(registry));

    LimiterKit first = builder.build();
    LimiterKit second = builder.build();
    first.acquire("login", "user:ada");
    second.acquire("login", "user:ada", 2);
    second.acquire("login", "user:ada");

    assertThat(registry.counter("limiterkit.decisions.login.local.allowed").getCount())
        .isEqualTo(1);
    assertThat(registry.counter("limiterkit-2.decisions.login.local.refused").getCount())
        .isEqualTo(1);
    assertThat(registry.getGauges().get("limiterkit.local.keys").getValue()).isEqualTo(1L);
    first.close();
    second.close();
    assertThat(registry.getNames()).isEmpty();
  }

  @Test
  @DisplayName("HT-154, ST-075: as many metrics after fifty thousand keys as before")
  void hasTheSameMetricsAfterManyKeys() {
    MetricRegistry registry = new MetricRegistry();
    try (LimiterKit kit =
        LimiterKit.inMemory().policy(login).metrics(DropwizardMetrics.on(registry)).build()) {
      int before = registry.getNames().size();
      for (int i = 0; i < 50_000; i++) {
        kit.acquire("login", "user:" + i, 2);
      }
      assertThat(registry.getNames()).hasSize(before);
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("limiterkit-"))
        .toList();
  }
}
