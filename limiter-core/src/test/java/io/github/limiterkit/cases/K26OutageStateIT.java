package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import io.github.limiterkit.Source;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Unbounded per-key state in the process, while the store is lost. */
class K26OutageStateIT {

  private static final int MEGABYTE = 1 << 20;

  @RegisterExtension static final TestRedis redis = new TestRedis();

  @Test
  @DisplayName("ST-073 the cap holds in an outage, and what was kept for it goes within W")
  void boundsTheMemoryOfAnOutage() {
    HttpPolicy policy = HttpPolicy.named("p").limits("10/1s").build();
    MetricRegistry registry = new MetricRegistry();
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit =
            Kits.shared(
                Kits.over(proxy.url(), Kits.DEADLINE, policy)
                    .maxKeys(1_000)
                    .metrics(DropwizardMetrics.on(registry))
                    .build())) {
      proxy.refuse();
      await().until(() -> Kits.ask(kit, "p", "user:first").source() == Source.LOCAL);
      for (int i = 0; i < 50_000; i++) {
        assertThat(Kits.ask(kit, "p", "user:" + i).source()).isEqualTo(Source.LOCAL);
        assertThat(keys(registry)).isLessThanOrEqualTo(1_000);
      }
      assertThat(keys(registry)).isEqualTo(1_000);
      proxy.pass();
      Kits.shared(kit);
      await().atMost(Duration.ofSeconds(4)).until(() -> keys(registry) == 0);
    }
  }

  private static long keys(MetricRegistry registry) {
    return (Long) registry.getGauges().get("limiterkit.local.keys").getValue();
  }

  @Test
  @Tag("deep")
  @DisplayName("ST-073 a minute of outage with 20,000 new subjects a second in a small heap")
  void keepsTheHeapFlatInAnOutage() throws Exception {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        ChildJvm child = ChildJvm.start(K26OutageStateIT.class, List.of(proxy.url()), "-Xmx128m")) {
      assertThat(child.hears()).isEqualTo("SHARED");
      proxy.refuse();
      child.tell("go");
      List<Long> used = new ArrayList<>();
      String line = child.hears();
      while (line != null && !line.equals("out")) {
        used.add(Long.parseLong(line));
        line = child.hears();
      }
      assertThat(used).hasSizeGreaterThanOrEqualTo(10);
      assertThat(used.subList(2, used.size()))
          .allSatisfy(megabytes -> assertThat(megabytes).isBetween(1L, 100L));
      assertThat(used.get(used.size() - 1)).isLessThanOrEqualTo(used.get(2) + 10);
      proxy.pass();
      assertThat(child.hearsToTheEnd(Duration.ofSeconds(30))).containsExactly("keys 0");
    }
  }

  /** Runs in a process of its own: URL. */
  public static void main(String[] arguments) throws Exception {
    HttpPolicy policy = HttpPolicy.named("p").limits("10/1s").build();
    MetricRegistry registry = new MetricRegistry();
    try (LimiterKit kit =
        Kits.shared(
            Kits.over(arguments[0], Kits.DEADLINE, policy)
                .metrics(DropwizardMetrics.on(registry))
                .build())) {
      ChildJvm.say(kit.mode());
      int unused = System.in.read();
      long began = System.nanoTime();
      for (int second = 0; second < 60; second++) {
        for (int i = 0; i < 20_000; i++) {
          kit.acquire("p", "ip:" + second + "-" + i);
        }
        if (second % 5 == 4) {
          System.gc();
          Runtime runtime = Runtime.getRuntime();
          ChildJvm.say((runtime.totalMemory() - runtime.freeMemory()) / MEGABYTE);
        }
        long rest = began + (second + 1) * 1_000_000_000L - System.nanoTime();
        Thread.sleep(Math.max(0, rest / 1_000_000));
      }
      ChildJvm.say("out");
      Kits.shared(kit);
      await().atMost(Duration.ofSeconds(10)).until(() -> keys(registry) == 0);
      ChildJvm.say("keys " + keys(registry));
    }
  }
}
