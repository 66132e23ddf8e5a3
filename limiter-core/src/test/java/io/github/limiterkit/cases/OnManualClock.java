package io.github.limiterkit.cases;

import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.degraded.DegradedLimiter;
import io.github.limiterkit.local.LocalLimiter;
import io.github.limiterkit.local.LocalTable;
import io.github.limiterkit.redis.ScriptStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cases that are told in times of a clock which begins at 0 and moves only when the test says so.
 * Each is tried twice, in memory and counted by the script on a real Redis, and must give the same
 * numbers.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(Place.class)
abstract class OnManualClock {

  /** A whole number of hours, so that the edges of minutes are where a case says they are. */
  private static final long EPOCH = 472_222L * 3_600_000;

  @RegisterExtension static final TestRedis redis = new TestRedis();

  @Parameter Place place;

  private final AtomicLong nanos = new AtomicLong();
  private final List<DegradedLimiter> opened = new ArrayList<>();
  private RateLimiter limiter;

  @BeforeEach
  void open() {
    limiter = newLimiter();
  }

  @AfterEach
  void close() {
    opened.forEach(DegradedLimiter::close);
  }

  final RateLimiter limiter() {
    return limiter;
  }

  /** Another instance on the same clock; in Redis it counts together with the others. */
  final RateLimiter newLimiter() {
    if (place == Place.MEMORY) {
      return new LocalLimiter(nanos::get, LocalTable.DEFAULT_MAX_KEYS);
    }
    DegradedLimiter shared =
        DegradedLimiter.over(ScriptStore.at(redis.url(), () -> EPOCH + now()))
            .ticker(nanos::get)
            .build();
    opened.add(shared);
    shared.start();
    await()
        .pollInterval(Duration.ofMillis(5))
        .atMost(Duration.ofSeconds(30))
        .until(() -> shared.mode() == Mode.SHARED);
    return shared;
  }

  final long now() {
    return nanos.get() / 1_000_000;
  }

  /** Moves the clock on to a time. */
  final void at(long millis) {
    advance(millis - now());
  }

  final void advance(long millis) {
    if (millis < 0) {
      throw new IllegalArgumentException("the clock does not go back, not even by " + -millis);
    }
    nanos.addAndGet(millis * 1_000_000);
  }

  static Policy policy(String limits) {
    return policy("p", limits);
  }

  static Policy policy(String name, String limits) {
    return Policy.named(name).limits(limits).build();
  }

  final Decision ask(Policy policy) {
    return ask(policy, 1);
  }

  final Decision ask(Policy policy, long cost) {
    return ask(policy, "user:ada", cost);
  }

  final Decision ask(Policy policy, String key, long cost) {
    return ask(List.of(new Charge(policy, key, cost)));
  }

  final Decision ask(List<Charge> charges) {
    return Answers.check(limiter.acquire(charges));
  }

  /** How many of so many calls at this moment are admitted. */
  final int admitted(int calls, Policy policy) {
    int admitted = 0;
    for (int i = 0; i < calls; i++) {
      admitted += ask(policy).allowed() ? 1 : 0;
    }
    return admitted;
  }

  /** Looks at what remains, and charges nothing. */
  final List<Long> look(Policy policy) {
    return Answers.remaining(ask(policy, 0));
  }
}
