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
import io.github.limiterkit.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Data lost or foreign: eviction, rollback, wrong type, old format. */
class K12LostOrForeignDataIT {

  private static final String SET_HEX =
      "return redis.call('SET', KEYS[1], (string.gsub(ARGV[1], '..',"
          + " function(hex) return string.char(tonumber(hex, 16)) end)))";

  @RegisterExtension static final TestRedis redis = new TestRedis();

  private final MetricRegistry registry = new MetricRegistry();
  private LimiterKit kit;
  private RateLimiter limiter;

  @BeforeEach
  void open() {
    kit =
        Kits.shared(
            Kits.over(redis.url(), Kits.AMPLE, Kits.plenty())
                .metrics(DropwizardMetrics.on(registry))
                .build());
    limiter = Kits.limiter(kit);
  }

  @AfterEach
  void close() {
    kit.close();
  }

  @Test
  @DisplayName("ST-032 any of the keys may vanish between two calls, and no answer is odd")
  void bearsTheLossOfAnyKey() {
    SplittableRandom random = new SplittableRandom(20_260_032);
    Policy policy = Policy.named("p").limits("10/20ms, 25/60ms, 60/200ms").build();
    for (int call = 0; call < 4_000; call++) {
      if (random.nextInt(5) == 0) {
        List<String> keys = List.copyOf(redis.lifetimes("p").keySet());
        for (String key : keys) {
          if (random.nextBoolean()) {
            redis.command("DEL", key);
          }
        }
      }
      Decision decision = limiter.acquire(Charge.of(policy, "user:ada"));
      assertThat(Kits.isShared(decision)).as("%s", decision).isTrue();
      if (decision.allowed()) {
        assertThat(Answers.remaining(decision))
            .allSatisfy(left -> assertThat(left).isNotNegative())
            .satisfies(left -> assertThat(left.get(0)).isLessThanOrEqualTo(9));
      }
    }
  }

  @Test
  @DisplayName("ST-032 a loss admits at most the limit once more, and this instance no more at all")
  void admitsAtMostTheLimitOnceMore() {
    Policy policy = Policy.named("p").limits("20/1m").build();
    try (LimiterKit other =
        Kits.shared(Kits.over(redis.url(), Kits.AMPLE, Kits.plenty()).build())) {
      int admitted = admitted(30, limiter, policy);
      assertThat(admitted).isEqualTo(20);
      redis.command("FLUSHALL");
      admitted += admitted(30, Kits.limiter(other), policy);
      admitted += admitted(30, limiter, policy);
      assertThat(admitted).isEqualTo(40);
    }
  }

  @Test
  @DisplayName("ST-033 a value of another type is replaced by the first call, and the limit holds")
  void replacesValuesOfOtherTypes() {
    Policy policy = Policy.named("p").limits("5/1m").build();
    List<List<String>> foreign =
        List.of(
            List.of("SET", "something else"),
            List.of("SET", "5"),
            List.of("RPUSH", "a", "b"),
            List.of("HSET", "field", "value"),
            List.of("SADD", "member"),
            List.of("ZADD", "1727000000123456", "1727000000123456-1"),
            List.of("PFADD", "element"),
            List.of("SETBIT", "7", "1"),
            List.of("XADD", "*", "field", "value"));
    for (int i = 0; i < foreign.size(); i++) {
      List<String> put = foreign.get(i);
      String subject = "user:" + i;
      long replaced = unreadable();
      putInPlaceOf(policy, subject, put);
      for (long left = 4; left >= 2; left--) {
        Decision decision = limiter.acquire(Charge.of(policy, subject));
        assertThat(decision.source()).as("%s", put).isEqualTo(Source.SHARED);
        assertThat(Answers.left(decision)).as("%s", put).isEqualTo(left);
      }
      assertThat(unreadable()).as("%s", put).isEqualTo(replaced + 1);
      assertThat(admitted(10, limiter, policy, subject)).as("%s", put).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("ST-033 sibling: strings that begin like the kit's own, with anything behind")
  void bearsStringsThatLookLikeItsOwn() {
    SplittableRandom random = new SplittableRandom(20_260_033);
    Policy policy = Policy.named("p").limits("5/400ms").build();
    for (int i = 0; i < 300; i++) {
      StringBuilder hex = new StringBuilder("4c4b");
      int bytes = random.nextInt(3) == 0 ? random.nextInt(60) : 36 + 12 * random.nextInt(4);
      for (int b = 0; b < bytes; b++) {
        hex.append("%02x".formatted(random.nextInt(3) == 0 ? 0 : random.nextInt(256)));
      }
      String subject = "user:" + i;
      putInPlaceOf(policy, subject, List.of("SETHEX", hex.toString()));
      for (int call = 0; call < 3; call++) {
        Decision decision = limiter.acquire(Charge.of(policy, subject));
        assertThat(Kits.isShared(decision)).as("%s: %s", hex, decision).isTrue();
      }
      assertThat(admitted(20, limiter, policy, subject)).as("%s", hex).isLessThanOrEqualTo(10);
    }
    // Whatever they said, they are over when a window has passed.
    await()
        .pollDelay(Duration.ofMillis(500))
        .until(() -> admitted(10, limiter, policy, "user:7") == 5);
  }

  @Test
  @DisplayName("ST-034 admissions that a promoted replica lacks are given out once more at most")
  void bearsARollback() {
    Policy policy = Policy.named("p").limits("100/1m").build();
    try (RedisServer master = RedisServer.start();
        RedisServer replica = RedisServer.start();
        FaultProxy proxy = FaultProxy.inFrontOf(master.port());
        LimiterKit one = Kits.shared(Kits.over(proxy.url(), Kits.AMPLE, Kits.plenty()).build());
        LimiterKit two = Kits.shared(Kits.over(proxy.url(), Kits.AMPLE, Kits.plenty()).build())) {
      replica.command("REPLICAOF", "127.0.0.1", String.valueOf(master.port()));
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
      replica.pause();
      int admitted =
          admitted(30, Kits.limiter(one), policy) + admitted(30, Kits.limiter(two), policy);
      assertThat(admitted).isEqualTo(60);
      master.kill();
      replica.resume();
      replica.command("REPLICAOF", "NO", "ONE");
      proxy.leadTo(replica.port());
      Kits.shared(one);
      Kits.shared(two);
      long before = 100;
      for (int i = 0; i < 100; i++) {
        for (LimiterKit each : List.of(one, two)) {
          Decision decision = Kits.limiter(each).acquire(Charge.of(policy, "user:ada"));
          admitted += decision.allowed() ? 1 : 0;
          assertThat(Answers.left(decision)).isBetween(0L, before);
        }
      }
      assertThat(admitted).isBetween(100, 200);
    } finally {
      // Nothing of this test is in the server of the others.
      assertThat(redis.lifetimes("p")).isEmpty();
    }
  }

  /** Puts a foreign value where the count of a subject would be, of which nobody knows a unit. */
  private void putInPlaceOf(Policy policy, String subject, List<String> put) {
    String key =
        "{limiterkit:%s:%s}:1:%d"
            .formatted(
                policy.name(), subject.replace(":", "%3A"), policy.limits().get(0).windowMillis());
    if (put.get(0).equals("SETHEX")) {
      redis.command("EVAL", SET_HEX, "1", key, put.get(1));
    } else {
      List<String> command = new ArrayList<>(put);
      command.add(1, key);
      redis.command(command.toArray(String[]::new));
    }
  }

  private long unreadable() {
    return registry.counter("limiterkit.store.unreadable").getCount();
  }

  private static int admitted(int calls, RateLimiter limiter, Policy policy) {
    return admitted(calls, limiter, policy, "user:ada");
  }

  private static int admitted(int calls, RateLimiter limiter, Policy policy, String subject) {
    int admitted = 0;
    for (int i = 0; i < calls; i++) {
      admitted += limiter.acquire(Charge.of(policy, subject)).allowed() ? 1 : 0;
    }
    return admitted;
  }
}
