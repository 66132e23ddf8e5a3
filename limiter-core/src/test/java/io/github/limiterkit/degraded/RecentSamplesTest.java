package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Five of the last ten, none older than ten seconds. */
class RecentSamplesTest {

  private static final long SLOW = Duration.ofMillis(26).toNanos();
  private static final long PROMPT = Duration.ofMillis(25).toNanos();
  private static final long TEN_SECONDS = Duration.ofSeconds(10).toNanos();

  private final RecentSamples samples =
      new RecentSamples(GateSettings.defaults().numbers(Duration.ofMillis(50), 1));

  @Test
  void countsSlowOnesInPlaceOfPromptOnes() {
    add(10, PROMPT);
    add(4, SLOW);
    assertThat(samples.whyUnhealthy(0)).isNull();
    add(1, SLOW);
    assertThat(samples.whyUnhealthy(0)).contains("5 of the last 10");
    add(5, PROMPT);
    assertThat(samples.whyUnhealthy(0)).as("the prompt ones before are the oldest").isNotNull();
    add(1, PROMPT);
    assertThat(samples.whyUnhealthy(0)).isNull();
  }

  @Test
  void countsAnewOnceItIsCleared() {
    add(10, SLOW);
    assertThat(samples.whyUnhealthy(0)).contains("10 of the last 10");
    samples.clear();
    add(4, SLOW);
    assertThat(samples.whyUnhealthy(0)).isNull();
    add(1, SLOW);
    assertThat(samples.whyUnhealthy(0)).contains("5 of the last 5");
  }

  @Test
  void forgetsWhatIsOlderThanTenSeconds() {
    add(5, SLOW);
    assertThat(samples.whyUnhealthy(TEN_SECONDS)).isNotNull();
    assertThat(samples.whyUnhealthy(TEN_SECONDS + 1)).isNull();
  }

  private void add(int times, long roundTripNanos) {
    for (int i = 0; i < times; i++) {
      samples.add(0, false, roundTripNanos);
    }
  }
}
