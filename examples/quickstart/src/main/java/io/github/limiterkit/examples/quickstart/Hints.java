package io.github.limiterkit.examples.quickstart;

import org.jspecify.annotations.Nullable;

/** What to try, as lines to copy. */
final class Hints {

  private Hints() {}

  static String of(int port, @Nullable EmbeddedRedis redis) {
    String url = "http://127.0.0.1:" + port;
    String kill =
        redis == null
            ? ""
            : """

            Then take the Redis away, and try again:
              kill -9 %d
            """
                .formatted(redis.pid());
    return """

        Limiter Kit quickstart, a live page: %1$s/

        Try, in another terminal:
          for i in 1 2 3 4 5 6; do curl -i %1$s/hello; done
          curl -i -H 'X-Api-Key: demo-1' %1$s/api/orders
          curl -i -d 'user=demo&password=guess' %1$s/login
          curl -s %1$s/status
        """
            .formatted(url)
        + kill
        + "\nCtrl-C stops everything.\n";
  }
}
