package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import io.github.limiterkit.local.LocalLimiter;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Eviction used to reset or to block a client. */
class K27EvictionTest {

  private static final int CAP = 1_000;

  private final FakeTicker ticker = new FakeTicker();
  private final LocalLimiter limiter = new LocalLimiter(ticker::read, CAP);
  private final Policy five = Policy.named("five").limits("5/1m").build();

  @Test
  @DisplayName("HT-053, ST-074 a flood of 20,000 fresh keys gives an exhausted one no amnesty")
  void givesNoAmnestyUnderAFlood() {
    exhaust("victim");
    for (int i = 0; i < 20_000; i++) {
      assertThat(ask("fresh:" + i)).as("a new client is served").isTrue();
      if (i % 100 == 0) {
        assertThat(ask("victim")).as("after %d keys", i).isFalse();
      }
    }
    ticker.advance(Duration.ofMillis(59_999));
    assertThat(ask("victim")).isFalse();
    ticker.advance(Duration.ofMillis(1));
    assertThat(ask("victim")).isTrue();
  }

  @Test
  @DisplayName("ST-074 sibling: nor many exhausted ones, up to most of the table")
  void givesNoAmnestyToMany() {
    for (int victims : new int[] {10, 100, 500, 800}) {
      LocalLimiter table = new LocalLimiter(ticker::read, CAP);
      for (int v = 0; v < victims; v++) {
        table.acquire(new Charge(five, "victim:" + v, 5));
      }
      for (int i = 0; i < 20_000; i++) {
        table.acquire(Charge.of(five, "fresh:" + i));
      }
      for (int v = 0; v < victims; v++) {
        assertThat(table.acquire(Charge.of(five, "victim:" + v)).allowed())
            .as("%d of %d", v, victims)
            .isFalse();
      }
    }
  }

  @Test
  @DisplayName("ST-074 sibling: of keys in use the least used goes, so a flood evicts itself")
  void letsAFloodEvictItself() {
    for (int i = 0; i < 100; i++) {
      limiter.acquire(new Charge(five, "steady:" + i, 3));
    }
    for (int i = 0; i < 20_000; i++) {
      ask("fresh:" + i);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(Answers.left(limiter.acquire(new Charge(five, "steady:" + i, 0)))).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("ST-074 sibling: what is back at full budget goes before anything that is live")
  void forgetsFirstWhatIsBackAtFullBudget() {
    for (int i = 0; i < CAP / 2; i++) {
      ask("gone:" + i);
    }
    ticker.advance(Duration.ofMinutes(2));
    for (int i = 0; i < CAP / 2; i++) {
      ask("live:" + i);
    }
    for (int i = 0; i < CAP / 2; i++) {
      ask("fresh:" + i);
    }
    assertThat(limiter.forgottenUnits()).isZero();
  }

  private void exhaust(String key) {
    for (int i = 0; i < 5; i++) {
      assertThat(ask(key)).isTrue();
    }
    assertThat(ask(key)).isFalse();
  }

  private boolean ask(String key) {
    return Answers.check(limiter.acquire(Charge.of(five, key))).allowed();
  }
}
