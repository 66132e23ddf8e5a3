package io.github.limiterkit.benchmarks;

import io.github.limiterkit.testing.RedisServer;
import java.util.List;

/** The contenders on Redis, by name. */
final class SharedLimiters {

  private static final String BATCHING = "bucket4j-batching";

  private SharedLimiters() {}

  /** Everybody. */
  static List<String> all() {
    return List.of(Contenders.KIT, Contenders.EVALSHA, Contenders.BUCKET4J, BATCHING);
  }

  /** Everybody; where nobody waits for throughput, only those whose latency is compared. */
  static List<String> of(SharedLoad load) {
    return load.isLight() ? List.of(Contenders.KIT, Contenders.EVALSHA) : all();
  }

  static SharedContender create(String name, RedisServer server, Quota quota, int threads) {
    return switch (name) {
      case Contenders.KIT -> new KitOnRedis(server, quota);
      case Contenders.EVALSHA -> new EvalshaOnRedis(server, quota, threads);
      case Contenders.BUCKET4J -> Bucket4jOnRedis.plain(server, quota, threads);
      case BATCHING -> Bucket4jOnRedis.batching(server, quota, threads);
      default -> throw new IllegalArgumentException("no contender is named " + name);
    };
  }
}
