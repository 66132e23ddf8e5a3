package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import io.github.limiterkit.redis.RedisStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AttackLogTest {

  private static final Policy LOGIN = Policy.named("login").limits("5/15m").build();
  private static final Policy TRIED = Policy.named("tried").limits("5/15m").build();

  private final FakeTicker ticker = new FakeTicker();
  private final AttackLog attacks = new AttackLog(ticker::read, KeyHash::of, Set.of("tried"));

  @Test
  void namesTheMostRefusedOnceAMinuteAndNeverAKey() {
    try (LogCapture log = new LogCapture()) {
      refuse(LOGIN, "ip:203.0.113.9", 1_200);
      refuse(LOGIN, "ip:203.0.113.10", 50);
      refuse(LOGIN, "ip:203.0.113.11", 1);
      for (int second = 0; second < 60; second++) {
        attacks.sayIfDue();
        ticker.advance(Duration.ofSeconds(1));
      }
      attacks.sayIfDue();
      attacks.sayIfDue();

      assertThat(log.at(Level.INFO))
          .containsExactly(
              "1,251 refusals in the last minute; most of them: login %s 1,200 or more, login %s 50 or more"
                  .formatted(KeyHash.of("ip:203.0.113.9"), KeyHash.of("ip:203.0.113.10")));
      assertThat(log.at(Level.INFO).toString()).doesNotContain("203.0.113");
    }
  }

  @Test
  void startsAfreshEveryMinute() {
    try (LogCapture log = new LogCapture()) {
      refuse(LOGIN, "user:ada", 150);
      aMinuteLater();
      refuse(LOGIN, "user:ada", AttackLog.LEAST_REFUSALS - 1);
      aMinuteLater();
      refuse(LOGIN, "user:grace", 160);
      aMinuteLater();

      assertThat(log.at(Level.INFO)).hasSize(2);
      assertThat(log.at(Level.INFO).get(1))
          .startsWith("160 refusals")
          .doesNotContain(KeyHash.of("user:ada"));
    }
  }

  @Test
  void saysNothingOfALimitThatIsAtWorkAndNothingOfOneThatIsTriedOut() {
    try (LogCapture log = new LogCapture()) {
      refuse(LOGIN, "user:ada", AttackLog.LEAST_REFUSALS - 1);
      refuse(TRIED, "user:ada", 10_000);
      aMinuteLater();
      assertThat(log.at(Level.INFO)).isEmpty();
    }
  }

  @Test
  void saysIfNobodyStandsOut() {
    try (LogCapture log = new LogCapture()) {
      for (int i = 0; i < 5_000; i++) {
        refuse(LOGIN, "user:" + i, 1);
      }
      aMinuteLater();
      assertThat(log.at(Level.INFO))
          .containsExactly("5,000 refusals in the last minute; no key has many of them");
    }
  }

  /** So that a line of the log leads to a key of the store, and with a secret to nobody else's. */
  @Test
  void writesTheHashThatIsInTheNamesOfTheStoresKeys() {
    RedisStore store = RedisStore.at("redis://localhost:6379");
    RedisStore secret = store.keySecret("secret".getBytes(StandardCharsets.US_ASCII));
    for (String key : List.of("ip:203.0.113.9", "user:\u00fc\ud83d\ude00", "user:lone \ud83d")) {
      assertThat(store.hashOf(key)).matches("[A-Za-z0-9_-]{22}");
      assertThat(secret.hashOf(key)).matches("[A-Za-z0-9_-]{22}").isNotEqualTo(store.hashOf(key));
      assertThat(store.readableKeys().hashOf(key)).isEqualTo(store.hashOf(key));
    }
    assertThat(KeyHash.of("ip:203.0.113.9"))
        .as("as the command in the operations guide writes it")
        .isEqualTo(store.hashOf("ip:203.0.113.9"))
        .isEqualTo("6USPCP3971rja0un5Kydlw");
  }

  private void refuse(Policy policy, String key, int times) {
    for (int i = 0; i < times; i++) {
      attacks.refused(Charge.of(policy, key));
    }
  }

  private void aMinuteLater() {
    ticker.advance(Duration.ofMinutes(1));
    attacks.sayIfDue();
  }
}
