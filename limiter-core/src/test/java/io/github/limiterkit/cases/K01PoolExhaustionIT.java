package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import com.sun.management.UnixOperatingSystemMXBean;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Source;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.FaultProxy;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Connection pool: exhaustion, leak, unbounded wait. The kit has no pool on the way of a request:
 * at most so many callers may be inside the store, and the next is answered at once.
 */
class K01PoolExhaustionIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  private final MetricRegistry registry = new MetricRegistry();

  private record Timed(Decision decision, Duration took) {}

  @Test
  @DisplayName("ST-001 with 8 callers held by a stalled store the other 42 do not wait")
  void answersAtOnceWhoeverFindsTooManyWaiting() throws Exception {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = kit(proxy, Kits.DEADLINE, 8)) {
      Kits.ask(kit, "plenty");
      proxy.swallowReplies();
      List<Timed> answers = Together.run(50, thread -> timed(kit));
      assertThat(answers).allMatch(answer -> answer.decision().source() == Source.LOCAL);
      assertThat(answers)
          .allSatisfy(
              answer -> assertThat(answer.took()).isLessThan(Kits.DEADLINE.plus(Kits.GRACE)));
      assertThat(count("store.shed")).isGreaterThanOrEqualTo(30);
      proxy.pass();
      await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> timed(kit).decision().source() == Source.SHARED);
      assertThat(threadsInside("acquire")).isZero();
    }
  }

  @Test
  @DisplayName("ST-001 sibling: too many callers are no sign that the store is down")
  void doesNotTakeACrowdForALostStore() throws Exception {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = kit(proxy, Kits.AMPLE, 1)) {
      Kits.ask(kit, "plenty");
      proxy.delayReplies(Duration.ofMillis(200));
      List<Timed> answers = Together.run(32, thread -> timed(kit));
      assertThat(answers)
          .filteredOn(answer -> answer.decision().source() == Source.SHARED)
          .hasSize(1);
      assertThat(count("store.shed")).isEqualTo(31);
      assertThat(faults()).isZero();
      assertThat(kit.mode()).isEqualTo(Mode.SHARED);
    }
  }

  @Test
  @DisplayName("ST-002 after 500 failures of every sort nothing is held, and no socket is lost")
  void leavesNothingBehindAfterFailures() throws Exception {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = kit(proxy, Duration.ofMillis(20), 64)) {
      Kits.ask(kit, "plenty");
      long files = openFiles();
      List<Runnable> faults =
          List.of(
              proxy::swallowReplies,
              () -> proxy.answer("-ERR something\r\n"),
              () -> proxy.answer("garbage\r\n"),
              proxy::reset,
              () -> proxy.cutReplies(2));
      for (int round = 0; round < 10; round++) {
        faults.get(round % faults.size()).run();
        Together.run(5, thread -> calls(kit, 10));
        proxy.pass();
        Together.run(5, thread -> calls(kit, 10));
        Kits.shared(kit);
      }
      assertThat(faults()).isPositive();
      assertThat(gauge("store.in-flight")).isZero();
      await().until(() -> proxy.connectionsOpen() <= 1);
      await().atMost(Duration.ofSeconds(5)).until(() -> openFiles() <= files + 2);
    }
  }

  private LimiterKit kit(FaultProxy proxy, Duration deadline, int maxInFlight) {
    return Kits.shared(
        Kits.over(proxy.url(), deadline, Kits.plenty())
            .maxInFlight(maxInFlight)
            .metrics(DropwizardMetrics.on(registry))
            .build());
  }

  private static Timed timed(LimiterKit kit) {
    long began = System.nanoTime();
    Decision decision = Kits.ask(kit, "plenty");
    return new Timed(decision, Duration.ofNanos(System.nanoTime() - began));
  }

  private static int calls(LimiterKit kit, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(Kits.ask(kit, "plenty").allowed()).isTrue();
    }
    return times;
  }

  private long count(String name) {
    return registry.counter("limiterkit." + name).getCount();
  }

  private long gauge(String name) {
    return (Long) registry.getGauges().get("limiterkit." + name).getValue();
  }

  private long faults() {
    return registry.getCounters().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("limiterkit.store.faults."))
        .mapToLong(entry -> entry.getValue().getCount())
        .sum();
  }

  private static long threadsInside(String method) {
    return Thread.getAllStackTraces().values().stream()
        .filter(
            frames ->
                List.of(frames).stream()
                    .anyMatch(
                        frame ->
                            frame.getClassName().startsWith(LimiterKit.class.getName())
                                && frame.getMethodName().equals(method)))
        .count();
  }

  private static long openFiles() {
    return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getOpenFileDescriptorCount();
  }
}
