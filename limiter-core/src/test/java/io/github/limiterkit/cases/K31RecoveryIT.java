package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Source;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.FaultProxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Never recovers: latch, stuck half-open. */
class K31RecoveryIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  private final MetricRegistry registry = new MetricRegistry();

  @Test
  @DisplayName("ST-080 the store goes and comes back three times, and nothing is left of it")
  void comesBackEachTime() throws InterruptedException {
    goAndComeBack(3, Duration.ofMillis(200), Duration.ofMillis(100));
  }

  @Test
  @Tag("deep")
  @DisplayName("ST-080 ten times, three seconds each")
  void comesBackTenTimes() throws InterruptedException {
    goAndComeBack(10, Duration.ofSeconds(3), Kits.PROBE);
  }

  private void goAndComeBack(int cycles, Duration each, Duration probe)
      throws InterruptedException {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = kit(proxy, probe)) {
      Kits.ask(kit, "plenty");
      List<String> threads = threads();
      for (int cycle = 0; cycle < cycles; cycle++) {
        proxy.refuse();
        await()
            .atMost(Duration.ofSeconds(1))
            .until(() -> Kits.ask(kit, "plenty").source() == Source.LOCAL);
        Thread.sleep(each.toMillis());
        proxy.pass();
        await()
            .pollInterval(Duration.ofMillis(10))
            // Two intervals, and the two probes more that it takes to be sure.
            .atMost(probe.multipliedBy(2).plusMillis(200).plus(Kits.GRACE))
            .until(() -> Kits.ask(kit, "plenty").source() == Source.SHARED);
        Thread.sleep(each.toMillis());
        assertThat(threads()).isEqualTo(threads);
        assertThat(proxy.connectionsOpen()).isOne();
        assertThat(registry.getGauges().get("limiterkit.store.in-flight").getValue()).isEqualTo(0L);
        assertThat(registry.getGauges().get("limiterkit.mode").getValue()).isEqualTo(0L);
      }
      assertThat(registry.counter("limiterkit.store.transitions.degraded").getCount())
          .isEqualTo(cycles);
    }
  }

  @Test
  @DisplayName("ST-081 a server that says nothing is tried again and again, one probe at a time")
  void goesOnProbingASilentServer() throws InterruptedException {
    staySilent(Duration.ofMillis(2_500));
  }

  @Test
  @Tag("deep")
  @DisplayName("ST-081 the same for a minute")
  void goesOnProbingASilentServerForAMinute() throws InterruptedException {
    staySilent(Duration.ofMinutes(1));
  }

  private void staySilent(Duration length) throws InterruptedException {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = kit(proxy, Kits.PROBE)) {
      proxy.swallowReplies();
      await()
          .until(
              () -> {
                Kits.ask(kit, "plenty");
                return kit.mode() == Mode.DEGRADED;
              });
      long before = timeouts();
      Calls meanwhile = new Calls();
      long end = System.nanoTime() + length.toNanos();
      while (System.nanoTime() - end < 0) {
        meanwhile.ask(kit, "plenty", "user:ada");
        if (proxy.connectionsOpen() > 1) {
          // The proxy may hear of the end of one after the beginning of the next.
          await().pollDelay(Duration.ZERO).until(() -> proxy.connectionsOpen() <= 1);
        }
        Thread.sleep(10);
      }
      long probes = timeouts() - before;
      // Each waits for half to whole of the interval, and then for its deadline.
      long most = length.dividedBy(Kits.PROBE.dividedBy(2)) + 2;
      long least = length.dividedBy(Kits.PROBE.plus(Kits.DEADLINE).multipliedBy(3).dividedBy(2));
      assertThat(probes).isBetween(least, most);
      assertThat(meanwhile.from(Source.LOCAL)).as("no request probes").isEqualTo(meanwhile.size());
      assertThat(meanwhile.percentile(95)).isLessThan(Duration.ofMillis(20));
      proxy.pass();
      await().atMost(Duration.ofSeconds(4)).until(() -> kit.mode() == Mode.SHARED);
    }
  }

  /** Probes that failed, since no request asks the store meanwhile. */
  private long timeouts() {
    return registry.counter("limiterkit.store.faults.timeout").getCount()
        + registry.counter("limiterkit.store.faults.unreachable").getCount()
        + registry.counter("limiterkit.store.faults.reset").getCount();
  }

  private LimiterKit kit(FaultProxy proxy, Duration probe) {
    return Kits.shared(
        Kits.over(proxy.url(), Kits.DEADLINE, Kits.plenty())
            .probeFirst(probe)
            .probeLongest(probe)
            .metrics(DropwizardMetrics.on(registry))
            .build());
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("limiterkit-"))
        .sorted()
        .toList();
  }
}
