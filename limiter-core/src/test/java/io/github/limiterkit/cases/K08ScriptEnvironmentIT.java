package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import com.google.common.io.Resources;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.setup.LogCapture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Script environment: ACL, forbidden commands, script growth, server version. */
class K08ScriptEnvironmentIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  private final HttpPolicy five = HttpPolicy.named("five").limits("5/1m").build();

  private final HttpPolicy many = HttpPolicy.named("many").limits("1000000/1m, 1000000/2m").build();

  @AfterEach
  void forgetTheUser() {
    redis.command("ACL", "DELUSER", "limiterkit");
  }

  @Test
  @DisplayName("ST-018 without TIME the kit says so once, limits locally, and never without limit")
  void saysOnceThatTimeIsRefused() throws IOException {
    allow("-time");
    try (LogCapture log = new LogCapture();
        LimiterKit kit = kit()) {
      await().atMost(Duration.ofSeconds(5)).until(() -> !log.at(Level.ERROR).isEmpty());
      int admitted = 0;
      for (int i = 0; i < 20; i++) {
        Decision decision = Kits.ask(kit, "five");
        assertThat(decision.source()).isEqualTo(Source.LOCAL);
        admitted += decision.allowed() ? 1 : 0;
      }
      assertThat(admitted).isEqualTo(5);
      // Two more probes say nothing new.
      await()
          .during(Duration.ofMillis(400))
          .atMost(Duration.ofSeconds(5))
          .until(() -> kit.mode() == Mode.DEGRADED);
      assertThat(log.at(Level.ERROR))
          .singleElement()
          .asString()
          .contains("may not do")
          .contains("TIME");
      assertThat(kit.status().alarm()).contains("TIME");
      allow("+time");
      Kits.shared(kit);
      assertThat(kit.status().alarm()).isNull();
    }
  }

  @Test
  @DisplayName("ST-018 the script reads the clock once")
  void readsTheClockOnce() throws IOException {
    String script =
        Resources.toString(
            Resources.getResource(RedisStore.class, "decide.lua"), StandardCharsets.UTF_8);
    Matcher time = Pattern.compile("'TIME'\\s*\\)").matcher(script.toUpperCase(Locale.ROOT));
    assertThat(time.results().count()).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "ST-019 ten thousand different limits leave no script of their own in the server's cache")
  void keepsOneScriptForAllLimits() throws Exception {
    redis.command("SCRIPT", "FLUSH");
    try (LimiterKit kit = Kits.shared(Kits.over(redis.url(), Kits.AMPLE, Kits.plenty()).build());
        LimiterKit other = Kits.shared(Kits.over(redis.url(), Kits.AMPLE, Kits.plenty()).build())) {
      Together.run(
          8,
          thread -> {
            RateLimiter limiter = Kits.limiter(thread % 2 == 0 ? kit : other);
            for (int i = thread; i < 10_000; i += 8) {
              String limits = (i + 1) + "/" + (1_000 + i) + "ms";
              Policy policy = Policy.named("p" + i).limits(limits).build();
              assertThat(limiter.acquire(Charge.of(policy, "user:ada")).source())
                  .isEqualTo(Source.SHARED);
            }
            return 0;
          });
      assertThat(redis.command("INFO", "memory")).contains("number_of_cached_scripts:2\r");
    }
  }

  @Test
  @DisplayName("ST-020 the whole kit works for a user who has exactly what the guide lists")
  void worksWithWhatTheGuideLists() throws IOException {
    allow();
    try (LogCapture log = new LogCapture();
        LimiterKit kit = Kits.shared(kit())) {
      for (int i = 0; i < 10; i++) {
        assertThat(Kits.isShared(Kits.ask(kit, "five"))).isTrue();
      }
      redis.command("SCRIPT", "FLUSH");
      assertThat(Kits.ask(kit, "five", "user:grace").source()).isEqualTo(Source.SHARED);
      assertThat(log.at(Level.ERROR)).isEmpty();
    }
  }

  @ParameterizedTest
  @Tag("deep")
  @ValueSource(strings = {"evalsha", "mget", "get", "set"})
  @DisplayName("ST-020 each missing permission is named in one line, and decisions are local")
  void namesAMissingPermission(String missing) throws IOException {
    allow("-" + missing);
    try (LogCapture log = new LogCapture();
        LimiterKit kit = kit()) {
      await().atMost(Duration.ofSeconds(5)).until(() -> !log.at(Level.ERROR).isEmpty());
      assertLimitedLocally(kit, log, missing);
      allow("+" + missing);
      Kits.shared(kit);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pexpire", "zrange"})
  @DisplayName("ST-020 one that only the count of instances needs is named, and all else goes on")
  void namesAMissingPermissionOfTheHeartbeat(String missing) throws IOException {
    allow("-" + missing);
    try (LogCapture log = new LogCapture();
        LimiterKit kit = Kits.shared(kit())) {
      await().atMost(Duration.ofSeconds(5)).until(() -> !log.at(Level.ERROR).isEmpty());
      assertThat(Kits.ask(kit, "five").source()).isEqualTo(Source.SHARED);
      assertThat(log.at(Level.ERROR))
          .singleElement()
          .asString()
          .contains("may not do")
          .containsIgnoringCase(missing);
    }
  }

  @Test
  @DisplayName("ST-020 a key pattern that is too narrow is told in the same way")
  void tellsThatTheKeysAreNotAllowed() throws IOException {
    allow("resetkeys", "~elsewhere:*");
    try (LogCapture log = new LogCapture();
        LimiterKit kit = kit()) {
      await().atMost(Duration.ofSeconds(5)).until(() -> !log.at(Level.ERROR).isEmpty());
      assertLimitedLocally(kit, log, "keys");
    }
  }

  @Test
  @DisplayName("ST-020 EVAL is needed only when the script is lost, and is then named too")
  void namesEvalWhenItIsNeeded() throws IOException {
    allow("-eval");
    try (LogCapture log = new LogCapture();
        LimiterKit kit = Kits.shared(kit())) {
      assertThat(Kits.ask(kit, "five").source()).isEqualTo(Source.SHARED);
      redis.command("SCRIPT", "FLUSH");
      assertThat(Kits.ask(kit, "five").source()).isEqualTo(Source.LOCAL);
      await().atMost(Duration.ofSeconds(5)).until(() -> !log.at(Level.ERROR).isEmpty());
      assertThat(log.at(Level.ERROR)).singleElement().asString().contains("'eval'");
    }
  }

  @Test
  @DisplayName("ST-020 what is taken away while the kit runs is named, and the gate stays shut")
  void tellsWhatIsTakenAway() throws IOException {
    allow();
    try (LogCapture log = new LogCapture();
        LimiterKit kit = Kits.shared(kit())) {
      for (String taken : List.of("evalsha", "time", "mget", "get", "set", "setrange")) {
        allow("-" + taken);
        AtomicInteger next = new AtomicInteger();
        await()
            .pollInterval(Duration.ofMillis(5))
            .until(
                () -> {
                  // New keys and old ones: not all of them need every command.
                  Kits.ask(kit, "many", "user:ada");
                  Kits.ask(kit, "many", taken + next.incrementAndGet());
                  return kit.mode() != Mode.SHARED;
                });
        await()
            .during(Duration.ofMillis(200))
            .atMost(Duration.ofSeconds(2))
            .until(() -> kit.mode() != Mode.SHARED);
        assertThat(kit.status().alarm()).containsIgnoringCase(taken);
        allow("+" + taken);
        Kits.shared(kit);
      }
      assertThat(log.at(Level.ERROR))
          .filteredOn(line -> line.startsWith("store "))
          .as("one line for each")
          .hasSize(6);
    }
  }

  private static void assertLimitedLocally(LimiterKit kit, LogCapture log, String named) {
    int admitted = 0;
    for (int i = 0; i < 20; i++) {
      Decision decision = Kits.ask(kit, "five");
      assertThat(decision.source()).isEqualTo(Source.LOCAL);
      admitted += decision.allowed() ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(5);
    assertThat(log.at(Level.ERROR))
        .singleElement()
        .asString()
        .contains("may not do")
        .containsIgnoringCase(named);
  }

  private LimiterKit kit() {
    String url = redis.url().replace("redis://", "redis://limiterkit:change-me@");
    return Kits.over(RedisStore.at(url).namespace("shop"), Kits.DEADLINE, five, many)
        .probeFirst(Duration.ofMillis(50))
        .probeLongest(Duration.ofMillis(50))
        .build();
  }

  /** The user of the operations guide, with some rules more. */
  private static void allow(String... more) throws IOException {
    List<String> command =
        new ArrayList<>(
            Files.readAllLines(Path.of("..", "docs", "operations.md")).stream()
                .filter(line -> line.startsWith("ACL SETUSER"))
                .map(line -> List.of(line.split(" ", -1)))
                .findFirst()
                .orElseThrow());
    command.addAll(List.of(more));
    redis.command(command.toArray(String[]::new));
  }
}
