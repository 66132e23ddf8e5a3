package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.testing.RedisServer;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One real Redis for a class of tests: started when it is first asked for, empty before each test.
 * Whatever a test did, no key may live for ever after it.
 */
final class TestRedis implements BeforeEachCallback, AfterEachCallback, AfterAllCallback {

  private static final String LIFETIMES =
      "local out = {} for _, key in ipairs(redis.call('KEYS', '*')) do"
          + " out[#out + 1] = redis.call('PTTL', key) .. ' ' .. key end return out";

  private @Nullable RedisServer server;

  synchronized RedisServer server() {
    RedisServer running = server;
    if (running == null) {
      running = RedisServer.start();
      server = running;
    }
    return running;
  }

  String url() {
    return server().url();
  }

  String command(String... words) {
    return server().command(words);
  }

  /** Key to the milliseconds that it has to live; -1 is for ever. */
  static Map<String, Long> lifetimes(RedisServer redis) {
    Map<String, Long> lifetimes = new TreeMap<>();
    for (String line : redis.command("EVAL", LIFETIMES, "0").lines().toList()) {
      int space = line.indexOf(' ');
      lifetimes.put(line.substring(space + 1), Long.parseLong(line.substring(0, space)));
    }
    return lifetimes;
  }

  Map<String, Long> lifetimes() {
    return lifetimes(server());
  }

  /** The keys of one policy. */
  Map<String, Long> lifetimes(String policy) {
    Map<String, Long> lifetimes = lifetimes();
    lifetimes.keySet().removeIf(key -> !key.contains(":" + policy + ":"));
    return lifetimes;
  }

  /** How often a script ran to its end. */
  static long executions(RedisServer redis) {
    return redis.commandStats().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("eval"))
        .mapToLong(entry -> entry.getValue().calls() - entry.getValue().failed())
        .sum();
  }

  @Override
  public synchronized void beforeEach(ExtensionContext context) {
    if (server != null) {
      server.command("FLUSHALL");
    }
  }

  @Override
  public synchronized void afterEach(ExtensionContext context) {
    if (server != null) {
      assertThat(lifetimes(server)).allSatisfy((key, millis) -> assertThat(millis).isPositive());
    }
  }

  @Override
  public synchronized void afterAll(ExtensionContext context) {
    if (server != null) {
      server.close();
      server = null;
    }
  }
}
