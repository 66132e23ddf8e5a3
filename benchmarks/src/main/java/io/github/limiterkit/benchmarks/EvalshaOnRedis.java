package io.github.limiterkit.benchmarks;

import com.google.common.io.Resources;
import io.github.limiterkit.testing.RedisServer;
import io.github.limiterkit.testing.RedisServer.CommandCount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.UnifiedJedis;

/**
 * What one would write without a library: the same algorithm in a script of one's own, one EVALSHA
 * per decision, through a client with a connection for every thread.
 */
final class EvalshaOnRedis implements SharedContender {

  private static final int CELLS = 60;

  private final UnifiedJedis client;
  private final String sha;
  private final List<String> arguments;

  EvalshaOnRedis(RedisServer server, Quota quota, int threads) {
    client = PooledClient.open(server, threads);
    sha = client.scriptLoad(script());
    long window = quota.window().toMillis();
    long cell = quota.permits() <= 2 * CELLS ? 1 : (window + CELLS - 1) / CELLS;
    arguments =
        List.of(
            Long.toString(quota.permits()),
            Long.toString(window),
            "1",
            Long.toString(cell),
            Long.toString(window + 2 * cell));
  }

  @Override
  public boolean admits(String key) {
    Object answer = client.evalsha(sha, List.of("evalsha:" + key), arguments);
    return ((List<?>) answer).get(0).equals(1L);
  }

  @Override
  public long commands(Map<String, CommandCount> counts) {
    return SharedContender.calls(counts, "evalsha");
  }

  @Override
  public void close() {
    client.close();
  }

  private static String script() {
    try {
      return Resources.toString(
          Resources.getResource(EvalshaOnRedis.class, "sliding-log.lua"), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
