package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.health.HealthCheckRegistry;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Source;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.testing.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A kit with a real Redis, and with one that misbehaves. */
class LimiterKitIT {

  private static final Duration WHILE_RECOVERING = Duration.ofSeconds(5);

  private final HttpPolicy orders = HttpPolicy.named("orders").limits("10/1m").build();

  @Test
  void countsTogetherWithOtherInstances() {
    try (RedisServer redis = RedisServer.start();
        LimiterKit one = builder(redis.url()).build();
        LimiterKit other = builder(redis.url()).build()) {
      for (int i = 0; i < 5; i++) {
        assertThat(one.acquire("orders", "user:ada").source()).isEqualTo(Source.SHARED);
        assertThat(other.acquire("orders", "user:ada").allowed()).isTrue();
      }

      assertThat(one.mode()).isEqualTo(Mode.SHARED);
      assertThat(one.acquire("orders", "user:ada").allowed()).isFalse();
      assertThat(other.acquire("orders", "user:ada").allowed()).isFalse();
    }
  }

  @Test
  @DisplayName("HT-152: a restart with one policy changed keeps the counts of all others")
  void keepsTheCountsOfWhatIsUnchanged() {
    try (RedisServer redis = RedisServer.start()) {
      HttpPolicy spent = HttpPolicy.named("a").limits("2/1h").build();
      HttpPolicy before = HttpPolicy.named("b").limits("2/1h").build();
      HttpPolicy after = HttpPolicy.named("b").limits("9/1h").build();
      try (LimiterKit kit = patient(redis).policy(spent, before).build()) {
        for (int i = 0; i < 2; i++) {
          Decision decision = kit.acquire("a", "user:ada");
          assertThat(decision.source()).isEqualTo(Source.SHARED);
          assertThat(decision.allowed()).isTrue();
        }
        assertThat(kit.acquire("b", "user:ada").allowed()).isTrue();
      }
      try (LimiterKit kit = patient(redis).policy(spent, after).build()) {
        assertThat(kit.acquire("a", "user:ada").allowed()).isFalse();
        assertThat(kit.acquire("b", "user:ada").usages().get(0).remaining()).isEqualTo(7);
      }
    }
  }

  @Test
  void saysOnceThatTheStoreIsLostAndOnceThatItIsBack() {
    MetricRegistry registry = new MetricRegistry();
    HealthCheckRegistry health = new HealthCheckRegistry();
    try (LogCapture log = new LogCapture();
        RedisServer redis = RedisServer.start();
        LimiterKit kit =
            builder(redis.url())
                .fleetSize(2)
                .metrics(DropwizardMetrics.on(registry).healthChecks(health))
                .build()) {
      kit.acquire("orders", "user:ada");
      redis.kill();
      Awaitility.await().atMost(WHILE_RECOVERING).until(() -> decide(kit) == Mode.DEGRADED);

      Decision alone = kit.acquire("orders", "user:grace");
      assertThat(alone.allowed()).isTrue();
      assertThat(alone.source()).isEqualTo(Source.LOCAL);
      assertThat(health.runHealthCheck("limiterkit").isHealthy())
          .as("the kit limits on, so there is nothing to take out of service")
          .isTrue();
      // The thread that saw the loss may still be about to say so.
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(log.at(Level.WARN))
                      .filteredOn(line -> line.contains("is lost"))
                      .singleElement()
                      .asString()
                      .contains("store 127.0.0.1:" + redis.port())
                      .endsWith("limiting locally with about 1/2 of each quota on this instance"));

      redis.restart();
      Awaitility.await().atMost(WHILE_RECOVERING).until(() -> kit.mode() == Mode.SHARED);

      assertThat(kit.acquire("orders", "user:grace").source()).isEqualTo(Source.SHARED);
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(log.at(Level.INFO))
                      .filteredOn(line -> line.contains("is back after"))
                      .singleElement()
                      .asString()
                      .contains("limiting together")
                      .contains("decided here meanwhile"));
      assertThat(registry.counter("limiterkit.store.transitions.degraded").getCount()).isPositive();
      assertThat(registry.getTimers().get("limiterkit.store.round-trips").getCount()).isPositive();
      assertThat(registry.getNames()).anyMatch(name -> name.startsWith("limiterkit.nodes.0."));
    }
    assertThat(registry.getNames()).isEmpty();
    assertThat(health.getNames()).isEmpty();
  }

  @Test
  void raisesAnAlarmForAWrongPassword() {
    HealthCheckRegistry health = new HealthCheckRegistry();
    try (LogCapture log = new LogCapture();
        RedisServer redis = RedisServer.start("requirepass right");
        LimiterKit kit =
            builder("redis://:wrong-and-secret@127.0.0.1:" + redis.port())
                .metrics(DropwizardMetrics.on(new MetricRegistry()).healthChecks(health))
                .build()) {
      Awaitility.await()
          .atMost(WHILE_RECOVERING)
          .untilAsserted(
              () -> assertThat(health.runHealthCheck("limiterkit").isHealthy()).isFalse());

      assertThat(kit.acquire("orders", "user:ada").source()).isEqualTo(Source.LOCAL);
      assertThat(kit.status().alarm()).contains("password is wrong");
      assertThat(log.at(Level.ERROR)).singleElement().asString().contains("password is wrong");
      assertThat(List.of(log.at(Level.INFO), log.at(Level.WARN), log.at(Level.ERROR)))
          .noneMatch(lines -> lines.toString().contains("wrong-and-secret"));
    }
  }

  @Test
  void needsNoMoreThanTheOperationsGuideAllows() throws IOException {
    String guide = Files.readString(Path.of("..", "docs", "operations.md"));
    Matcher line = Pattern.compile("(?m)^ACL SETUSER (\\S+) on >(\\S+) (.*)$").matcher(guide);
    assertThat(line.find()).isTrue();
    try (RedisServer redis = RedisServer.start()) {
      redis.command(line.group().split(" ", -1));
      String user = line.group(1) + ":" + line.group(2);
      try (LimiterKit kit = shop("redis://" + user + "@127.0.0.1:" + redis.port() + "/1")) {
        assertThat(kit.mode()).isEqualTo(Mode.SHARED);
        Decision first = kit.acquire("orders", "user:ada");
        assertThat(first.source()).isEqualTo(Source.SHARED);

        redis.command("SCRIPT", "FLUSH");
        assertThat(kit.acquire("orders", "user:ada").source()).isEqualTo(Source.SHARED);
        assertThat(kit.status().alarm()).isNull();
      }
    }
  }

  private LimiterKit shop(String url) {
    return LimiterKit.builder()
        .store(RedisStore.at(url).namespace("shop"))
        .fleetSize(1)
        .policy(orders)
        .build();
  }

  /** A decision, for the gate learns from calls, and the mode after it. */
  private static Mode decide(LimiterKit kit) {
    kit.acquire("orders", "user:somebody");
    return kit.mode();
  }

  /** Waits for the store however busy the machine is. */
  private static LimiterKit.Builder patient(RedisServer redis) {
    Duration ample = Duration.ofSeconds(5);
    return LimiterKit.builder()
        .store(RedisStore.at(redis.url()).deadline(ample))
        .slow(ample)
        .fleetSize(1);
  }

  private LimiterKit.Builder builder(String url) {
    return LimiterKit.builder()
        .store(RedisStore.at(url).deadline(Duration.ofMillis(50)))
        .fleetSize(1)
        .policy(orders);
  }
}
