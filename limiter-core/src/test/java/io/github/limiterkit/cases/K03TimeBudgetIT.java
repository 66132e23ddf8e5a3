package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Source;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.FaultProxy;
import io.github.limiterkit.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Time budget: slow, silent or dribbling server, connect and TLS. */
class K03TimeBudgetIT {

  @Test
  @DisplayName("ST-005 a server that is stopped costs nobody more than the deadline, then nothing")
  void keepsTheDeadlineWhileTheServerIsStopped() {
    loses(RedisServer::pause);
  }

  @Test
  @DisplayName("ST-005 the same for one that is killed")
  void keepsTheDeadlineWhenTheServerIsKilled() {
    loses(RedisServer::kill);
  }

  private static void loses(Consumer<RedisServer> lose) {
    try (RedisServer redis = RedisServer.start();
        LimiterKit kit = kit(redis.url())) {
      for (int i = 0; i < 100; i++) {
        Kits.ask(kit, "plenty");
      }
      lose.accept(redis);
      Calls before = new Calls();
      while (kit.mode() == Mode.SHARED) {
        before.ask(kit, "plenty", "user:ada");
      }
      before.assertInTime(Kits.DEADLINE);
      assertThat(before.from(Source.LOCAL)).isPositive();
      Calls after = new Calls();
      for (int i = 0; i < 10_000; i++) {
        after.ask(kit, "plenty", "user:" + i % 100);
      }
      assertThat(after.from(Source.LOCAL)).isEqualTo(10_000);
      assertThat(after.percentile(99)).isLessThan(Duration.ofMillis(5));
    }
  }

  @Test
  @Tag("deep")
  @DisplayName("ST-005 16 threads for ten seconds: as many calls as with no limiter, to a tenth")
  void costsNoThroughputWhileTheStoreIsLost() throws Exception {
    try (RedisServer redis = RedisServer.start();
        LimiterKit kit = kit(redis.url())) {
      redis.pause();
      await().until(() -> Kits.ask(kit, "plenty").source() == Source.LOCAL);
      await()
          .until(
              () -> {
                Kits.ask(kit, "plenty");
                return kit.mode() != Mode.SHARED;
              });
      long without = throughput(() -> {});
      Calls[] calls = new Calls[16];
      long with = throughput(calls, kit);
      assertThat(with).isGreaterThan(without * 9 / 10);
      for (Calls each : calls) {
        assertThat(each.percentile(99)).isLessThan(Duration.ofMillis(5));
      }
      redis.resume();
    }
  }

  private static long throughput(Runnable limiter) throws Exception {
    return Together.run(16, thread -> work(limiter)).stream().mapToLong(Long::longValue).sum();
  }

  private static long throughput(Calls[] calls, LimiterKit kit) throws Exception {
    return Together.run(
            16,
            thread -> {
              calls[thread] = new Calls();
              return work(() -> calls[thread].ask(kit, "plenty", "user:" + thread));
            })
        .stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** What a caller does besides: some milliseconds for each call. */
  private static long work(Runnable limiter) {
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    long calls = 0;
    while (System.nanoTime() - end < 0) {
      limiter.run();
      LockSupport.parkNanos(2_000_000);
      calls++;
    }
    return calls;
  }

  @Test
  @DisplayName("ST-006 80 ms more are borne, 300 ms more are not, and the return needs no traffic")
  void givesUpASlowStore() {
    MetricRegistry registry = new MetricRegistry();
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.inFrontOf(redis.port());
        LimiterKit kit =
            Kits.shared(
                Kits.over(proxy.url(), Kits.DEADLINE, Kits.plenty())
                    .metrics(DropwizardMetrics.on(registry))
                    .build())) {
      Kits.ask(kit, "plenty");
      Calls calm = calls(kit, Duration.ofMillis(500));
      assertThat(calm.from(Source.SHARED)).isEqualTo(calm.size());

      proxy.delayReplies(Duration.ofMillis(75));
      Calls slower = calls(kit, Duration.ofSeconds(1));
      // But for a call that this machine itself held up.
      assertThat(slower.from(Source.LOCAL)).isLessThanOrEqualTo(1);
      assertThat(kit.mode()).isEqualTo(Mode.SHARED);

      proxy.delayReplies(Duration.ofMillis(300));
      Calls slow = calls(kit, Duration.ofSeconds(2));
      slow.assertInTime(Kits.DEADLINE);
      assertThat(slow.from(Source.SHARED)).isLessThanOrEqualTo(1);
      assertThat(kit.mode()).isEqualTo(Mode.DEGRADED);
      assertThat(registry.counter("limiterkit.store.transitions.degraded").getCount()).isOne();

      proxy.pass();
      await().atMost(Duration.ofSeconds(3)).until(() -> kit.mode() == Mode.SHARED);
      assertThat(Kits.ask(kit, "plenty").source()).isEqualTo(Source.SHARED);
    }
  }

  @Test
  @DisplayName("ST-006 sibling: that many callers ask at once makes none of them wait for two")
  void waitsForNobodyElsesReply() throws Exception {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.inFrontOf(redis.port());
        LimiterKit kit = kit(proxy.url())) {
      Kits.ask(kit, "plenty");
      proxy.delayReplies(Duration.ofMillis(75));
      List<Calls> calls =
          Together.run(
              12,
              thread -> {
                Calls mine = new Calls();
                for (int i = 0; i < 10; i++) {
                  mine.ask(kit, "plenty", "user:" + thread % 4);
                  Thread.sleep(thread);
                }
                return mine;
              });
      // But for those that this machine itself held up.
      assertThat(calls.stream().mapToLong(each -> each.from(Source.SHARED)).sum())
          .isGreaterThan(115);
      assertThat(kit.mode()).isEqualTo(Mode.SHARED);
    }
  }

  @Test
  @DisplayName("ST-005 sibling: one deadline for everything, also for a reply in many packets")
  void keepsTheDeadlineWhenRepliesTrickle() {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.inFrontOf(redis.port());
        LimiterKit kit = kit(proxy.url())) {
      Kits.ask(kit, "plenty");
      for (Duration perByte : List.of(Duration.ofMillis(3), Duration.ofMillis(40))) {
        proxy.dribble(perByte);
        calls(kit, Duration.ofMillis(700)).assertInTime(Kits.DEADLINE);
        proxy.pass();
        Kits.shared(kit);
      }
    }
  }

  private static Calls calls(LimiterKit kit, Duration length) {
    Calls calls = new Calls();
    long end = System.nanoTime() + length.toNanos();
    while (System.nanoTime() - end < 0) {
      calls.ask(kit, "plenty", "user:ada");
      LockSupport.parkNanos(1_000_000);
    }
    return calls;
  }

  private static LimiterKit kit(String url) {
    return Kits.shared(Kits.over(url, Kits.DEADLINE, Kits.plenty()).build());
  }
}
