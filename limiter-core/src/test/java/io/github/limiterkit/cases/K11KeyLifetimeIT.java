package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.io.Resources;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Reset;
import io.github.limiterkit.Source;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.store.SharedStore;
import io.github.limiterkit.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Key lifetime: none, too long, too short, refreshed. On the server's own clock. */
class K11KeyLifetimeIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  private LimiterKit kit;
  private RateLimiter limiter;

  @BeforeEach
  void open() {
    kit = Kits.shared(Kits.over(redis.url(), Kits.AMPLE, Kits.plenty()).build());
    limiter = Kits.limiter(kit);
  }

  @AfterEach
  void close() {
    kit.close();
  }

  @Test
  @DisplayName(
      "ST-027 a key at its limit that lost its expiry blocks its client for W + 1 s at most")
  void healsAKeyWithoutExpiry() throws InterruptedException {
    Policy policy = policy("3/700ms");
    assertThat(ask(policy, "user:ada", 3)).isTrue();
    String key = redis.lifetimes("p").keySet().iterator().next();
    assertThat(redis.command("PERSIST", key)).isEqualTo("1");
    assertThat(redis.lifetimes()).containsEntry(key, -1L);
    long began = System.nanoTime();
    while (!ask(policy, "user:ada", 1)) {
      assertThat(System.nanoTime() - began).isLessThan(Duration.ofMillis(1_700).toNanos());
      Thread.sleep(20);
    }
    assertThat(redis.lifetimes().get(key)).isPositive();
  }

  @Test
  @DisplayName("ST-027 sibling: nor does one whose units lie a year in the future")
  void healsAKeyFromTheFuture() throws InterruptedException {
    Policy policy = policy("3/700ms");
    assertThat(ask(policy, "user:ada", 3)).isTrue();
    String key = redis.lifetimes("p").keySet().iterator().next();
    // The stamp of the newest entry is six bytes behind mark, birth, total and two epochs.
    redis.command(
        "EVAL",
        "local s = redis.call('GET', KEYS[1])"
            + " local year = string.sub(struct.pack('>I6', 1893456000000), 1, 6)"
            + " redis.call('SET', KEYS[1], string.sub(s, 1, 26) .. year .. string.sub(s, 33))",
        "1",
        key);
    long began = System.nanoTime();
    while (!ask(policy, "user:ada", 1)) {
      assertThat(System.nanoTime() - began).isLessThan(Duration.ofMillis(1_700).toNanos());
      Thread.sleep(20);
    }
    assertThat(redis.lifetimes().get(key)).isPositive();
  }

  @Test
  @DisplayName("ST-027 clients that are cut off between their calls leave no key without expiry")
  void leavesNoKeyWithoutExpiryWhenClientsAreCutOff() throws Exception {
    Policy policy = policy("5/1m");
    AtomicInteger kills = new AtomicInteger();
    Together.run(
        5,
        thread -> {
          for (int i = 0; kills.get() < 20; i++) {
            if (thread < 4) {
              ask(policy, "user:" + thread + "-" + i, 1);
            } else if (keys() > 20L * (1 + kills.get())) {
              redis.command("CLIENT", "KILL", "TYPE", "normal");
              kills.incrementAndGet();
            }
          }
          return 0;
        });
    assertThat(redis.lifetimes("p")).hasSizeGreaterThan(300);
    assertThat(redis.lifetimes()).allSatisfy((key, left) -> assertThat(left).isPositive());
  }

  @Test
  @Tag("deep")
  @DisplayName("ST-027 nor do 10,000 clients that are cut off")
  void leavesNoKeyWithoutExpiryWhenManyClientsAreCutOff() throws Exception {
    Policy policy = policy("5/10m");
    AtomicInteger cutOff = new AtomicInteger();
    AtomicInteger counted = new AtomicInteger();
    Together.run(
        9,
        thread -> {
          if (thread == 8) {
            cutOffWhoHasCounted(10_000, cutOff, counted);
          } else {
            countUntil(10_000, cutOff, counted, policy, "user:" + thread);
          }
          return 0;
        });
    assertThat(redis.lifetimes("p")).hasSizeGreaterThanOrEqualTo(counted.get());
    assertThat(redis.lifetimes()).allSatisfy((key, left) -> assertThat(left).isPositive());
  }

  private static void cutOffWhoHasCounted(int enough, AtomicInteger cutOff, AtomicInteger counted) {
    int before = -1;
    while (cutOff.get() < enough) {
      if (counted.get() > before) {
        before = counted.get();
        cutOff.addAndGet(Integer.parseInt(redis.command("CLIENT", "KILL", "TYPE", "normal")));
      }
    }
  }

  /** Without a gate, which would keep it away from a server that cuts it off all the time. */
  private static void countUntil(
      int enough, AtomicInteger cutOff, AtomicInteger counted, Policy policy, String client) {
    try (SharedStore store =
        RedisStore.at(redis.url()).readableKeys().deadline(Kits.AMPLE).open()) {
      store.start(sample -> {});
      for (int i = 0; cutOff.get() < enough; i++) {
        List<Charge> charges = List.of(Charge.of(policy, client + "-" + i));
        try {
          store.decide(charges, new long[1], System.nanoTime() + Kits.AMPLE.toNanos());
          counted.incrementAndGet();
        } catch (StoreException cut) {
          // Whether it was counted nobody knows; that its key expires is what this is about.
          Kits.probe(store);
        }
      }
    }
  }

  @Test
  @DisplayName("ST-028 who stays below the rate is never locked out, without a pause of a window")
  void neverLocksOutWhoStaysBelowTheRate() throws InterruptedException {
    rejectsNoneAtASteadyPace(policy("10/120ms"), Duration.ofMillis(20), 50);
  }

  @Test
  @Tag("deep")
  @DisplayName("ST-028 the same for 18 seconds")
  void neverLocksOutWhoStaysBelowTheRateForLong() throws InterruptedException {
    rejectsNoneAtASteadyPace(policy("10/600ms"), Duration.ofMillis(100), 180);
  }

  @Test
  @DisplayName("ST-029 with W = 1.5 s every key lives as long as the design says, and no longer")
  void setsALifetimeInTheRightUnit() {
    Policy policy = policy("5/1500ms");
    for (int i = 0; i < 100; i++) {
      ask(policy, "user:" + i, 1);
    }
    assertThat(redis.lifetimes("p")).hasSize(100);
    assertThat(redis.lifetimes("p").values())
        .allSatisfy(left -> assertThat(left).isBetween(1L, longest(1_500, 0)));
  }

  @Test
  @Tag("deep")
  @DisplayName("ST-029 after 100,000 one-off subjects and a quiet time the server is empty again")
  void leavesNothingBehind() throws Exception {
    Policy policy = policy("5/1500ms");
    long before = keys();
    Together.run(
        20,
        thread -> {
          for (int i = 0; i < 5_000; i++) {
            ask(policy, "user:" + thread + "-" + i, 1);
          }
          return null;
        });
    assertThat(limiter.acquire(Charge.of(policy, "user:last")).source()).isEqualTo(Source.SHARED);
    // The server looks for what has expired now and then, some of it at a time.
    await()
        .atMost(Duration.ofMillis(longest(1_500, 0)).plusSeconds(60))
        .untilAsserted(() -> assertThat(keys()).isLessThanOrEqualTo(before));
    assertThat(redis.lifetimes("p")).isEmpty();
  }

  @Test
  @DisplayName("ST-030 nothing is carried from one window into the next")
  void carriesNothingIntoTheNextWindow() throws InterruptedException {
    rejectsNoneAtASteadyPace(policy("5/80ms"), Duration.ofMillis(20), 50);
  }

  @Test
  @Tag("deep")
  @DisplayName("ST-030 the same with W = 1 s for a minute")
  void carriesNothingIntoTheNextWindowForAMinute() throws InterruptedException {
    rejectsNoneAtASteadyPace(policy("5/1s"), Duration.ofMillis(250), 240);
  }

  @Test
  @DisplayName("ST-030 no script decides by what a key has left to live")
  void neverDecidesByALifetime() throws IOException {
    String script =
        Resources.toString(
                Resources.getResource(RedisStore.class, "decide.lua"), StandardCharsets.UTF_8)
            .toUpperCase(Locale.ROOT);
    assertThat(script).doesNotContain("TTL'").doesNotContain("EXPIRETIME'");
    assertThat(script).as("count and lifetime are set in one step").doesNotContain("EXPIRE'");
  }

  @Test
  @DisplayName("ST-031 whatever path a call took, all of its keys have a lifetime within bounds")
  void setsALifetimeOnEveryPath() {
    SplittableRandom random = new SplittableRandom(20_260_031);
    Policy small = policy("small", "2/1500ms");
    Policy large = policy("large", "5000/9s");
    Policy rules = policy("rules", "10/1s, 100/20s, 1000/1m");
    for (int i = 0; i < 1_000; i++) {
      String subject = "user:" + Long.toHexString(random.nextLong());
      ask(small, subject, 1); // admitted
      ask(small, subject, 2); // refused
      ask(small, subject, 3); // impossible
      ask(small, subject, 0); // looked at
      ask(large, subject, 1); // admitted
      ask(large, subject, 4); // admitted into the same cell
      ask(rules, subject, 1 + random.nextInt(12)); // some admitted, some refused
      limiter.acquire(List.of(Charge.of(small, subject + "-2"), Charge.of(rules, subject + "-2")));
      Decision wrong = limiter.acquire(Charge.of(small, subject + "-3"));
      assertThat(kit.limiter().refund(wrong).units()).isOne();
      ask(small, subject + "-4", 1);
      assertThat(kit.limiter().reset(small, subject + "-4")).isEqualTo(Reset.DONE);
      assertThat(kit.limiter().reset(small, subject + "-5")).as("unused").isEqualTo(Reset.DONE);
    }
    assertThat(redis.lifetimes("small")).hasSize(5_000);
    assertThat(redis.lifetimes("rules").size()).isGreaterThan(4_000);
    assertThat(redis.lifetimes("large")).hasSize(1_000);
    redis
        .lifetimes("small")
        .forEach((key, left) -> assertThat(left).as(key).isBetween(1L, longest(1_500, 0)));
    redis
        .lifetimes("large")
        .forEach((key, left) -> assertThat(left).as(key).isBetween(1L, longest(9_000, 150)));
    redis
        .lifetimes("rules")
        .forEach((key, left) -> assertThat(left).as(key).isBetween(1L, longest(60_000, 1_000)));
  }

  /** The lifetime that the design gives a state: the counters of the epochs outlive a window. */
  private static long longest(long window, long grain) {
    return 2 * Math.max(window, 5_000) + Math.max(1, grain) + 1_000;
  }

  private void rejectsNoneAtASteadyPace(Policy policy, Duration pace, int calls)
      throws InterruptedException {
    for (int i = 0; i < calls; i++) {
      assertThat(ask(policy, "user:ada", 1)).as("call %d", i).isTrue();
      Thread.sleep(pace.toMillis());
    }
  }

  private static long keys() {
    return Long.parseLong(redis.command("DBSIZE"));
  }

  private static Policy policy(String limits) {
    return policy("p", limits);
  }

  private static Policy policy(String name, String limits) {
    return Policy.named(name).limits(limits).build();
  }

  private boolean ask(Policy policy, String key, long cost) {
    return limiter.acquire(new Charge(policy, key, cost)).allowed();
  }
}
