package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import io.github.limiterkit.degraded.DegradedLimiter;
import io.github.limiterkit.local.LocalLimiter;
import io.github.limiterkit.local.LocalTable;
import io.github.limiterkit.redis.RedisStore;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clock step, suspend, pause, late execution: what is decided from memory, without a store and
 * while the store is lost. That nothing reads the wall clock, the architecture's test shows.
 */
@ParameterizedClass(name = "{0}")
@EnumSource
class K25ClockStepsIT {

  private static final long[] ORIGINS = {
    Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE - 5_000_000_000L
  };

  /** From whose memory. */
  enum Kind {
    WITHOUT_A_STORE,
    WHILE_IT_IS_LOST
  }

  @Parameter Kind kind;

  private final AtomicLong nanos = new AtomicLong();

  @Test
  @DisplayName("ST-068 a step of the wall clock is none of the limiter's clock, and refuses nobody")
  void goesByItsTickerAlone() {
    RateLimiter limiter = limiter();
    Policy policy = policy("10/1m");
    for (long left = 9; left >= 7; left--) {
      assertThat(Answers.left(ask(limiter, policy))).isEqualTo(left);
    }
    // A ticker knows no wall clock; even one that steps back is taken for one that stood still.
    advance(-11_000);
    Decision fourth = ask(limiter, policy);
    assertThat(fourth.allowed()).isTrue();
    assertThat(Answers.left(fourth)).isEqualTo(6);
    advance(11_000 + 59_999);
    assertThat(Answers.left(ask(limiter, policy))).isEqualTo(5);
    advance(1);
    assertThat(Answers.left(ask(limiter, policy))).as("the first four are over").isEqualTo(8);
  }

  @Test
  @DisplayName("ST-069 the clock may begin anywhere, and wrap")
  void countsFromAnyOrigin() {
    for (long origin : ORIGINS) {
      nanos.set(origin);
      RateLimiter limiter = limiter();
      Policy policy = policy("3/3s");
      boolean[] expected = {true, true, true, true, false, true, true, true, false};
      long[] times = {0, 1_000, 2_000, 3_000, 3_500, 4_000, 5_500, 6_000, 6_999};
      for (int i = 0; i < times.length; i++) {
        nanos.set(origin + times[i] * 1_000_000);
        assertThat(ask(limiter, policy).allowed())
            .as("origin %d, at %d", origin, times[i])
            .isEqualTo(expected[i]);
      }
    }
  }

  @Test
  @DisplayName("ST-070 an idle time is credited once, and a suspended one not at all")
  void creditsAnIdleTimeOnce() {
    RateLimiter limiter = limiter();
    Policy policy = policy("10/1m");
    assertThat(admitted(limiter, policy, 10)).isEqualTo(10);
    assertThat(admitted(limiter, policy, 5)).as("the machine slept, its clock too").isZero();
    advance(Duration.ofHours(2).toMillis());
    assertThat(admitted(limiter, policy, 11)).isEqualTo(10);
    assertThat(ask(limiter, policy).retryAfterMillis()).isEqualTo(60_000);
  }

  @Test
  @DisplayName("ST-070 a hundred random jumps of up to three windows agree with the oracle")
  void agreesWithTheOracleOverJumps() {
    SplittableRandom random = new SplittableRandom(20_260_070);
    RateLimiter limiter = limiter();
    Policy policy = policy("10/1m");
    ExactOracle oracle = new ExactOracle(10, 60_000);
    long now = 0;
    for (int jump = 0; jump < 100; jump++) {
      long by = random.nextInt(3) == 0 ? random.nextInt(180_001) : random.nextInt(20_000);
      advance(by);
      now += by;
      for (int call = 0; call < 4; call++) {
        long cost = 1L + random.nextInt(3);
        long wait = oracle.retryAfter(now, cost);
        boolean expected = oracle.ask(now, cost);
        Decision decision = Answers.check(limiter.acquire(new Charge(policy, "user:ada", cost)));
        assertThat(decision.allowed()).as("jump %d", jump).isEqualTo(expected);
        assertThat(decision.retryAfterMillis()).isEqualTo(expected ? 0 : wait);
      }
    }
  }

  private RateLimiter limiter() {
    if (kind == Kind.WITHOUT_A_STORE) {
      return new LocalLimiter(nanos::get, LocalTable.DEFAULT_MAX_KEYS);
    }
    // Never started, so that the store is lost all the time.
    return DegradedLimiter.over(RedisStore.at("redis://127.0.0.1:1").open())
        .ticker(nanos::get)
        .build();
  }

  private static Policy policy(String limits) {
    return Policy.named("p").limits(limits).build();
  }

  private void advance(long millis) {
    nanos.addAndGet(millis * 1_000_000);
  }

  private static Decision ask(RateLimiter limiter, Policy policy) {
    Decision decision = Answers.check(limiter.acquire(List.of(Charge.of(policy, "user:ada"))));
    assertThat(decision.source()).isEqualTo(Source.LOCAL);
    return decision;
  }

  private static int admitted(RateLimiter limiter, Policy policy, int calls) {
    int admitted = 0;
    for (int i = 0; i < calls; i++) {
      admitted += ask(limiter, policy).allowed() ? 1 : 0;
    }
    return admitted;
  }
}
