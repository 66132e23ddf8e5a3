package io.github.limiterkit.redis;

import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Mode;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import io.github.limiterkit.degraded.DegradedLimiter;
import io.github.limiterkit.testing.RateLimiterContract;
import io.github.limiterkit.testing.RedisServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** The contract of every limiter, counted by the script on a real server. */
class RedisLimiterContractIT extends RateLimiterContract {

  private static final long START = 1_700_000_000_000L;

  private static RedisServer redis;

  private final AtomicLong nanos = new AtomicLong();
  private @Nullable DegradedLimiter limiter;

  @BeforeAll
  static void startRedis() {
    redis = RedisServer.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @AfterEach
  void close() {
    if (limiter != null) {
      limiter.close();
    }
  }

  @Override
  protected RateLimiter createLimiter() {
    DegradedLimiter over =
        DegradedLimiter.over(ScriptStore.at(redis.url(), () -> START + nanos.get() / 1_000_000))
            .ticker(nanos::get)
            .build();
    limiter = over;
    over.start();
    await().pollInterval(Duration.ofMillis(5)).until(() -> over.mode() == Mode.SHARED);
    return over;
  }

  @Override
  protected Source source() {
    return Source.SHARED;
  }

  @Override
  protected void advance(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
