package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Mode;
import io.github.limiterkit.Source;
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
