package io.github.limiterkit.benchmarks;

import io.github.limiterkit.testing.RedisServer;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;

/** The client that peers on Redis are given. */
final class PooledClient {

  private PooledClient() {}

  /** A pool in which no thread ever waits for a connection, and none is closed for being idle. */
  static UnifiedJedis open(RedisServer server, int threads) {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(threads);
    pool.setMaxIdle(threads);
    return RedisClient.builder().hostAndPort(server.host(), server.port()).poolConfig(pool).build();
  }
}
