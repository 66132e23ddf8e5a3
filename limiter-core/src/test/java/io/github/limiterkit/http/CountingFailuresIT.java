package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Source;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Failures that are counted in a real Redis. */
class CountingFailuresIT {

  private static final String CLIENT = "ip:203.0.113.9";

  private final HttpPolicy all = HttpPolicy.named("all").limits("9/1h").build();
  private final HttpPolicy login =
      HttpPolicy.named("login").limits("2/1h, 5/1d").countFailures().build();

  private LimiterKit kit(RedisServer redis) {
    LimiterKit kit =
        LimiterKit.builder()
            .store(RedisStore.at(redis.url()).deadline(Duration.ofSeconds(2)))
            .fleetSize(1)
            .route("/*", all, login)
            .build();
    await().atMost(Duration.ofSeconds(10)).until(() -> kit.mode() == Mode.SHARED);
    return kit;
  }

  private static Verdict check(LimiterKit kit) {
    return kit.http().check(FakeRequest.get("/login"), ResponseView.EMPTY);
  }

  private static long left(LimiterKit kit, String policy) {
    return kit.usage(policy, CLIENT).get(0).remaining();
  }

  @Test
  @DisplayName("HT-088: what was no failure is given back in the store, for all instances")
  void givesBackInTheStore() {
    try (RedisServer redis = RedisServer.start();
        LimiterKit kit = kit(redis);
        LimiterKit other = kit(redis)) {
      check(kit).reservation().settle(200);
      assertThat(other.usage("login", CLIENT))
          .extracting(LimitUsage::remaining)
          .containsExactly(2L, 5L);
      assertThat(left(other, "all")).isEqualTo(8);
      check(kit).reservation().settle(401);
      assertThat(left(other, "login")).isEqualTo(1);
      check(other).reservation().settle(403);
      assertThat(check(kit).refused()).isTrue();
    }
  }

  @Test
  @DisplayName("OP-13: if the store is lost meanwhile, the request does not notice")
  void outlivesTheLossOfTheStore() {
    try (RedisServer redis = RedisServer.start();
        LimiterKit kit = kit(redis)) {
      Reservation reservation = check(kit).reservation();
      assertThat(kit.usage("login", CLIENT).get(0).source()).isEqualTo(Source.SHARED);
      redis.kill();
      reservation.settle(200);
      LimitUsage usage = kit.usage("login", CLIENT).get(0);
      assertThat(usage.source()).isEqualTo(Source.LOCAL);
      assertThat(usage.remaining()).as("free again as far as this instance counts").isEqualTo(2);
    }
  }
}
