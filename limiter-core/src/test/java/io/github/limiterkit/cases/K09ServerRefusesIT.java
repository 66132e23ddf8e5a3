package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import com.codahale.metrics.MetricRegistry;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Source;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.setup.LogCapture;
import io.github.limiterkit.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Server refuses: OOM, MISCONF, LOADING, BUSY, max clients. Each test has a server of its own. */
class K09ServerRefusesIT {

  private static final Duration PROBE = Duration.ofMillis(100);
  private static final Duration TWO_PROBES = PROBE.multipliedBy(2).plusMillis(400);

  private final HttpPolicy small = HttpPolicy.named("small").limits("10/1m").build();
  private final MetricRegistry registry = new MetricRegistry();
  private final LogCapture log = new LogCapture();
  private RedisServer redis;

  @BeforeEach
  void start() {
    redis = RedisServer.start("lua-time-limit 100", "maxmemory-policy noeviction");
  }

  @AfterEach
  void stop() {
    redis.close();
    log.close();
  }

  @Test
  @DisplayName(
      "ST-021 without memory for writes: local, nothing half done, back when there is some")
  void bearsAServerWithoutMemory() {
    try (LimiterKit kit = kit()) {
      for (int i = 0; i < 3; i++) {
        Kits.ask(kit, "small", "user:known");
      }
      String before = redis.command("GET", key("user%3Aknown"));
      redis.command("CONFIG", "SET", "maxmemory", "1");
      for (String user : List.of("user:known", "user:new")) {
        Decision decision = Kits.ask(kit, "small", user);
        assertThat(decision.source()).isEqualTo(Source.LOCAL);
        assertThat(decision.allowed()).isTrue();
      }
      assertThat(redis.command("GET", key("user%3Aknown"))).isEqualTo(before);
      assertThat(redis.command("EXISTS", key("user%3Anew"))).isEqualTo("0");
      staysShut(kit, "out of memory");
      redis.command("CONFIG", "SET", "maxmemory", "0");
      comesBack(kit);
      assertThat(Answers.left(Kits.ask(kit, "small", "user:known")))
          .as("three in the store, one here while it was lost, and this one")
          .isEqualTo(5);
    }
  }

  @Test
  @DisplayName("ST-022 when saves fail every write is refused: local, one line, and back by itself")
  void bearsAServerThatCannotSave() {
    try (LimiterKit kit = kit()) {
      String home = redis.command("CONFIG", "GET", "dir").lines().skip(1).findFirst().orElseThrow();
      redis.command("CONFIG", "SET", "save", "3600 1");
      redis.command("CONFIG", "SET", "dir", "/proc");
      saveInBackground();
      await()
          .until(() -> redis.command("INFO", "persistence").contains("rdb_last_bgsave_status:err"));
      assertThat(Kits.ask(kit, "small").source()).isEqualTo(Source.LOCAL);
      staysShut(kit, "misconfigured");
      assertThat(log.at(Level.WARN)).filteredOn(line -> line.contains("is lost")).hasSize(1);
      assertThat(log.at(Level.WARN)).anyMatch(line -> line.contains("MISCONF"));
      redis.command("CONFIG", "SET", "dir", home);
      saveInBackground();
      comesBack(kit);
    }
  }

  private void saveInBackground() {
    assertThat(redis.command("BGSAVE")).contains("started");
    await().until(() -> redis.command("INFO", "persistence").contains("bgsave_in_progress:0"));
  }

  @Test
  @DisplayName("ST-023 while it reads its data: local, no stack trace, and back when it has")
  void bearsAServerThatLoads() throws Exception {
    try (LimiterKit kit = kit()) {
      // It says so between two chunks of 2 MB only: here of some 30 ms, well within the deadline.
      redis.command("CONFIG", "SET", "rdbcompression", "no");
      redis.command("DEBUG", "POPULATE", "1500", "filler", "40000");
      redis.command("CONFIG", "SET", "key-load-delay", "500");
      Thread reload = new Thread(() -> ignoringTimeouts("DEBUG", "RELOAD"));
      reload.start();
      await().until(() -> Kits.ask(kit, "plenty").source() == Source.LOCAL);
      await().until(() -> faults("loading") > 0);
      assertThat(kit.mode()).isNotEqualTo(Mode.SHARED);
      reload.join();
      await()
          .ignoreExceptions()
          .until(() -> redis.command("INFO", "persistence").contains("loading:0"));
      comesBack(kit);
      assertThat(log.at(Level.ERROR)).isEmpty();
      assertThat(log.at(Level.WARN).size()).isLessThanOrEqualTo(2);
    }
  }

  @Test
  @DisplayName("ST-024 somebody's endless script: local in time for all, and back when it ends")
  void bearsSomebodysEndlessScript() throws Exception {
    try (LimiterKit kit = kit()) {
      Kits.ask(kit, "small");
      Thread endless = new Thread(() -> ignoringTimeouts("EVAL", "while true do end", "0"));
      endless.start();
      await().until(() -> Kits.ask(kit, "small", "user:new").source() == Source.LOCAL);
      Together.run(
          8,
          thread -> {
            Calls calls = new Calls();
            for (int i = 0; i < 50; i++) {
              calls.ask(kit, "plenty", "user:" + thread);
              Thread.sleep(5);
            }
            calls.assertInTime(Kits.DEADLINE);
            assertThat(calls.from(Source.LOCAL)).isEqualTo(50);
            return 0;
          });
      redis.command("SCRIPT", "KILL");
      endless.join();
      comesBack(kit);
      assertThat(log.at(Level.ERROR)).isEmpty();
    }
  }

  @Test
  @DisplayName("ST-024 the worst decision of the kit takes the server less than 25 ms")
  void costsTheServerLittle() throws InterruptedException {
    HttpPolicy large = HttpPolicy.named("large").limits("100000/600ms").build();
    try (LimiterKit kit =
        Kits.shared(Kits.over(redis.url(), Kits.AMPLE, large, Kits.plenty()).build())) {
      redis.command("CONFIG", "SET", "slowlog-log-slower-than", "1000");
      long end = System.nanoTime() + Duration.ofMillis(600).toNanos();
      // Full, with as many entries as there can be, and just expired.
      while (System.nanoTime() - end < 0) {
        kit.acquire("large", "user:ada", 500);
        Thread.sleep(2);
      }
      Thread.sleep(620);
      redis.command("SLOWLOG", "RESET");
      assertThat(Kits.ask(kit, "large").source()).isEqualTo(Source.SHARED);
      assertThat(Integer.parseInt(redis.command("STRLEN", bigKey()))).isLessThan(2_200);
      for (String entry : redis.command("SLOWLOG", "GET", "10").lines().toList()) {
        assertThat(entry).as("a slow command").doesNotContainIgnoringCase("evalsha");
      }
    }
  }

  private String bigKey() {
    return "{limiterkit:large:user%3Aada}:1:600";
  }

  private static String key(String subject) {
    return "{limiterkit:small:" + subject + "}:1:60000";
  }

  private LimiterKit kit() {
    return Kits.shared(
        Kits.over(redis.url(), Kits.DEADLINE, small, Kits.plenty())
            .probeFirst(PROBE)
            .probeLongest(PROBE)
            .metrics(DropwizardMetrics.on(registry))
            .build());
  }

  /** The gate does not open while the store still refuses, though it answers a PING. */
  private void staysShut(LimiterKit kit, String reason) {
    await()
        .during(TWO_PROBES)
        .atMost(TWO_PROBES.plusSeconds(2))
        .until(() -> kit.mode() == Mode.DEGRADED);
    assertThat(log.at(Level.WARN)).anyMatch(line -> line.contains(reason));
  }

  private static void comesBack(LimiterKit kit) {
    await().atMost(TWO_PROBES.plusSeconds(1)).until(() -> kit.mode() == Mode.SHARED);
    assertThat(Kits.ask(kit, "plenty").source()).isEqualTo(Source.SHARED);
  }

  private long faults(String kind) {
    return registry.counter("limiterkit.store.faults." + kind).getCount();
  }

  private void ignoringTimeouts(String... words) {
    try {
      redis.command(words);
    } catch (RuntimeException lateOrKilled) {
      // What counts is what the server does meanwhile.
    }
  }
}
