package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.limiterkit.Scope;
import io.github.limiterkit.WhenStoreFails;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Keys;
import io.github.limiterkit.redis.RedisStore;
import org.junit.jupiter.api.Test;

class StartBlockTest {

  private final HttpPolicy perClient =
      HttpPolicy.named("per-client").limits("100/1m, 10/1s").build();
  private final HttpPolicy login =
      HttpPolicy.named("login").limits("5/15m").countFailures().build();
  private final HttpPolicy orders =
      HttpPolicy.named("orders")
          .limits("60/1m")
          .key(Keys.principal().orElse(Keys.clientAddress()))
          .whenStoreFails(WhenStoreFails.CLOSED)
          .build();

  @Test
  void saysWhoIsLimitedWhereAndWhatHappensWithoutTheStore() {
    try (LogCapture log = new LogCapture()) {
      LimiterKit.builder()
          .store(RedisStore.at("redis://user:secret@127.0.0.1:1").namespace("shop"))
          .fleetSize(4)
          .route("/*", perClient)
          .route("POST /login", login)
          .policy(orders)
          .exempt("/health", "*.css")
          .build()
          .close();

      assertThat(log.at(Level.INFO).get(0))
          .isEqualTo(
              """
              limiterkit: store redis://127.0.0.1:1 (namespace shop, deadline 50 ms), fleet of 4, mode DEGRADED
                per-client  100/1m, 10/1s  by client-address                  on /*              store lost: local, 25/1m, 2/1s here
                login       5/15m          by client-address, counts 401 403  on POST /login     store lost: local, 1/15m here
                orders      60/1m          by principal, else client-address  where it is named  store lost: closed, everything is refused
                exempt      /health  *.css""");
      assertThat(log.at(Level.WARN))
          .contains(
              "LK002 policy login: while the store is lost, 5/15m becomes 1/15m on each instance")
          .noneMatch(line -> line.contains("LK001"));
    }
  }

  @Test
  void saysOfACeilingThatItCountsOnThisInstanceOnly() {
    HttpPolicy ceiling =
        HttpPolicy.named("ceiling")
            .limits("3/1s")
            .key(Keys.constant("all"))
            .scope(Scope.INSTANCE)
            .build();
    try (LogCapture log = new LogCapture()) {
      LimiterKit.builder()
          .store(RedisStore.at("redis://127.0.0.1:1"))
          .route("/*", ceiling)
          .build()
          .close();

      assertThat(log.at(Level.INFO).get(0))
          .contains("on /*  on each instance alone, with the store or without");
      assertThat(log.at(Level.WARN)).noneMatch(line -> line.contains("LK00"));
    }
  }

  @Test
  void warnsWhenNobodySaidHowManyInstancesThereAre() {
    try (LogCapture log = new LogCapture()) {
      LimiterKit.builder()
          .store(RedisStore.at("redis://127.0.0.1:1"))
          .policy(perClient)
          .build()
          .close();

      assertThat(log.at(Level.WARN))
          .anyMatch(line -> line.startsWith("LK001 fleetSize is not set"));
    }
  }

  @Test
  void doesNotWarnOfAQuotaThatStaysAsItIs() {
    HttpPolicy one = HttpPolicy.named("one").limits("1/1s").build();
    try (LogCapture log = new LogCapture()) {
      LimiterKit.builder()
          .store(RedisStore.at("redis://127.0.0.1:1"))
          .fleetSize(1)
          .policy(one)
          .build()
          .close();

      assertThat(log.at(Level.WARN)).noneMatch(line -> line.contains("LK002"));
    }
  }

  @Test
  void warnsOfNothingWithoutAStore() {
    try (LogCapture log = new LogCapture()) {
      LimiterKit.inMemory().route("/*", perClient).build().close();

      assertThat(log.at(Level.INFO))
          .containsExactly(
              """
              limiterkit: no store, full quotas on this instance, mode LOCAL
                per-client  100/1m, 10/1s  by client-address  on /*""");
      assertThat(log.at(Level.WARN)).isEmpty();
    }
  }
}
