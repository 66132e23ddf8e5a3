package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Decision;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.setup.LimiterKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clock skew between instances. */
class K24ClockSkewIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  private final HttpPolicy four = HttpPolicy.named("four").limits("4/10s").build();

  @Test
  @DisplayName("ST-067 two instances whose clocks are apart admit four together, whatever the skew")
  void goesByTheServersClock() {
    List<List<Boolean>> sequences = new ArrayList<>();
    for (Duration skew :
        List.of(
            Duration.ZERO,
            Duration.ofSeconds(1),
            Duration.ofSeconds(-10),
            Duration.ofHours(-1),
            Duration.ofHours(1))) {
      redis.command("FLUSHALL");
      try (LimiterKit ahead = kit(skew);
          LimiterKit behind = kit(Duration.ZERO)) {
        List<Boolean> admitted = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          Decision decision = Kits.ask(i % 2 == 0 ? ahead : behind, "four");
          assertThat(Kits.isShared(decision)).isTrue();
          admitted.add(decision.allowed());
        }
        sequences.add(admitted);
      }
    }
    assertThat(sequences).containsOnly(List.of(true, true, true, true, false, false, false, false));
  }

  @Test
  @DisplayName("ST-067 sibling: a clock that runs at another rate changes nothing either")
  void bearsAClockThatRunsFast() {
    long start = System.nanoTime();
    try (LimiterKit fast =
            Kits.shared(
                Kits.over(redis.url(), Kits.AMPLE, four)
                    .ticker(() -> start + 50 * (System.nanoTime() - start))
                    .build());
        LimiterKit other = kit(Duration.ZERO)) {
      int admitted = 0;
      for (int i = 0; i < 10; i++) {
        admitted += Kits.ask(i % 2 == 0 ? fast : other, "four").allowed() ? 1 : 0;
      }
      assertThat(admitted).isEqualTo(4);
    }
  }

  private LimiterKit kit(Duration skew) {
    return Kits.shared(
        Kits.over(redis.url(), Kits.AMPLE, four)
            .ticker(() -> System.nanoTime() + skew.toNanos())
            .build());
  }
}
