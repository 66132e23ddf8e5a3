package io.github.limiterkit.benchmarks;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Source;
import io.github.limiterkit.degraded.DegradedLimiter;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.testing.RedisServer;
import io.github.limiterkit.testing.RedisServer.CommandCount;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * This kit as it is used: with its own log, its floor and its health gate around the store. A
 * decision that it makes without the store, because the machine stalled and the gate shut, would be
 * a thousand times as fast, so they are counted, and a round that has some does not count.
 */
final class KitOnRedis implements SharedContender {

  /** So long that a busy machine does not look like a lost store; peers wait for 2 s. */
  private static final Duration DEADLINE = Duration.ofSeconds(1);

  private final DegradedLimiter limiter;
  private final Policy policy;
  private final LongAdder local = new LongAdder();

  KitOnRedis(RedisServer server, Quota quota) {
    this(server, quota, DEADLINE);
  }

  KitOnRedis(RedisServer server, Quota quota, Duration deadline) {
    policy =
        Policy.named("bench").limits(List.of(new Limit(quota.permits(), quota.window()))).build();
    limiter = DegradedLimiter.over(RedisStore.at(server.url()).deadline(deadline).open()).build();
    limiter.start();
    awaitMode(Mode.SHARED);
  }

  @Override
  public boolean admits(String key) {
    Decision decision = decide(key);
    if (decision.source() == Source.LOCAL || decision.source() == Source.POSTURE) {
      local.increment();
    }
    return decision.allowed();
  }

  Decision decide(String key) {
    return limiter.acquire(Charge.of(policy, key));
  }

  Mode mode() {
    return limiter.mode();
  }

  void awaitMode(Mode mode) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (limiter.mode() != mode) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("the kit is " + limiter.mode() + ", not " + mode);
      }
      Pause.millis(5);
    }
  }

  @Override
  public long commands(Map<String, CommandCount> counts) {
    return SharedContender.calls(counts, "evalsha") + SharedContender.calls(counts, "eval");
  }

  @Override
  public long decidedWithoutServer() {
    return local.sum();
  }

  @Override
  public void close() {
    limiter.close();
  }
}
