package io.github.limiterkit.benchmarks;

import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.LocalBucketBuilder;
import io.github.bucket4j.local.SynchronizationStrategy;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.time.Duration;
import org.eclipse.jetty.server.handler.DoSHandler;
import org.eclipse.jetty.util.NanoTime;

/**
 * The peers that an application keeps one object per key of, in their default configuration and in
 * the others that their documentation offers for the purpose.
 */
final class LocalPeers {

  private LocalPeers() {}

  /** Its default: lock-free. */
  static LocalContender bucket4j(Quota quota) {
    return bucket4j(quota, SynchronizationStrategy.LOCK_FREE);
  }

  /** Offered for those who mind the garbage of the lock-free strategy. */
  static LocalContender bucket4jSynchronized(Quota quota) {
    return bucket4j(quota, SynchronizationStrategy.SYNCHRONIZED);
  }

  private static LocalContender bucket4j(Quota quota, SynchronizationStrategy strategy) {
    PerKey<Bucket> buckets =
        new PerKey<>(
            key ->
                new LocalBucketBuilder()
                    .addLimit(
                        limit ->
                            limit
                                .capacity(quota.permits())
                                .refillGreedy(quota.permits(), quota.window()))
                    .withSynchronizationStrategy(strategy)
                    .build());
    return (key, sink) -> buckets.get(key).tryConsume(1);
  }

  /** A rate without a window: at most a second's permits are saved up. */
  // Beta for as long as anybody remembers; it is what people use.
  @SuppressWarnings("UnstableApiUsage")
  static LocalContender guava(Quota quota) {
    PerKey<RateLimiter> limiters =
        new PerKey<>(key -> RateLimiter.create(quota.permitsPerSecond()));
    return (key, sink) -> limiters.get(key).tryAcquire();
  }

  /** The default implementation, one object per key kept by the application. */
  static LocalContender resilience4j(Quota quota) {
    RateLimiterConfig config = resilience4jConfig(quota);
    PerKey<io.github.resilience4j.ratelimiter.RateLimiter> limiters =
        new PerKey<>(key -> io.github.resilience4j.ratelimiter.RateLimiter.of(key, config));
    return (key, sink) -> limiters.get(key).acquirePermission();
  }

  /** As its documentation shows first: asked for by name in its own registry. */
  static LocalContender resilience4jRegistry(Quota quota) {
    RateLimiterRegistry registry = RateLimiterRegistry.of(resilience4jConfig(quota));
    return (key, sink) -> registry.rateLimiter(key).acquirePermission();
  }

  private static RateLimiterConfig resilience4jConfig(Quota quota) {
    return RateLimiterConfig.custom()
        .limitForPeriod(quota.intPermits())
        .limitRefreshPeriod(quota.window())
        .timeoutDuration(Duration.ZERO)
        .build();
  }

  /**
   * The leaking bucket of the handler. Two requests a second is the least that can leak away: a
   * bucket of one is always full.
   */
  static LocalContender jetty(Quota quota) {
    DoSHandler.LeakingBucketTrackerFactory factory =
        new DoSHandler.LeakingBucketTrackerFactory(
            (int) Math.max(2, Math.round(quota.permitsPerSecond())));
    PerKey<DoSHandler.Tracker> trackers = new PerKey<>(factory::newTracker);
    return (key, sink) -> trackers.get(key).onRequest(NanoTime.now());
  }
}
