package io.github.limiterkit.examples.outagereplay;

import java.util.List;

/** What a limiter does when its store does not answer in time. */
enum Strategy {
  /**
   * Asks again, then denies.
   *
   * <p>So does Traefik v3.7.9 with a rate limit in Redis: any error of the store is answered with
   * 500 (pkg/middlewares/ratelimiter/rate_limiter.go, ServeHTTP), and its client, go-redis v9.21.0,
   * repeats what has timed out before it gives up (redis.go, _process; options.go, MaxRetries).
   */
  RETRY_THEN_DENY(
      "retry-then-deny",
      "asks again, then denies",
      "Traefik v3.7.9 (pkg/middlewares/ratelimiter/rate_limiter.go: an error of the store is answered"
          + " with 500) over go-redis v9.21.0 (redis.go, options.go: what timed out is sent again)"),

  /**
   * Lets everything pass.
   *
   * <p>So does Spring Cloud Gateway v5.0.3: {@code onErrorResume} turns any error of the store into
   * "allowed" (RedisRateLimiter.java in org.springframework.cloud.gateway.filter.ratelimit).
   */
  FAIL_OPEN(
      "fail-open",
      "lets everything pass",
      "Spring Cloud Gateway v5.0.3 (org.springframework.cloud.gateway.filter.ratelimit,"
          + " RedisRateLimiter.java: onErrorResume makes any error of the store an \"allowed\")"),

  /** Goes on limiting, from memory. */
  LIMITER_KIT("limiter-kit", "goes on limiting, from memory", "this kit");

  /** Every one, in the order in which they are compared. */
  static final List<Strategy> ALL = List.of(values());

  private final String id;
  private final String does;
  private final String model;

  Strategy(String id, String does, String model) {
    this.id = id;
    this.does = does;
    this.model = model;
  }

  /** As it is called in figures. */
  String id() {
    return id;
  }

  String does() {
    return does;
  }

  /** Who limits like this. */
  String model() {
    return model;
  }

  Protection protect(String redisUrl) {
    return switch (this) {
      case RETRY_THEN_DENY -> new RetryThenDeny(redisUrl);
      case FAIL_OPEN -> new FailOpen(redisUrl);
      case LIMITER_KIT -> new KitProtection(redisUrl);
    };
  }
}
