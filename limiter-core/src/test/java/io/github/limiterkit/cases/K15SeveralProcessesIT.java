package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Policy;
import io.github.limiterkit.setup.LimiterKit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Collapse of equal timestamps, from several processes. {@link K15OffByOneIT} is its sibling. */
class K15SeveralProcessesIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  @Test
  @Tag("deep")
  @DisplayName("ST-041 calls of one instant from three processes do not collapse into one")
  void countsEveryCallOfOneInstantOfSeveralProcesses() throws Exception {
    assertThat(new AskingProcesses(3, 20, 16, 1_000, "100/1h").admitted(redis.url()))
        .hasSize(20)
        .containsOnly(100);
    try (LimiterKit kit = Kits.shared(Kits.over(redis.url(), Kits.AMPLE, Kits.plenty()).build())) {
      for (Policy policy : AskingProcesses.rounds(20, "1000/1h")) {
        assertThat(kit.limiter().usage(policy, "user:ada").get(0).remaining())
            .as("of 1,000, what the 100 units that the store shows leave")
            .isEqualTo(900);
      }
    }
  }
}
