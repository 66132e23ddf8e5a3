package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Source;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.testing.FaultProxy;
import io.github.limiterkit.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What this instance admitted goes on counting when the store forgets, and only for as long as it
 * lives: on a real server that is emptied, killed, started empty and slowed.
 */
class FloorIT {

  private static final int QUOTA = 100;
  private static final Policy HOURLY = Policy.named("hourly").limits(QUOTA + "/1h").build();

  private final LongAdder floorRefusals = new LongAdder();
  private final List<DegradedLimiter> started = new ArrayList<>();

  @AfterEach
  void close() {
    started.forEach(DegradedLimiter::close);
  }

  @Test
  void aStoreThatIsEmptiedGivesNothingOutAgain() {
    try (RedisServer redis = RedisServer.start()) {
      DegradedLimiter limiter = shared(redis.url());
      int admitted = admitted(limiter, HOURLY, 60);
      redis.command("FLUSHALL");
      admitted += admitted(limiter, HOURLY, 2 * QUOTA);
      assertThat(admitted).isEqualTo(QUOTA);
      assertThat(floorRefusals.sum()).isPositive();
    }
  }

  @Test
  void neitherDoesOneThatStartsEmptyAfterAnOutage() {
    try (RedisServer redis = RedisServer.start()) {
      DegradedLimiter limiter = shared(redis.url());
      int admitted = admitted(limiter, HOURLY, 30);
      redis.kill();
      awaitMode(limiter, Mode.DEGRADED);
      Decision here = limiter.acquire(Charge.of(HOURLY, "a"));
      assertThat(here.source()).isEqualTo(Source.LOCAL);
      admitted += 1 + admitted(limiter, HOURLY, 29);
      redis.restart();
      awaitMode(limiter, Mode.SHARED);
      admitted += admitted(limiter, HOURLY, 2 * QUOTA);
      assertThat(admitted).isEqualTo(QUOTA);
    }
  }

  @Test
  @Tag("deep")
  void afterAnOutageOfMoreThanTwoWindowsAllOfTheQuotaIsThereAgain() throws Exception {
    Policy brief = Policy.named("brief").limits(QUOTA + "/700ms").build();
    try (RedisServer redis = RedisServer.start()) {
      DegradedLimiter limiter = shared(redis.url());
      assertThat(admitted(limiter, brief, QUOTA)).isEqualTo(QUOTA);
      redis.kill();
      awaitMode(limiter, Mode.DEGRADED);
      long end = System.nanoTime() + Duration.ofMillis(1_500).toNanos();
      while (System.nanoTime() - end < 0) {
        limiter.acquire(Charge.of(brief, "a"));
        Thread.sleep(1);
      }
      redis.restart();
      awaitMode(limiter, Mode.SHARED);
      Thread.sleep(700);
      Decision all = limiter.acquire(new Charge(brief, "a", QUOTA));
      assertThat(all.allowed()).as("%s", all).isTrue();
      assertThat(all.source()).isEqualTo(Source.SHARED);
    }
  }

  @Test
  @Tag("deep")
  void aStoreThatComesAndGoesGivesNothingOutTwice() {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.inFrontOf(redis.port())) {
      DegradedLimiter limiter = shared(proxy.url());
      int admitted = 0;
      for (int time = 0; time < 2; time++) {
        admitted += admitted(limiter, HOURLY, 15);
        proxy.refuse();
        awaitMode(limiter, Mode.DEGRADED);
        admitted += admitted(limiter, HOURLY, 15);
        proxy.pass();
        awaitMode(limiter, Mode.SHARED);
      }
      admitted += admitted(limiter, HOURLY, 2 * QUOTA);
      assertThat(admitted).isEqualTo(QUOTA);
    }
  }

  @Test
  void callsThatTimedOutAndRanAreNoReasonToAdmitMore() {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.inFrontOf(redis.port())) {
      DegradedLimiter limiter = shared(proxy.url());
      int admitted = 0;
      int lost = 0;
      for (int time = 0; time < 2; time++) {
        admitted += admitted(limiter, HOURLY, 5);
        proxy.swallowReplies();
        Decision unheard = limiter.acquire(Charge.of(HOURLY, "a"));
        assertThat(unheard.source()).isEqualTo(Source.LOCAL);
        assertThat(unheard.allowed()).isTrue();
        admitted++;
        lost++;
        proxy.pass();
        awaitMode(limiter, Mode.SHARED);
      }
      admitted += admitted(limiter, HOURLY, 2 * QUOTA);
      // The store may have counted one that was counted here as well.
      assertThat(admitted).isBetween(QUOTA - lost, QUOTA);
    }
  }

  @Test
  void aHealthyStoreRefusesNobodyWhoKeepsToTheLimit() throws Exception {
    refusesNobody(16, 1_600);
  }

  @Test
  @Tag("deep")
  void aHealthyStoreRefusesNobodyInAHundredThousandRequests() throws Exception {
    refusesNobody(64, 100_000);
  }

  /** Replies take 1 to 20 ms; each key is asked for again 60 ms after its last answer. */
  private void refusesNobody(int threads, int requests) throws Exception {
    Policy policy = Policy.named("paced").limits("20/1s, 600/1m").build();
    int keys = 8;
    ExecutorService pool = Executors.newFixedThreadPool(threads + 1);
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.inFrontOf(redis.port())) {
      DegradedLimiter limiter = shared(proxy.url());
      AtomicBoolean done = new AtomicBoolean();
      Future<?> weather = pool.submit(() -> changeDelays(proxy, done));
      List<Future<Integer>> callers = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        String own = "user:" + t + "-";
        callers.add(
            pool.submit(() -> refusedAtAPace(limiter, policy, own, keys, requests / threads)));
      }
      for (Future<Integer> caller : callers) {
        assertThat(caller.get(5, TimeUnit.MINUTES)).as("refused").isZero();
      }
      done.set(true);
      weather.get(10, TimeUnit.SECONDS);
      assertThat(floorRefusals.sum()).isZero();
    } finally {
      pool.shutdownNow();
    }
  }

  private static void changeDelays(FaultProxy proxy, AtomicBoolean done) {
    SplittableRandom random = new SplittableRandom(20_260_400);
    while (!done.get()) {
      proxy.delayReplies(Duration.ofMillis(1 + random.nextInt(20)));
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  private static int refusedAtAPace(
      DegradedLimiter limiter, Policy policy, String own, int keys, int requests) {
    long pace = Duration.ofMillis(110).toNanos();
    long[] next = new long[keys];
    int refused = 0;
    for (int i = 0; i < requests; i++) {
      int key = i % keys;
      long wait = next[key] - System.nanoTime();
      if (i >= keys && wait > 0) {
        LockSupport.parkNanos(wait);
      }
      refused += limiter.acquire(Charge.of(policy, own + key)).allowed() ? 0 : 1;
      next[key] = System.nanoTime() + pace;
    }
    return refused;
  }

  private static int admitted(DegradedLimiter limiter, Policy policy, int times) {
    int admitted = 0;
    for (int i = 0; i < times; i++) {
      admitted += limiter.acquire(Charge.of(policy, "a")).allowed() ? 1 : 0;
    }
    return admitted;
  }

  private DegradedLimiter shared(String url) {
    Duration deadline = Duration.ofMillis(200);
    DegradedLimiter limiter =
        DegradedLimiter.over(RedisStore.at(url).deadline(deadline).open())
            .gate(GateSettings.defaults().slow(deadline))
            .listener(
                new DegradedListener() {
                  @Override
                  public void floorRefusal() {
                    floorRefusals.increment();
                  }
                })
            .build();
    started.add(limiter);
    limiter.start();
    awaitMode(limiter, Mode.SHARED);
    return limiter;
  }

  private static void awaitMode(DegradedLimiter limiter, Mode mode) {
    Policy plenty = Policy.named("plenty").limits("1000000/1m").build();
    await()
        .until(
            () -> {
              // A gate shuts on what callers see.
              limiter.acquire(Charge.of(plenty, "b"));
              return limiter.mode() == mode;
            });
  }
}
