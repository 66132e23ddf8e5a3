package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.limiterkit.Limit;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Scope;
import io.github.limiterkit.WhenStoreFails;
import io.github.limiterkit.http.HeaderMode;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Keys;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParametersTest {

  private static final String OWNER = "filter \"limits\"";

  @Test
  void needsNoMoreThanANameAndLimits() {
    try (LimiterKit kit = kit(Map.of("name", "per-client", "limits", "100/1m"))) {
      HttpPolicy policy = policy(kit, "per-client");
      assertThat(policy.policy().limits()).containsExactly(Limit.parse("100/1m"));
      assertThat(Keys.describe(policy.key())).isEqualTo("client-address");
      assertThat(kit.http().routes()).singleElement().hasToString("/*");
    }
  }

  @Test
  void readsEverySettingOfAPolicy() {
    Map<String, String> parameters =
        new HashMap<>(Map.of("name", "orders", "limits", "60/1m, 5/1s", "cost", "2"));
    parameters.put("key", "principal, else client-address");
    parameters.put("count", "401, 422");
    parameters.put("status", "503");
    parameters.put("headers", "on-rejection");
    parameters.put("when-store-fails", "closed");
    parameters.put("safety", "0.5");
    parameters.put("retry-after-hint", "3s");
    parameters.put("exempt", "/health, *.css");
    parameters.put("limiter-source", "true");
    parameters.put("max-keys", "1000");

    try (LimiterKit kit = kit(parameters)) {
      HttpPolicy policy = policy(kit, "orders");
      assertThat(policy.policy().limits()).hasSize(2);
      assertThat(policy.cost()).isEqualTo(2);
      assertThat(policy.failures()).containsExactly(401, 422);
      assertThat(policy.status()).isEqualTo(503);
      assertThat(policy.headers()).isEqualTo(HeaderMode.ON_REJECTION);
      assertThat(policy.policy().whenStoreFails()).isEqualTo(WhenStoreFails.CLOSED);
      assertThat(policy.policy().safety()).isEqualTo(0.5);
      assertThat(policy.policy().retryAfterHint()).isEqualTo(Duration.ofSeconds(3));
    }
  }

  @Test
  void readsOverWhatAPolicyCounts() {
    Map<String, String> parameters =
        new HashMap<>(Map.of("name", "all", "limits", "60/1m", "scope", "instance"));
    try (LimiterKit kit = kit(parameters)) {
      assertThat(policy(kit, "all").policy().scope()).isEqualTo(Scope.INSTANCE);
    }
    parameters.put("scope", "instnce");
    assertThatThrownBy(() -> kit(parameters))
        .hasMessageContaining("scope: there is no \"instnce\"; did you mean \"instance\"?")
        .hasMessageContaining("(shared, instance)");
    parameters.put("scope", "instance");
    parameters.put("when-store-fails", "open");
    assertThatThrownBy(() -> kit(parameters))
        .hasMessageContaining("when-store-fails open has no meaning with scope instance");
  }

  @Test
  @DisplayName("HT-146: web.xml is indented, and lists grow over lines")
  void readsWhatIsBrokenOverLines() {
    try (LimiterKit kit =
        kit(Map.of("name", " per-client\n", "limits", "\n      100/60s,\n      10/1s,\n    "))) {
      assertThat(policy(kit, "per-client").policy().limits())
          .containsExactly(Limit.parse("100/1m"), Limit.parse("10/1s"));
    }
  }

  /** HTTP case HT-142. */
  @ParameterizedTest
  @ValueSource(strings = {"100/mni", "10 perr day", "5/fortnight", "100/", "/60", "100//60"})
  void refusesALimitItCannotRead(String limits) {
    assertThatThrownBy(() -> kit(Map.of("name", "per-client", "limits", limits)))
        .isInstanceOf(LimiterConfigurationException.class)
        .hasMessageContaining(OWNER)
        .hasMessageContaining("limits: ")
        .hasMessageContaining("\"" + limits + "\"");
  }

  /** HTTP case HT-143, among others. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          100/min   | write 100/1m
          100/1M    | write 100/1m
          5/15min   | write 5/15m
          0/1m      | outside 1 to 4000000000
          -1/1m     | outside 1 to 4000000000
          5/0s      | outside 1ms to 366d
          5/-5s     | write COUNT/TIME
          5/400d    | outside 1ms to 366d
          """)
  void saysWhatALimitShouldBe(String limits, String advice) {
    assertThatThrownBy(() -> kit(Map.of("name", "per-client", "limits", limits)))
        .hasMessageContaining("\"" + limits + "\"")
        .hasMessageContaining(advice);
  }

  /** HTTP case HT-145. */
  @ParameterizedTest
  @CsvSource({
    "limt, limits",
    "exemt, exempt",
    "when-store-fail, when-store-fails",
    "maxkeys, max-keys",
    "Limits, limits"
  })
  void namesTheNearestToAParameterThatIsNotThere(String written, String meant) {
    assertThatThrownBy(
            () -> kit(Map.of("name", "per-client", "limits", "1/1s", written, "something")))
        .hasMessageContaining("there is no init-param \"" + written + "\"")
        .hasMessageContaining("did you mean \"" + meant + "\"?");
  }

  @Test
  void listsAllParametersWhenNoneIsNear() {
    assertThatThrownBy(
            () -> kit(Map.of("name", "per-client", "limits", "1/1s", "colour-scheme", "red")))
        .hasMessageContaining("colour-scheme")
        .hasMessageContaining("there are: name, limits, key");
  }

  @Test
  void tellsAllErrorsAtOnce() {
    Map<String, String> parameters =
        Map.of(
            "limits", "100/min",
            "key", "pricipal",
            "status", "404",
            "headers", "sometimes",
            "safety", "2",
            "cost", "many",
            "retry-after-hint", "soon",
            "when-store-fails", "opn",
            "limiter-source", "yes",
            "limts", "1/1s");

    assertThatThrownBy(() -> kit(parameters))
        .isInstanceOfSatisfying(
            LimiterConfigurationException.class,
            wrong -> {
              assertThat(wrong.errors()).hasSize(11);
              assertThat(wrong.getMessage())
                  .startsWith(OWNER + ": 11 errors, nothing started\n")
                  .contains("name: is missing; write a name such as per-client")
                  .contains("did you mean \"principal\"?")
                  .contains("did you mean \"open\"?")
                  .contains("\"many\" is not a whole number")
                  .contains("\"soon\" is not a time; write a number and a unit");
            });
  }

  @Test
  void startsWithAStoreThatIsNotThere() {
    Map<String, String> parameters =
        Map.of(
            "name", "per-client",
            "limits", "4/1m",
            "store", "redis://127.0.0.1:1/2",
            "namespace", "shop",
            "deadline", "20ms",
            "fleet-size", "2");

    try (LimiterKit kit = kit(parameters)) {
      assertThat(kit.mode()).isEqualTo(Mode.DEGRADED);
      assertThat(kit.acquire("per-client", "ip:192.0.2.1", 2).allowed()).isTrue();
      assertThat(kit.acquire("per-client", "ip:192.0.2.1").allowed()).isFalse();
    }
  }

  @Test
  void tellsAllThatIsWrongWithTheStore() {
    Map<String, String> parameters =
        Map.of(
            "name", "per-client",
            "limits", "4/1m",
            "store", "rediss:/:hunter2@host",
            "namespace", "my shop",
            "deadline", "1m",
            "fleet-size", "0");

    assertThatThrownBy(() -> kit(parameters))
        .isInstanceOfSatisfying(
            LimiterConfigurationException.class,
            wrong -> {
              assertThat(wrong.errors()).hasSize(4);
              assertThat(wrong.getMessage())
                  .contains("store URL", "write redis://host:6379")
                  .contains("\"my shop\"")
                  .contains("is outside 1ms to 10s")
                  .contains("\"0\" is not a whole number from 1 to")
                  .doesNotContain("hunter2");
            });
  }

  @Test
  void boundsTheFleetAsCodeDoes() {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("name", "per-client");
    parameters.put("limits", "4/1m");
    parameters.put("store", "redis://127.0.0.1:1");
    parameters.put("fleet-size", "100000");

    try (LimiterKit kit = kit(parameters)) {
      assertThat(kit.mode()).isEqualTo(Mode.DEGRADED);
    }
    parameters.put("fleet-size", "100001");
    assertThatThrownBy(() -> kit(parameters))
        .hasMessageContaining("fleet-size: \"100001\" is not a whole number from 1 to 100000");
  }

  @Test
  void readsWhatBecomesOfTheLimitsWhenTheStoreIsLost() {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("name", "per-client");
    parameters.put("limits", "4/1m");
    parameters.put("store", "redis://127.0.0.1:1");
    parameters.put("max-in-flight", "64");
    parameters.put("slow", "10ms");
    parameters.put("failures-in-a-row", "2");
    parameters.put("failures-of-ten", "4");
    parameters.put("probe-first", "50ms");
    parameters.put("probe-longest", "1s");

    try (LimiterKit kit = kit(parameters)) {
      assertThat(kit.mode()).isEqualTo(Mode.DEGRADED);
    }
    parameters.replaceAll(
        (name, value) ->
            switch (name) {
              case "max-in-flight", "failures-in-a-row" -> "0";
              case "failures-of-ten" -> "many";
              case "slow" -> "51ms";
              case "probe-first" -> "2m";
              default -> value;
            });
    assertThatThrownBy(() -> kit(parameters))
        .isInstanceOfSatisfying(
            LimiterConfigurationException.class, wrong -> assertThat(wrong.errors()).hasSize(5))
        .hasMessageContaining("max-in-flight: \"0\" is not a whole number from 1 to 1000000")
        .hasMessageContaining("failures-of-ten: \"many\" is not a whole number, 1 or more")
        .hasMessageContaining("failures-in-a-row 0 is outside 1 to 100")
        .hasMessageContaining("probe-first 2m is outside 1ms to 1m")
        .hasMessageContaining("slow 51ms is outside 1ms to the deadline, which is 50ms");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max-in-flight",
        "slow",
        "failures-in-a-row",
        "failures-of-ten",
        "probe-first",
        "probe-longest"
      })
  void saysThatAGateNeedsAStore(String name) {
    assertThatThrownBy(() -> kit(Map.of("name", "per-client", "limits", "4/1m", name, "3")))
        .hasMessageContaining(name + ": \"3\" has no meaning without a store; add store");
  }

  @Test
  void saysThatAFleetNeedsAStore() {
    assertThatThrownBy(() -> kit(Map.of("name", "per-client", "limits", "4/1m", "fleet-size", "3")))
        .hasMessageContaining("fleet-size: \"3\" has no meaning without a store; add store");
  }

  @Test
  void doesNotRepeatWhatMayHoldAPassword() {
    assertThatThrownBy(
            () ->
                kit(
                    Map.of(
                        "name", "per-client", "limits", "1/1s", "stor", "redis://:hunter2@host")))
        .satisfies(wrong -> assertThat(wrong.getMessage()).doesNotContain("hunter2"));
  }

  private static LimiterKit kit(Map<String, String> parameters) {
    return LimiterKit.fromParameters(OWNER, parameters);
  }

  private static HttpPolicy policy(LimiterKit kit, String name) {
    return Objects.requireNonNull(kit.http().policy(name));
  }
}
