package io.github.limiterkit.examples.outagereplay;

import io.github.limiterkit.Mode;
import io.github.limiterkit.Scope;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Keys;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.servlet.RateLimitFilter;
import io.github.limiterkit.setup.LimiterKit;
import jakarta.servlet.Filter;

/** This kit, as a user sets it up: a policy for each client, and a ceiling for the instance. */
final class KitProtection implements Protection {

  private final LimiterKit kit;

  KitProtection(String redisUrl) {
    HttpPolicy perClient =
        HttpPolicy.named("per-client").limits(Quota.limits()).key(Keys.header(CLIENT)).build();
    HttpPolicy ceiling =
        HttpPolicy.named("ceiling")
            .limits(Quota.ceiling())
            .scope(Scope.INSTANCE)
            .key(Keys.constant("api"))
            .status(503)
            .build();
    kit =
        LimiterKit.builder()
            .store(RedisStore.at(redisUrl).namespace("replay").deadline(Quota.DEADLINE))
            .fleetSize(Quota.INSTANCES)
            .route("/*", perClient, ceiling)
            .build();
  }

  @Override
  public Filter filter() {
    return new RateLimitFilter(kit);
  }

  @Override
  public boolean countsInStore() {
    return kit.mode() == Mode.SHARED;
  }

  @Override
  public void close() {
    kit.close();
  }
}
