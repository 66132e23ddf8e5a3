package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.OperatorSwitch;
import io.github.limiterkit.Source;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.testing.RedisServer;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** An operator switches a kit that has a real store. */
class OperatorOverrideIT {

  private static final Duration A_WHILE = Duration.ofMinutes(15);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private final HttpPolicy orders = HttpPolicy.named("orders").limits("10/1h").build();

  @Test
  void keepsRequestsAwayFromTheStoreAndWatchesItAllTheWhile() {
    try (RedisServer redis = RedisServer.start();
        LimiterKit kit = kit(redis)) {
      kit.override(OperatorSwitch.LOCAL_ONLY, A_WHILE, "INC-1");
      assertThat(kit.acquire("orders", "user:ada", 5).source()).isEqualTo(Source.LOCAL);
      assertThat(kit.acquire("orders", "user:ada").allowed()).as("half of ten").isFalse();
      kit.override(OperatorSwitch.ALLOW_ALL, A_WHILE, "INC-1");
      assertThat(kit.acquire("orders", "user:grace", 1_000).source()).isEqualTo(Source.OVERRIDE);
      assertThat(redis.command("KEYS", "{shop:orders:*")).doesNotContain("orders");

      redis.kill();
      Awaitility.await().atMost(LONGEST_WAIT).until(() -> kit.mode() != Mode.SHARED);
      kit.override(OperatorSwitch.NORMAL, A_WHILE, "over");

      assertThat(kit.acquire("orders", "user:grace").source())
          .as("it knows already, and no request has to find out")
          .isEqualTo(Source.LOCAL);
    }
  }

  @Test
  void goesOnWhereItWasWhenTheSwitchIsOver() {
    try (RedisServer redis = RedisServer.start();
        LimiterKit kit = kit(redis)) {
      usedAllOf("user:ada", kit);
      kit.override(OperatorSwitch.ALLOW_ALL, A_WHILE, "INC-1");
      for (int i = 0; i < 100; i++) {
        assertThat(kit.acquire("orders", "user:ada").allowed()).isTrue();
        assertThat(kit.acquire("orders", "user:grace").allowed()).isTrue();
      }
      kit.override(OperatorSwitch.NORMAL, A_WHILE, "over");

      assertThat(kit.acquire("orders", "user:ada").allowed()).as("spent before").isFalse();
      assertThat(kit.acquire("orders", "user:grace").allowed()).as("charged nothing").isTrue();
    }
  }

  /** Until the store itself says so: on a busy machine a call may come too late and be local. */
  private static void usedAllOf(String key, LimiterKit kit) {
    Awaitility.await()
        .atMost(LONGEST_WAIT)
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> {
              Decision decision = kit.acquire("orders", key);
              return !decision.allowed() && decision.source() == Source.SHARED;
            });
  }

  private LimiterKit kit(RedisServer redis) {
    RedisStore store = RedisStore.at(redis.url()).namespace("shop").deadline(Duration.ofSeconds(1));
    LimiterKit kit = LimiterKit.builder().store(store).fleetSize(2).policy(orders).build();
    Awaitility.await().atMost(LONGEST_WAIT).until(() -> kit.mode() == Mode.SHARED);
    return kit;
  }
}
