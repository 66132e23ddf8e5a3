package io.github.limiterkit.benchmarks;

import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Source;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.testing.RedisServer;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Measures how long a decision takes while the server is gone and the gate is shut: all of that is
 * what the limiter adds to a request then. On a server of its own, which it kills.
 */
final class OutageRounds {

  static final String NAME = "outage-1";

  private static final int KEYS = 1_000;

  private final Settings settings;
  private final Schedule schedule;
  private final Results results;

  OutageRounds(Settings settings, Schedule schedule, Results results) {
    this.settings = settings;
    this.schedule = schedule;
    this.results = results;
  }

  void run() {
    if (!settings.runs(NAME)) {
      return;
    }
    String[] keys = Keys.named(KEYS);
    try (RedisServer server = RedisServer.start();
        KitOnRedis kit = new KitOnRedis(server, Quota.ROOMY, RedisStore.DEFAULT_DEADLINE)) {
      for (String key : keys) {
        kit.decide(key);
      }
      server.kill();
      while (kit.mode() == Mode.SHARED) {
        kit.decide(keys[0]);
      }
      decide(kit, keys, settings.outageDecisions(), 0);
      for (int round = 0; schedule.begins(round); round++) {
        long[] nanos = decide(kit, keys, settings.outageDecisions(), round);
        results.add(
            NAME,
            Contenders.KIT,
            Map.of(
                Figure.P50, Quartiles.percentile(nanos, 0.5) / 1e3,
                Figure.P99, Quartiles.percentile(nanos, 0.99) / 1e3));
      }
      Progress.say(NAME + ": done");
    }
  }

  private static long[] decide(KitOnRedis kit, String[] keys, int decisions, int round) {
    SplittableRandom random = Keys.random(round);
    long[] nanos = new long[decisions];
    for (int i = 0; i < decisions; i++) {
      String key = keys[random.nextInt(keys.length)];
      long began = System.nanoTime();
      Decision decision = kit.decide(key);
      nanos[i] = System.nanoTime() - began;
      if (decision.source() != Source.LOCAL || !decision.allowed()) {
        throw new NotLimitingException("decided by " + decision.source() + " in an outage");
      }
    }
    return nanos;
  }
}
