package io.github.limiterkit.examples.outagereplay;

import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** Token buckets in Redis, as the limiters count that the other two strategies stand for. */
final class TokenBuckets implements AutoCloseable {

  private static final int CONNECTIONS = 32;
  private static final int CALLS_AT_START = 20;

  private final String script = script();
  private final UnifiedJedis client;
  private final String sha;

  TokenBuckets(String redisUrl) {
    URI uri = URI.create(redisUrl);
    int deadline = (int) Quota.DEADLINE.toMillis();
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(CONNECTIONS);
    pool.setMaxIdle(CONNECTIONS);
    pool.setMaxWait(Quota.DEADLINE);
    client =
        RedisClient.builder()
            .hostAndPort(uri.getHost(), uri.getPort())
            .clientConfig(
                DefaultJedisClientConfig.builder()
                    .connectionTimeoutMillis(deadline)
                    .socketTimeoutMillis(deadline)
                    // So a new connection has one thing to ask before its first call: its HELLO.
                    .protocol(RedisProtocol.RESP2)
                    .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                    .build())
            .poolConfig(pool)
            .build();
    sha = loadAtStart();
  }

  /** Again and again, because a process that has just started is slow itself. */
  private String loadAtStart() {
    String loaded = "";
    JedisException last = new JedisException("never tried");
    for (int i = 0; i < CALLS_AT_START; i++) {
      try {
        loaded = load();
      } catch (JedisException slow) {
        last = slow;
      }
    }
    if (loaded.isEmpty()) {
      throw last;
    }
    return loaded;
  }

  /**
   * Takes a token, if there is one.
   *
   * @throws JedisException if Redis does not say in time
   */
  boolean take(String client) {
    List<String> keys = List.of("bucket:" + client);
    List<String> arguments =
        List.of(Integer.toString(Quota.PERMITS), Long.toString(Quota.WINDOW.toMillis()));
    Object answer;
    try {
      answer = this.client.evalsha(sha, keys, arguments);
    } catch (JedisNoScriptException restarted) {
      answer = this.client.evalsha(load(), keys, arguments);
    }
    return answer.equals(1L);
  }

  private String load() {
    return client.scriptLoad(script);
  }

  private static String script() {
    try {
      return Resources.toString(
          Resources.getResource(TokenBuckets.class, "token-bucket.lua"), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
