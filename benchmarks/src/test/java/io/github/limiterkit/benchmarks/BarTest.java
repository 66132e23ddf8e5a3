package io.github.limiterkit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BarTest {

  private static final Bar TWICE = new Bar("keys-64", Figure.RATE, "peer", 2, true);

  private final Results results = new Results();

  @Test
  void dividesRoundByRoundAndTakesTheMiddle() {
    round(30, 10);
    round(50, 20);
    round(20, 20);

    assertThat(TWICE.line(results))
        .hasValue("BAR keys-64 kit vs peer 2.50 [1.75 2.75] needs 2.00: met");
  }

  @Test
  void isWithinNoiseIfOnlyTheBetterQuartileReachesIt() {
    round(18, 10);
    round(19, 10);
    round(22, 10);

    assertThat(TWICE.line(results).orElseThrow()).endsWith("within noise");
  }

  @Test
  void isMissedIfNotEvenTheBetterQuartileReachesIt() {
    round(18, 10);
    round(19, 10);

    assertThat(TWICE.line(results).orElseThrow()).endsWith("missed");
  }

  @Test
  void judgesByTheFasterConfigurationOfAPeer() {
    results.add("keys-64", "kit", Map.of(Figure.RATE, 30.0));
    results.add("keys-64", "peer", Map.of(Figure.RATE, 10.0));
    results.add("keys-64", "peer-tuned", Map.of(Figure.RATE, 20.0));

    assertThat(TWICE.line(results).orElseThrow()).contains("vs peer-tuned 1.50");
  }

  @Test
  void saysNothingOfWhatDidNotRun() {
    assertThat(TWICE.line(results)).isEmpty();
  }

  private void round(double ours, double theirs) {
    results.add("keys-64", "kit", Map.of(Figure.RATE, ours));
    results.add("keys-64", "peer", Map.of(Figure.RATE, theirs));
  }
}
