package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Decision;
import io.github.limiterkit.Source;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.FaultProxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Local limits multiplied by instances or rounded to zero. */
class K30LocalShareIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  private final HttpPolicy hundred = HttpPolicy.named("hundred").limits("100/1m").build();
  private final HttpPolicy three = HttpPolicy.named("three").limits("3/1m").build();
  private final HttpPolicy half = HttpPolicy.named("half").limits("100/1m").safety(0.5).build();

  @Test
  @DisplayName("ST-079 five instances without the store give out 20 of 100 each, and say so")
  void dividesALimitByTheFleet() throws Exception {
    List<LimiterKit> kits = new ArrayList<>();
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port())) {
      proxy.refuse();
      kits.addAll(
          Together.run(
              5,
              thread ->
                  Kits.over(proxy.url(), Kits.DEADLINE, hundred, three, half)
                      .fleetSize(5)
                      .build()));
      assertThat(admitted(kits, "hundred", 20)).containsOnly(20);
      assertThat(admitted(kits, "three", 1)).containsOnly(1);
      assertThat(admitted(kits, "half", 10)).containsOnly(10);
    } finally {
      kits.forEach(LimiterKit::close);
    }
  }

  @Test
  @DisplayName("ST-079 sibling: what was spent together before the loss is not given out once more")
  void countsWhatWasSpentBeforeTheLoss() {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit =
            Kits.shared(Kits.over(proxy.url(), Kits.DEADLINE, hundred).fleetSize(5).build())) {
      for (int i = 0; i < 40; i++) {
        assertThat(Kits.ask(kit, "hundred").allowed()).isTrue();
      }
      proxy.refuse();
      int admitted = 0;
      for (int i = 0; i < 100; i++) {
        admitted += Kits.ask(kit, "hundred").allowed() ? 1 : 0;
      }
      assertThat(admitted).isZero();
    }
  }

  private static List<Integer> admitted(List<LimiterKit> kits, String policy, long quota) {
    List<Integer> admitted = new ArrayList<>();
    for (LimiterKit kit : kits) {
      int mine = 0;
      for (int i = 0; i < 60; i++) {
        Decision decision = Kits.ask(kit, policy);
        assertThat(decision.source()).isEqualTo(Source.LOCAL);
        assertThat(decision.usages().get(0).quota()).isEqualTo(quota);
        mine += decision.allowed() ? 1 : 0;
      }
      admitted.add(mine);
    }
    return admitted;
  }
}
