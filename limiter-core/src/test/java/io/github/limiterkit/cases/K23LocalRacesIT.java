package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.local.LocalLimiter;
import io.github.limiterkit.local.LocalTable;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.FaultProxy;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Local races, contention and deadlock. */
class K23LocalRacesIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  @Test
  @DisplayName("ST-064 readings that come out of order by up to 50 ms create no permits")
  void createsNoPermitsFromReadingsOutOfOrder() throws Exception {
    int readings = 60_000;
    long[] script = new long[readings];
    SplittableRandom random = new SplittableRandom(20_260_064);
    for (int i = 0; i < readings; i++) {
      script[i] = (i / 6 + 50 - random.nextInt(51)) * 1_000_000L;
    }
    AtomicInteger next = new AtomicInteger();
    LocalLimiter limiter =
        new LocalLimiter(
            () -> script[Math.min(next.getAndIncrement(), readings - 1)],
            LocalTable.DEFAULT_MAX_KEYS);
    Policy policy = Policy.named("p").limits("100/1s").build();
    List<Integer> admitted =
        Together.run(
            64,
            thread -> {
              int mine = 0;
              while (next.get() < readings) {
                mine += limiter.acquire(Charge.of(policy, "user:ada")).allowed() ? 1 : 0;
              }
              return mine;
            });
    // The clock goes from 0 to 10,050 ms at most: ten windows and what begins the eleventh.
    assertThat(admitted.stream().mapToInt(Integer::intValue).sum()).isBetween(900, 1_100);
  }

  @Test
  @DisplayName("ST-064 on the real clock no window holds more than the limit")
  void admitsNoMoreOnTheRealClock() throws Exception {
    stress(Policy.named("p").limits("100/50ms").build(), Duration.ofSeconds(1));
  }

  @Test
  @Tag("deep")
  @DisplayName("ST-064 the same for ten seconds, with W = 1 s")
  void admitsNoMoreOnTheRealClockForLong() throws Exception {
    stress(Policy.named("p").limits("100/1s").build(), Duration.ofSeconds(10));
  }

  private static void stress(Policy policy, Duration length) throws Exception {
    RateLimiter limiter = new LocalLimiter(Ticker.system(), LocalTable.DEFAULT_MAX_KEYS);
    long window = policy.limits().get(0).window().toNanos();
    long end = System.nanoTime() + length.toNanos();
    List<List<long[]>> spans =
        Together.run(
            64,
            thread -> {
              List<long[]> admitted = new ArrayList<>();
              while (System.nanoTime() - end < 0) {
                long before = System.nanoTime();
                if (limiter.acquire(Charge.of(policy, "user:ada")).allowed()) {
                  admitted.add(new long[] {before, System.nanoTime()});
                }
              }
              return admitted;
            });
    long[] begun =
        spans.stream().flatMap(List::stream).mapToLong(span -> span[0]).sorted().toArray();
    long[] ended =
        spans.stream().flatMap(List::stream).mapToLong(span -> span[1]).sorted().toArray();
    assertThat(begun.length).isGreaterThan(200);
    for (int i = 100; i < begun.length; i++) {
      // 101 admissions that began and ended within a window would be one too many; to the tick.
      assertThat(ended[i] - begun[i - 100]).isGreaterThan(window - 2_000_000);
    }
  }

  @Test
  @DisplayName("ST-065 32 threads on 32 keys of a store that takes 80 ms get 300 answers a second")
  void waitsForNoOtherKey() throws Exception {
    Policy policy = Policy.named("p").limits("1000000/1m").build();
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit =
            Kits.shared(Kits.over(proxy.url(), Duration.ofSeconds(1), Kits.plenty()).build())) {
      RateLimiter limiter = Kits.limiter(kit);
      limiter.acquire(Charge.of(policy, "user:ada"));
      proxy.delayReplies(Duration.ofMillis(80));
      int calls = 20;
      long began = System.nanoTime();
      Together.run(
          32,
          thread -> {
            for (int i = 0; i < calls; i++) {
              Decision decision = limiter.acquire(Charge.of(policy, "user:" + thread));
              assertThat(decision.source()).isEqualTo(Source.SHARED);
            }
            return 0;
          });
      double seconds = (System.nanoTime() - began) / 1e9;
      assertThat(32 * calls / seconds).isGreaterThanOrEqualTo(300);
    }
  }

  @Test
  @DisplayName("ST-065 while the store is slow nobody is blocked in the kit's code")
  void holdsNoMonitorWhileItWaits() throws Exception {
    Policy policy = Policy.named("p").limits("1000000/1m").build();
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit =
            Kits.shared(Kits.over(proxy.url(), Duration.ofSeconds(1), Kits.plenty()).build())) {
      RateLimiter limiter = Kits.limiter(kit);
      limiter.acquire(Charge.of(policy, "user:ada"));
      proxy.delayReplies(Duration.ofMillis(30));
      AtomicInteger done = new AtomicInteger();
      Together.run(
          17,
          thread -> {
            if (thread == 16) {
              while (done.get() < 16) {
                assertThat(blockedInTheKit()).isEmpty();
                Thread.sleep(5);
              }
            } else {
              for (int i = 0; i < 20; i++) {
                limiter.acquire(Charge.of(policy, "user:" + i % 4));
              }
              done.incrementAndGet();
            }
            return 0;
          });
    }
  }

  private static List<String> blockedInTheKit() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(entry -> entry.getKey().getState() == Thread.State.BLOCKED)
        .filter(
            entry ->
                entry.getValue().length > 0
                    && entry.getValue()[0].getClassName().startsWith("io.github.limiterkit"))
        .map(entry -> entry.getKey().getName() + " " + Arrays.toString(entry.getValue()))
        .toList();
  }

  @Test
  @DisplayName("ST-066 kits come and go while a reporter reads all gauges: no deadlock")
  void doesNotLockUpWithAReporter() throws Exception {
    createAndReport(20, 40);
  }

  @Test
  @Tag("deep")
  @DisplayName("ST-066 the same with 10,000 kits")
  void doesNotLockUpWithAReporterAndTenThousandKits() throws Exception {
    createAndReport(625, 100);
  }

  private static void createAndReport(int kitsOfEach, int decisions) throws Exception {
    MetricRegistry registry = new MetricRegistry();
    AtomicInteger done = new AtomicInteger();
    Together.run(
        18,
        thread -> {
          if (thread < 16) {
            for (int i = 0; i < kitsOfEach; i++) {
              createAndUse(registry, thread + "-" + i, decisions);
            }
            done.incrementAndGet();
          } else {
            while (done.get() < 16) {
              if (thread == 16) {
                registry.getGauges().values().forEach(gauge -> gauge.getValue());
              } else {
                assertThat(ManagementFactory.getThreadMXBean().findDeadlockedThreads()).isNull();
                Thread.sleep(100);
              }
            }
          }
          return 0;
        });
    assertThat(registry.getNames()).isEmpty();
  }

  private static void createAndUse(MetricRegistry registry, String name, int decisions) {
    try (LimiterKit kit =
        LimiterKit.inMemory()
            .policy(Kits.plenty())
            .metrics(DropwizardMetrics.on(registry))
            .build()) {
      IntStream.range(0, decisions).forEach(i -> Kits.ask(kit, "plenty", name + "-" + i));
    }
  }
}
