package io.github.limiterkit.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.jedis.Bucket4jJedis;
import io.github.limiterkit.testing.RedisServer;
import io.github.limiterkit.testing.RedisServer.CommandCount;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import redis.clients.jedis.UnifiedJedis;

/** Bucket4j on Jedis, through the same client as the plain script. */
final class Bucket4jOnRedis implements SharedContender {

  private static final Duration KEPT_AFTERWARDS = Duration.ofSeconds(10);

  private final UnifiedJedis client;
  private final Function<String, Bucket> buckets;

  private Bucket4jOnRedis(UnifiedJedis client, Function<String, Bucket> buckets) {
    this.client = client;
    this.buckets = buckets;
  }

  /** As its documentation begins: a proxy is made for each decision. */
  static SharedContender plain(RedisServer server, Quota quota, int threads) {
    UnifiedJedis client = PooledClient.open(server, threads);
    ProxyManager<byte[]> manager = manager(client);
    BucketConfiguration configuration = configuration(quota);
    return new Bucket4jOnRedis(
        client, key -> manager.getProxy(name("bucket4j:", key), () -> configuration));
  }

  /** As its documentation advises for load: batching, with one proxy per key that is kept. */
  static SharedContender batching(RedisServer server, Quota quota, int threads) {
    UnifiedJedis client = PooledClient.open(server, threads);
    ProxyManager<byte[]> manager = manager(client);
    BucketConfiguration configuration = configuration(quota);
    PerKey<Bucket> proxies =
        new PerKey<>(
            key ->
                manager
                    .builder()
                    .withOptimization(Optimizations.batching())
                    .build(name("bucket4j-batching:", key), () -> configuration));
    return new Bucket4jOnRedis(client, proxies::get);
  }

  @Override
  public boolean admits(String key) {
    return buckets.apply(key).tryConsume(1);
  }

  /**
   * It sends a GET, and a script to write: one that compares, with another GET inside, or for a new
   * key one with a SET inside. So scripts are compensated by what they run.
   */
  @Override
  public long commands(Map<String, CommandCount> counts) {
    return SharedContender.calls(counts, "get") + SharedContender.calls(counts, "set");
  }

  @Override
  public void close() {
    client.close();
  }

  private static ProxyManager<byte[]> manager(UnifiedJedis client) {
    return Bucket4jJedis.casBasedBuilder(client)
        .expirationAfterWrite(
            ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(KEPT_AFTERWARDS))
        .build();
  }

  private static BucketConfiguration configuration(Quota quota) {
    return BucketConfiguration.builder()
        .addLimit(
            limit -> limit.capacity(quota.permits()).refillGreedy(quota.permits(), quota.window()))
        .build();
  }

  private static byte[] name(String prefix, String key) {
    return (prefix + key).getBytes(US_ASCII);
  }
}
