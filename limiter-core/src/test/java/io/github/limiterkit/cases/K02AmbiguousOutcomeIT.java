package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ambiguous outcome: stale reply, hidden retry, odd reply shape. */
class K02AmbiguousOutcomeIT {

  private static final Duration DEADLINE = Duration.ofMillis(20);
  private static final int KEYS = 100;
  private static final int CALLS = 2_000;
  private static final int THREADS = 20;
  private static final int CHECKED_BY_EACH = 5;

  @RegisterExtension static final TestRedis redis = new TestRedis();

  private final MetricRegistry registry = new MetricRegistry();

  @Test
  @DisplayName("ST-003 of 2,000 calls with late replies none is given the reply of another")
  void givesEveryCallItsOwnReply() throws Exception {
    // The limit of key i is 1000 + i, so that the reply for another key shows in what remains.
    List<Policy> policies =
        IntStream.range(0, KEYS)
            .mapToObj(i -> Policy.named("key-" + i).limits((1000 + i) + "/1h").build())
            .toList();
    AtomicInteger[] asked = new AtomicInteger[KEYS];
    for (int i = 0; i < KEYS; i++) {
      asked[i] = new AtomicInteger();
    }
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = neverShuts(proxy)) {
      RateLimiter limiter = Kits.limiter(kit);
      AtomicInteger busy = new AtomicInteger(THREADS);
      List<Integer> checked =
          Together.run(
              THREADS + 1,
              thread -> {
                SplittableRandom random = new SplittableRandom(20_260_003 + thread);
                if (thread == THREADS) {
                  while (busy.get() > 0) {
                    proxy.delayReplies(DEADLINE.multipliedBy(random.nextInt(201)).dividedBy(100));
                    Thread.sleep(20);
                  }
                  return 0;
                }
                int decided = 0;
                // On a busy machine it takes more calls until enough of them could be checked.
                for (int i = 0; i < CALLS / THREADS || decided < CHECKED_BY_EACH; i++) {
                  // Each key belongs to one thread, so its history is known.
                  int key = thread * (KEYS / THREADS) + random.nextInt(KEYS / THREADS);
                  int calls = asked[key].incrementAndGet();
                  Decision decision = limiter.acquire(Charge.of(policies.get(key), "user:ada"));
                  long used = 1000 + key - Answers.left(decision);
                  assertThat(used).as("%s, call %d", decision, calls).isBetween(1L, (long) calls);
                  decided += decision.source() == Source.SHARED ? 1 : 0;
                  LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
                }
                busy.decrementAndGet();
                return decided;
              });
      assertThat(checked.subList(0, THREADS)).allMatch(count -> count >= CHECKED_BY_EACH);
    }
  }

  @Test
  @DisplayName("ST-004 a call whose reply is lost ran once, costs one permit, and is not repeated")
  void neverRepeatsACallWhoseReplyIsLost() {
    Policy policy = Policy.named("lost").limits("100/1h").build();
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = neverShuts(proxy)) {
      RateLimiter limiter = Kits.limiter(kit);
      for (int lost = 1; lost <= 20; lost++) {
        look(limiter, policy);
        long before = TestRedis.executions(redis.server());
        long unknown = unknown();
        proxy.cutReplies(0);
        Decision decision = limiter.acquire(Charge.of(policy, "user:ada"));
        assertThat(decision.source()).isEqualTo(Source.LOCAL);
        assertThat(decision.allowed()).isTrue();
        proxy.pass();
        assertThat(TestRedis.executions(redis.server())).isEqualTo(before + 1);
        // Each time, because a look may be lost as well.
        assertThat(unknown()).isEqualTo(unknown + 1);
        assertThat(look(limiter, policy)).as("charged once for each").isEqualTo(100 - lost);
      }
    }
  }

  @Test
  @DisplayName("ST-004 sibling: nor is one whose reply is cut in two, garbled or late")
  void neverRepeatsACallWhoseReplyIsBroken() {
    Policy policy = Policy.named("broken").limits("100/1h").build();
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = neverShuts(proxy)) {
      RateLimiter limiter = Kits.limiter(kit);
      List<Runnable> faults =
          List.of(
              () -> proxy.cutReplies(5),
              () -> proxy.answer("garbage\r\n"),
              () -> proxy.answer("*0\r\n"),
              () -> proxy.answer("$-1\r\n"),
              () -> proxy.delayReplies(Duration.ofMillis(60)),
              () -> proxy.dribble(Duration.ofMillis(10)),
              proxy::swallowReplies);
      int calls = 0;
      for (Runnable fault : faults) {
        look(limiter, policy);
        long before = TestRedis.executions(redis.server());
        long unknown = unknown();
        fault.run();
        assertThat(limiter.acquire(Charge.of(policy, "user:ada")).source()).isEqualTo(Source.LOCAL);
        // Each time, because a look afterwards may be lost as well.
        assertThat(unknown()).isEqualTo(unknown + 1);
        calls++;
        await().until(() -> TestRedis.executions(redis.server()) == before + 1);
        proxy.pass();
        assertThat(look(limiter, policy)).isEqualTo(100 - calls);
      }
    }
  }

  @Test
  @DisplayName("ST-004 sibling: a call that never left is known not to have run")
  void knowsWhatNeverLeft() {
    Policy policy = Policy.named("kept").limits("100/1h").build();
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = neverShuts(proxy)) {
      RateLimiter limiter = Kits.limiter(kit);
      long before = look(limiter, policy);
      proxy.refuse();
      await().until(() -> proxy.connectionsOpen() == 0);
      for (int i = 0; i < 20; i++) {
        assertThat(limiter.acquire(Charge.of(policy, "user:ada")).source()).isEqualTo(Source.LOCAL);
      }
      proxy.pass();
      assertThat(look(limiter, policy)).isEqualTo(before - 20);
      assertThat(redis.lifetimes("kept")).isEmpty();
    }
  }

  /** What the store says is left, as soon as it says anything. */
  private static long look(RateLimiter limiter, Policy policy) {
    Decision[] last = new Decision[1];
    await()
        .pollInterval(Duration.ofMillis(5))
        .atMost(Duration.ofSeconds(10))
        .until(
            () -> {
              last[0] = limiter.acquire(new Charge(policy, "user:ada", 0));
              return last[0].source() == Source.SHARED;
            });
    return Answers.left(last[0]);
  }

  private long unknown() {
    return registry.counter("limiterkit.store.outcome-unknown").getCount();
  }

  private LimiterKit neverShuts(FaultProxy proxy) {
    return Kits.shared(
        Kits.over(proxy.url(), DEADLINE, Kits.plenty())
            .failuresInARow(100)
            .failuresOfTen(11)
            .metrics(DropwizardMetrics.on(registry))
            .build());
  }
}
