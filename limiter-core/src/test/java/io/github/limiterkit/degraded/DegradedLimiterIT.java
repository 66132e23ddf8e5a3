package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Scope;
import io.github.limiterkit.Source;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.testing.FaultProxy;
import io.github.limiterkit.testing.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Degraded mode on a real server that is killed, stopped, slowed and started again. */
class DegradedLimiterIT {

  private static final Duration DEADLINE = Duration.ofMillis(50);
  private static final Policy PLENTY = Policy.named("plenty").limits("1000000/1m").build();

  private final List<DegradedLimiter> started = new ArrayList<>();

  @AfterEach
  void close() {
    started.forEach(DegradedLimiter::close);
  }

  @Test
  void sixtyFourThreadsOnOneKeyAdmitExactlyTheQuota() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      DegradedLimiter limiter = start(redis.url(), Duration.ofSeconds(2));
      awaitMode(limiter, Mode.SHARED);
      for (int run = 0; run < 20; run++) {
        Policy policy = Policy.named("run-" + run).limits("1000/1h").build();
        assertThat(admittedBySixtyFour(limiter, policy)).as("run %d", run).isEqualTo(1_000);
      }
    }
  }

  @Test
  void aCeilingLeavesNothingInTheStore() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      DegradedLimiter limiter = start(redis.url(), Duration.ofSeconds(2));
      awaitMode(limiter, Mode.SHARED);
      Policy ceiling = Policy.named("ceiling").limits("5/1h").scope(Scope.INSTANCE).build();
      List<Charge> both = List.of(Charge.of(ceiling, "all"), Charge.of(PLENTY, "a"));
      int admitted = 0;
      for (int i = 0; i < 10; i++) {
        admitted += limiter.acquire(both).allowed() ? 1 : 0;
      }
      assertThat(admitted).isEqualTo(5);
      assertThat(redis.command("KEYS", "*ceiling*")).doesNotContain("ceiling");
      assertThat(limiter.acquire(Charge.of(PLENTY, "a")).usages().get(0).remaining())
          .as("only what both admitted was charged")
          .isEqualTo(1_000_000 - 6);
    }
  }

  @Test
  void goesOnWhileTheServerIsKilledAndComesBackWithIt() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      DegradedLimiter limiter = start(redis.url(), DEADLINE);
      awaitMode(limiter, Mode.SHARED);
      try (Load load = new Load(limiter, 8)) {
        await().until(() -> load.decisions(Source.SHARED) > 1_000);
        long requests = load.started();
        long executed = executions(redis);
        assertThat(executed).as("calls at the server").isLessThanOrEqualTo(requests + 100);
        redis.kill();
        awaitMode(limiter, Mode.DEGRADED);
        long local = load.decisions(Source.LOCAL);
        await().until(() -> load.decisions(Source.LOCAL) > local + 1_000);
        long began = System.nanoTime();
        redis.restart();
        awaitMode(limiter, Mode.SHARED);
        assertThat(System.nanoTime() - began).isLessThan(Duration.ofSeconds(5).toNanos());
        assertThat(load.longestNanos()).isLessThan(DEADLINE.plusMillis(50).toNanos());
      }
    }
  }

  @Test
  void goesOnWhileTheServerIsStoppedAndComesBackWithIt() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      DegradedLimiter limiter = start(redis.url(), DEADLINE);
      awaitMode(limiter, Mode.SHARED);
      try (Load load = new Load(limiter, 8)) {
        await().until(() -> load.decisions(Source.SHARED) > 1_000);
        redis.pause();
        awaitMode(limiter, Mode.DEGRADED);
        long local = load.decisions(Source.LOCAL);
        await().until(() -> load.decisions(Source.LOCAL) > local + 1_000);
        long began = System.nanoTime();
        redis.resume();
        awaitMode(limiter, Mode.SHARED);
        assertThat(System.nanoTime() - began).isLessThan(Duration.ofSeconds(5).toNanos());
        assertThat(load.longestNanos()).isLessThan(DEADLINE.plusMillis(50).toNanos());
      }
    }
  }

  @Test
  @DisplayName("ST-085: a store that is down at the start is a supported state")
  void startsWithoutTheServerAndFindsItWhenItAppears() {
    try (RedisServer redis = RedisServer.start()) {
      redis.kill();
      DegradedLimiter limiter = start(redis.url(), DEADLINE);
      Decision first = limiter.acquire(Charge.of(PLENTY, "a"));
      assertThat(first.allowed()).isTrue();
      assertThat(first.source()).isEqualTo(Source.LOCAL);
      redis.restart();
      awaitMode(limiter, Mode.SHARED);
      assertThat(limiter.acquire(Charge.of(PLENTY, "a")).source()).isEqualTo(Source.SHARED);
      assertThat(executions(redis)).as("one request, and the probes").isBetween(2L, 21L);
    }
  }

  @Test
  void shutsOnRepliesThatTakeMostOfTheDeadline() throws Exception {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.inFrontOf(redis.port())) {
      DegradedLimiter limiter = start(proxy.url(), DEADLINE);
      awaitMode(limiter, Mode.SHARED);
      try (Load load = new Load(limiter, 4)) {
        await().until(() -> load.decisions(Source.SHARED) > 100);
        proxy.delayReplies(Duration.ofMillis(40));
        awaitMode(limiter, Mode.DEGRADED);
        proxy.pass();
        awaitMode(limiter, Mode.SHARED);
      }
    }
  }

  @Test
  @DisplayName("ST-082: a server that refuses writes stays out, though it answers a PING")
  void staysShutWhileTheServerRefusesWrites() {
    try (RedisServer redis = RedisServer.start()) {
      DegradedLimiter limiter = start(redis.url(), DEADLINE);
      awaitMode(limiter, Mode.SHARED);
      redis.command("REPLICAOF", "127.0.0.1", "1");
      assertThat(redis.command("PING")).contains("PONG");
      assertThat(limiter.acquire(Charge.of(PLENTY, "a")).source()).isEqualTo(Source.LOCAL);
      await()
          .during(Duration.ofSeconds(1))
          .atMost(Duration.ofSeconds(2))
          .until(() -> limiter.mode() == Mode.DEGRADED);
      redis.command("REPLICAOF", "NO", "ONE");
      awaitMode(limiter, Mode.SHARED);
    }
  }

  @Test
  @DisplayName("ST-021: a server without memory is as good as none, until it has some")
  void goesOnWhileTheServerIsOutOfMemory() {
    try (RedisServer redis = RedisServer.start()) {
      DegradedLimiter limiter = start(redis.url(), DEADLINE);
      awaitMode(limiter, Mode.SHARED);
      redis.command("CONFIG", "SET", "maxmemory", "1");
      assertThat(limiter.acquire(Charge.of(PLENTY, "a")).source()).isEqualTo(Source.LOCAL);
      awaitMode(limiter, Mode.DEGRADED);
      redis.command("CONFIG", "SET", "maxmemory", "0");
      awaitMode(limiter, Mode.SHARED);
    }
  }

  @Test
  @DisplayName("ST-020: all that the operations guide allows is needed to count the instances")
  void needsWhatTheOperationsGuideAllowsToBeCounted() throws IOException {
    try (RedisServer redis = RedisServer.start()) {
      redis.command(documentedAcl());
      String url = redis.url().replace("redis://", "redis://limiterkit:change-me@");
      DegradedLimiter limiter =
          DegradedLimiter.over(RedisStore.at(url).namespace("shop").deadline(DEADLINE).open())
              .build();
      started.add(limiter);
      limiter.start();
      awaitMode(limiter, Mode.SHARED);
      for (String needed :
          List.of("zadd", "zrangebyscore", "zremrangebyscore", "zcard", "zcount")) {
        needsToBeCounted(limiter, redis, needed);
      }
      needsToBeCounted(limiter, redis, "zrange");
      needsToBeCounted(limiter, redis, "pexpire");
    }
  }

  private static void needsToBeCounted(DegradedLimiter limiter, RedisServer redis, String command) {
    String node = redis.host() + ":" + redis.port();
    int before = limiter.heartbeatsHeard();
    limiter.heartbeat(node);
    assertThat(limiter.heartbeatsHeard()).as("with %s", command).isGreaterThan(before);
    redis.command("ACL", "SETUSER", "limiterkit", "-" + command);
    int without = limiter.heartbeatsHeard();
    limiter.heartbeat(node);
    assertThat(limiter.heartbeatsHeard()).as("without %s", command).isEqualTo(without);
    redis.command("ACL", "SETUSER", "limiterkit", "+" + command);
  }

  private static String[] documentedAcl() throws IOException {
    return Files.readAllLines(Path.of("../docs/operations.md")).stream()
        .filter(line -> line.startsWith("ACL SETUSER"))
        .findFirst()
        .orElseThrow()
        .split(" ");
  }

  @Test
  @DisplayName("ST-086: closing takes less than a second, whatever the server does")
  void closesAtOnceWhileTheServerIsStopped() {
    try (RedisServer redis = RedisServer.start()) {
      DegradedLimiter limiter = start(redis.url(), DEADLINE);
      awaitMode(limiter, Mode.SHARED);
      redis.pause();
      limiter.acquire(Charge.of(PLENTY, "a"));
      long began = System.nanoTime();
      limiter.close();
      assertThat(System.nanoTime() - began).isLessThan(Duration.ofSeconds(1).toNanos());
      assertThat(limiter.acquire(Charge.of(PLENTY, "a")).source()).isEqualTo(Source.LOCAL);
      redis.resume();
    }
  }

  private DegradedLimiter start(String url, Duration deadline) {
    DegradedLimiter limiter =
        DegradedLimiter.over(RedisStore.at(url).deadline(deadline).open()).build();
    started.add(limiter);
    limiter.start();
    return limiter;
  }

  private static void awaitMode(DegradedLimiter limiter, Mode mode) {
    await()
        .pollInterval(Duration.ofMillis(5))
        .atMost(Duration.ofSeconds(5))
        .until(() -> limiter.mode() == mode);
  }

  private static int admittedBySixtyFour(DegradedLimiter limiter, Policy policy) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(64);
    CountDownLatch go = new CountDownLatch(1);
    List<Future<Integer>> running = new ArrayList<>();
    for (int t = 0; t < 64; t++) {
      running.add(
          threads.submit(
              () -> {
                go.await();
                int admitted = 0;
                for (int i = 0; i < 25; i++) {
                  Decision decision = limiter.acquire(Charge.of(policy, "hot"));
                  assertThat(decision.source()).isIn(Source.SHARED, Source.DENY_CACHE);
                  admitted += decision.allowed() ? 1 : 0;
                }
                return admitted;
              }));
    }
    go.countDown();
    int admitted = 0;
    for (Future<Integer> thread : running) {
      admitted += thread.get(30, TimeUnit.SECONDS);
    }
    threads.shutdown();
    return admitted;
  }

  private static long executions(RedisServer redis) {
    return redis.commandStats().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("eval"))
        .mapToLong(entry -> entry.getValue().calls() - entry.getValue().failed())
        .sum();
  }

  /** Threads that ask all the time, and what they were told. */
  private static final class Load implements AutoCloseable {
    private final ExecutorService threads;
    private final AtomicBoolean stop = new AtomicBoolean();
    private final LongAdder shared = new LongAdder();
    private final LongAdder local = new LongAdder();
    private final LongAdder asked = new LongAdder();
    private volatile long longest;

    Load(DegradedLimiter limiter, int callers) {
      threads = Executors.newFixedThreadPool(callers);
      for (int t = 0; t < callers; t++) {
        String key = "caller-" + t;
        threads.execute(() -> run(limiter, key));
      }
    }

    private void run(DegradedLimiter limiter, String key) {
      while (!stop.get()) {
        asked.increment();
        long began = System.nanoTime();
        Decision decision = limiter.acquire(Charge.of(PLENTY, key));
        long took = System.nanoTime() - began;
        (decision.source() == Source.SHARED ? shared : local).increment();
        if (took > longest) {
          synchronized (this) {
            longest = Math.max(longest, took);
          }
        }
        // A caller does other things too; without that, eight threads would fill two cores.
        LockSupport.parkNanos(200_000);
      }
    }

    long decisions(Source source) {
      return (source == Source.SHARED ? shared : local).sum();
    }

    long started() {
      return asked.sum();
    }

    long longestNanos() {
      return longest;
    }

    @Override
    public void close() {
      stop.set(true);
      threads.shutdown();
      await().atMost(Duration.ofSeconds(5)).until(threads::isTerminated);
    }
  }
}
