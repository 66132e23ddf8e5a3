package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import com.google.common.testing.GcFinalization;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.setup.LimiterKit;
import java.lang.ref.WeakReference;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Metrics: cardinality and registration. */
class K28MetricsTest {

  private final MetricRegistry registry = new MetricRegistry();

  @Test
  @DisplayName("ST-075 fifty thousand rejected subjects add no metric")
  void hasNoMetricPerSubject() {
    try (LimiterKit kit = kit()) {
      kit.acquire("one", "user:first", 2);
      Set<String> names = Set.copyOf(registry.getNames());
      for (int i = 0; i < 50_000; i++) {
        assertThat(kit.acquire("one", "user:" + i, 2).allowed()).isFalse();
      }
      assertThat(registry.getNames()).isEqualTo(names);
      assertThat(registry.getNames()).noneMatch(name -> name.contains("user"));
      assertThat(registry.counter("limiterkit.decisions.one.local.refused").getCount())
          .isEqualTo(50_001);
    }
  }

  @Test
  @DisplayName("ST-076 two kits on one registry work, each under a name of its own")
  void letsTwoKitsShareARegistry() {
    try (LimiterKit one = kit();
        LimiterKit two = kit()) {
      one.acquire("one", "user:ada");
      two.acquire("one", "user:ada");
      two.acquire("one", "user:grace");
      assertThat(registry.counter("limiterkit.decisions.one.local.allowed").getCount()).isOne();
      assertThat(registry.counter("limiterkit-2.decisions.one.local.allowed").getCount())
          .isEqualTo(2);
    }
    assertThat(registry.getNames()).isEmpty();
  }

  @Test
  @DisplayName("ST-076 a kit that was closed can be built again, and nothing holds the old one")
  void canBeBuiltAgain() {
    WeakReference<LimiterKit> closed = buildAndClose();
    assertThat(registry.getNames()).isEmpty();
    try (LimiterKit again = kit()) {
      again.acquire("one", "user:ada");
      assertThat(registry.counter("limiterkit.decisions.one.local.allowed").getCount()).isOne();
      GcFinalization.awaitClear(closed);
    }
  }

  private WeakReference<LimiterKit> buildAndClose() {
    LimiterKit kit = kit();
    kit.acquire("one", "user:ada");
    kit.close();
    return new WeakReference<>(kit);
  }

  private LimiterKit kit() {
    return LimiterKit.inMemory()
        .policy(HttpPolicy.named("one").limits("1/1h").build())
        .metrics(DropwizardMetrics.on(registry))
        .build();
  }
}
