package io.github.limiterkit.examples.quickstart;

import static io.github.limiterkit.http.Keys.clientAddress;
import static io.github.limiterkit.http.Keys.principal;

import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.setup.LimiterKit;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Starts a server with limits, and the Redis that it counts in.
 *
 * <p>Environment: {@code PORT} (8080) and {@code REDIS_URL} (a Redis of its own).
 */
public final class Quickstart implements AutoCloseable {

  private final @Nullable EmbeddedRedis redis;
  private final LimiterKit kit;
  private final WebServer server;

  private Quickstart(@Nullable EmbeddedRedis redis, LimiterKit kit, WebServer server) {
    this.redis = redis;
    this.kit = kit;
    this.server = server;
  }

  /**
   * Runs until it is stopped.
   *
   * @param none no arguments
   * @throws Exception if the server cannot start
   */
  public static void main(String[] none) throws Exception {
    Quickstart quickstart;
    try {
      quickstart = start(port(setting("PORT")), setting("REDIS_URL"));
    } catch (IOException | IllegalArgumentException wrong) {
      System.err.println("The quickstart cannot start: " + wrong.getMessage());
      System.exit(1);
      return;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(quickstart::close, "quickstart-stop"));
    System.out.println(Hints.of(quickstart.server.port(), quickstart.redis));
    quickstart.server.join();
  }

  /** What the environment says; null if nothing. */
  private static @Nullable String setting(String name) {
    String value = System.getenv(name);
    return value == null || value.isBlank() ? null : value.strip();
  }

  private static int port(@Nullable String text) {
    if (text == null) {
      return 8080;
    }
    if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > 65_535) {
      throw new IllegalArgumentException(
          "PORT \"" + text + "\" is not a number from 0 (any that is free) to 65535");
    }
    return Integer.parseInt(text);
  }

  /** Starts everything; port 0 is any free one, and without a URL it brings a Redis of its own. */
  static Quickstart start(int port, @Nullable String redisUrl) throws Exception {
    EmbeddedRedis redis = redisUrl == null ? EmbeddedRedis.start().orElse(null) : null;
    String url = redis == null ? redisUrl : redis.url();
    try {
      LimiterKit kit = kit(url);
      return new Quickstart(redis, kit, WebServer.start(port, kit, redis));
    } catch (Exception failed) {
      if (redis != null) {
        redis.close();
      }
      throw failed;
    }
  }

  private static LimiterKit kit(@Nullable String redisUrl) {
    HttpPolicy hello = HttpPolicy.named("hello").limits("5/10s").build();
    HttpPolicy login = HttpPolicy.named("login").limits("3/1m").build();
    HttpPolicy orders =
        HttpPolicy.named("orders").limits("10/1m").key(principal().orElse(clientAddress())).build();

    LimiterKit.Builder kit =
        LimiterKit.builder()
            .route("/hello", hello)
            .route("POST /login", login)
            .policy(orders) // named by the annotation on OrdersResource
            .limiterSource(true);
    if (redisUrl != null) {
      kit.store(RedisStore.at(redisUrl).namespace("quickstart")).fleetSize(1);
    }
    return kit.build();
  }

  int port() {
    return server.port();
  }

  /** Stops everything, the Redis last. A second call does nothing. */
  @Override
  public void close() {
    server.close();
    kit.close();
    if (redis != null) {
      redis.close();
    }
  }
}
