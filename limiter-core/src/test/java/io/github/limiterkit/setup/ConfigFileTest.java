package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.WhenStoreFails;
import io.github.limiterkit.http.HeaderMode;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Keys;
import io.github.limiterkit.http.Route;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFileTest {

  private static final String WHOLE =
      """
      store:
        url: ${LIMITER_TEST_REDIS:-redis://127.0.0.1:1}
        namespace: shop
        deadline: 20ms
      degraded: { fleet-size: 4, max-in-flight: 64 }
      local: { max-keys: 5000 }
      headers: { source: true, retry-after-max: 1h }
      policies:
        per-client: { limits: "100/1m, 10/1s", key: client-address }
        login:
          limits: 8/15m
          key: header:X-User, else client-address
          when-store-fails: closed
          safety: 0.5
          cost: 2
          status: 503
          headers: on-rejection
          retry-after-hint: 3s
      routes:
        - { path: /*, policies: [per-client] }
        - path: /login
          methods: [POST, PUT]
          policies:
            - login
      exempt: [/health, "*.css"]
      """;

  @TempDir Path folder;

  @Test
  void saysAllThatTheBuilderSays() throws IOException {
    try (LogCapture log = new LogCapture();
        LimiterKit kit = LimiterKit.from(write(WHOLE))) {
      assertThat(kit.mode()).isEqualTo(Mode.DEGRADED);
      HttpPolicy login = policy(kit, "login");
      assertThat(login.policy().limits()).hasToString("[8/15m]");
      assertThat(Keys.describe(login.key())).isEqualTo("header:X-User, else client-address");
      assertThat(login.policy().whenStoreFails()).isEqualTo(WhenStoreFails.CLOSED);
      assertThat(login.policy().safety()).isEqualTo(0.5);
      assertThat(login.policy().retryAfterHint()).isEqualTo(Duration.ofSeconds(3));
      assertThat(login.cost()).isEqualTo(2);
      assertThat(login.status()).isEqualTo(503);
      assertThat(login.headers()).isEqualTo(HeaderMode.ON_REJECTION);
      assertThat(kit.http().routes())
          .extracting(Route::toString)
          .containsExactly("/*", "POST PUT /login");
      assertThat(log.at(ch.qos.logback.classic.Level.INFO).get(0))
          .isEqualTo(
              """
              limiterkit: store redis://127.0.0.1:1 (namespace shop, deadline 20 ms), fleet of 4, mode DEGRADED
                per-client  100/1m, 10/1s  by client-address                      on /*               store lost: local, 25/1m, 2/1s here
                login       8/15m          by header:X-User, else client-address  on POST PUT /login  store lost: closed, everything is refused
                exempt      /health  *.css\
              """);
    }
  }

  @Test
  void limitsAsItSays() throws IOException {
    AtomicLong nanos = new AtomicLong();
    Path file = write("policies: { jobs: { limits: 2/1h } }");
    try (LimiterKit kit =
        LimiterKit.builder().config(file).ticker(nanos::get).retryAfterMax(hour()).build()) {
      kit.acquire("jobs", "user:ada", 2);
      Decision third = kit.acquire("jobs", "user:ada");
      assertThat(third.allowed()).isFalse();
      assertThat(third.retryAfter()).isEqualTo(hour());
    }
  }

  @Test
  void takesAnEmptyUrlForNoStore() throws IOException {
    String file =
        """
        store: { url: "${LIMITER_TEST_NONE:-}", namespace: shop }
        degraded: { fleet-size: 4 }
        policies: { jobs: { limits: 2/1h } }
        """;
    try (LimiterKit kit = LimiterKit.from(write(file))) {
      assertThat(kit.mode()).isEqualTo(Mode.LOCAL);
    }
  }

  @Test
  void saysWhoHasWhichLimits() throws IOException {
    String file =
        """
        policies:
          orders: { limits: 60/1m, tiers: { gold: "600/1m, 90/1s", trial: 6/1m }, tier-from: "attribute:plan" }
          tried: { limits: 1/1m, shadow: true }
        """;
    try (LogCapture log = new LogCapture();
        LimiterKit kit = LimiterKit.from(write(file))) {
      assertThat(policy(kit, "orders").tiers())
          .hasToString("{gold=orders 600/1m, 90/1s, trial=orders 6/1m}");
      assertThat(log.at(ch.qos.logback.classic.Level.INFO).get(0))
          .contains("orders  60/1m, gold 600/1m, 90/1s, trial 6/1m  by client-address")
          .contains("by client-address, tried out");
      assertThat(log.at(ch.qos.logback.classic.Level.WARN))
          .containsExactly("LK006 tried out only (shadow: true), counted but never refused: tried");
      for (int i = 0; i < 3; i++) {
        assertThat(kit.acquire("tried", "user:ada").allowed()).isTrue();
      }
      assertThat(kit.status().decisions()).extracting(count -> count.count()).contains(1L, 2L);
    }
  }

  @Test
  void canBeSwitchedOff() throws IOException {
    String file =
        """
        enabled: ${LIMITER_TEST_ENABLED:-false}
        store: { url: "redis://127.0.0.1:1" }
        policies: { p: { limits: 1/1h } }
        routes: [{ path: /*, policies: [p] }]
        """;
    try (LogCapture log = new LogCapture();
        LimiterKit kit = LimiterKit.from(write(file))) {
      assertThat(log.at(ch.qos.logback.classic.Level.WARN))
          .singleElement()
          .asString()
          .startsWith("LK005 ");
      for (int i = 0; i < 3; i++) {
        assertThat(kit.acquire("p", "user:ada").allowed()).isTrue();
      }
      assertThat(kit.status().decisions()).isEmpty();
      assertThat(kit.mode()).isEqualTo(Mode.LOCAL);
    }
  }

  @Test
  void saysWhoseAddressesCount() throws IOException {
    String file =
        """
        trusted-proxies: { header: Forwarded, networks: [loopback, 10.0.0.0/8] }
        client-address: { ipv4-prefix: 24, ipv6-prefix: 48 }
        allow: [192.0.2.0/24]
        deny: [198.51.100.0/24]
        policies: { p: { limits: 2/1h } }
        """;
    assertThat(LimiterKit.check(write(file))).isEmpty();
    assertThat(LimiterKit.check(write(file.replace("header: Forwarded, ", ""))))
        .singleElement()
        .asString()
        .endsWith(
            ":1:18  trusted-proxies: has no header; name the one that the proxies write, as in"
                + " X-Forwarded-For");
    assertThat(LimiterKit.check(write(file.replace("networks:", "hops: 2, networks:"))))
        .singleElement()
        .asString()
        .contains("has both networks and hops");
    assertThat(LimiterKit.check(write(file.replace(", networks: [loopback, 10.0.0.0/8]", ""))))
        .singleElement()
        .asString()
        .contains("has neither networks nor hops");
  }

  @Test
  void readsAFileWithAByteOrderMark() throws IOException {
    try (LimiterKit kit = LimiterKit.from(write("\uFEFFpolicies: { jobs: { limits: 2/1h } }"))) {
      assertThat(kit.acquire("jobs", "user:ada").allowed()).isTrue();
    }
  }

  @Test
  void readsWindowsLineEndsAndComments() throws IOException {
    String file = "# ours\r\npolicies: # all\r\n  jobs:\r\n    limits: 2/1h # two\r\n";
    try (LimiterKit kit = LimiterKit.from(write(file))) {
      assertThat(policy(kit, "jobs").policy().limits()).hasToString("[2/1h]");
    }
  }

  @Test
  void checksWithoutStarting() throws IOException {
    try (LogCapture log = new LogCapture()) {
      assertThat(LimiterKit.check(write(WHOLE))).isEmpty();
      assertThat(LimiterKit.check(write("policies: { jobs: { limit: 2/1h } }")))
          .containsExactly(
              folder.resolve("limiter.yaml")
                  + ":1:19  policies.jobs.limits: is missing; write COUNT/TIME, as in 100/1m",
              folder.resolve("limiter.yaml")
                  + ":1:21  policies.jobs: there is no setting \"limit\"; did you mean"
                  + " \"limits\"?");
      assertThat(log.at(ch.qos.logback.classic.Level.INFO)).isEmpty();
    }
  }

  @Test
  void findsWhatOnlyFitsTogetherBadly() throws IOException {
    String file =
        """
        policies:
          a: { limits: "9/1h, 1/1s" }
          a-1s: { limits: 1/1m }
        """;
    assertThat(LimiterKit.check(write(file)))
        .singleElement()
        .asString()
        .contains("limiter.yaml:2:3  policies", "would both show a limit as \"a-1s\"");
  }

  @Test
  void saysThatThereIsNoFile() {
    Path absent = folder.resolve("absent.yaml");
    assertThatThrownBy(() -> LimiterKit.from(absent))
        .hasMessage(absent + ": 1 error, nothing started\n  there is no such file");
    assertThatThrownBy(() -> LimiterKit.from(folder)).hasMessageContaining("cannot be read");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing", "---", "~", "policies: {}", "policies:"})
  void refusesAFileThatLimitsNothing(String file) throws IOException {
    assertThatThrownBy(() -> LimiterKit.from(write(file)))
        .isInstanceOf(LimiterConfigurationException.class);
  }

  @Test
  void hasOneFile() throws IOException {
    Path file = write(WHOLE);
    LimiterKit.Builder builder = LimiterKit.builder().config(file);
    assertThatThrownBy(() -> builder.config(file)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void refusesWhatIsNotUtf8() {
    Errors errors = new Errors("limiter.yaml");
    byte[] latin = "a: 1\nb: \u00e4".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(YamlReader.read(latin, errors)).isNull();
    assertThat(errors.lines())
        .containsExactly("limiter.yaml:2:4  the file is not UTF-8 from here on; save it so");
  }

  /**
   * The reader of YAML takes a text in pieces, and stumbles over a character that two of them
   * share.
   */
  @Test
  void readsACharacterOfTwoHalvesWhereverItStands() {
    String good = "policies: { p: { limits: 1/1h } }\nroutes: [{ path: /*, policies: [p] }]\n";
    for (int length = 900; length < 1100; length++) {
      String comment = "#" + "x".repeat(length - good.length()) + "\uD83D\uDE00";
      assertThat(errors(good + comment)).as("at %d", length).isEmpty();
    }
  }

  /** Files that are small and would be large, or are large. */
  @Test
  void isNotBlownUp() {
    StringBuilder laughs = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 30; i++) {
      laughs.append("a%d: &a%d [".formatted(i, i));
      laughs.append("*a%d, ".formatted(i - 1).repeat(9)).append("x]\n");
    }
    assertThat(errors(laughs.toString()))
        .hasSize(101)
        .contains("limiter.yaml:1:5  \"&a0\" gives this a name, which is not allowed; remove it");
    assertThat(errors("[".repeat(1_000_000)))
        .containsExactly("limiter.yaml:1:17  this lies more than 16 levels deep");
    assertThat(errors("a: ".repeat(100_000))).hasSize(1);
    assertThat(errors("a: " + "[".repeat(20) + "]".repeat(20)))
        .anyMatch(line -> line.contains("more than 16 levels deep"));
    assertThat(errors("# " + "x".repeat(YamlReader.MOST_BYTES)))
        .containsExactly("is longer than 1048576 bytes, so it is no configuration file");
    assertThat(errors("policies: { a: { limits: " + "9".repeat(2000) + " } }"))
        .first()
        .asString()
        .contains("1:26  a text of 2000 characters begins here");
  }

  @Test
  void isNamedByAnInitParam() throws IOException {
    Path file = write("policies: { jobs: { limits: 2/1h } }");
    try (LimiterKit kit =
        LimiterKit.fromParameters("filter \"f\"", Map.of("config", file + "\n"))) {
      assertThat(kit.http().policies()).hasSize(1);
    }
    try (LimiterKit kit =
        LimiterKit.fromParameters(
            "filter \"f\"",
            Map.of("config", "classpath:io/github/limiterkit/setup/on-the-class-path.yaml"))) {
      assertThat(kit.http().policy("from-the-class-path")).isNotNull();
    }
    assertThatThrownBy(
            () -> LimiterKit.fromParameters("filter \"f\"", Map.of("config", "classpath:absent")))
        .hasMessage(
            "filter \"f\", config classpath:absent: 1 error, nothing started\n"
                + "  there is no such file");
    Map<String, String> both = Map.of("config", "limiter.yaml", "name", "p", "limits", "1/1s");
    assertThatThrownBy(() -> LimiterKit.fromParameters("filter \"f\"", both))
        .hasMessage(
            """
            filter "f": 2 errors, nothing started
              limits: has no effect beside config; write it into the file
              name: has no effect beside config; write it into the file\
            """);
  }

  private static List<String> errors(String file) {
    Errors errors = new Errors("limiter.yaml");
    ConfigFile.read(
        file.getBytes(StandardCharsets.UTF_8),
        new Variables(name -> null),
        new Blueprint(),
        errors);
    return errors.lines();
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("limiter.yaml"), text);
  }

  private static HttpPolicy policy(LimiterKit kit, String name) {
    return Objects.requireNonNull(kit.http().policy(name));
  }

  private static Duration hour() {
    return Duration.ofHours(1);
  }
}
