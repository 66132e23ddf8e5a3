package io.github.limiterkit.servlet;

import static io.github.limiterkit.testing.RawHttp.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.RequestLimits;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp;
import io.github.limiterkit.testing.RedisServer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Policies that count what the application answers with a failure. */
interface FailuresContract extends Fixture {

  /** One policy p that counts 401, 403 and 500, on everything. */
  private LimiterKit failures(int limit) {
    HttpPolicy p = HttpPolicy.named("p").limits(limit + "/1h").countFailures(401, 403, 500).build();
    return kit(LimiterKit.inMemory().route("/*", p));
  }

  private static long left(LimiterKit kit) {
    return kit.usage("p", "ip:127.0.0.1").get(0).remaining();
  }

  /** What counts is known only after the answer, which the client has by then. */
  private static void awaitLeft(LimiterKit kit, String path, long left) {
    await(path).atMost(Duration.ofSeconds(30)).until(() -> left(kit) == left);
  }

  /** Answers with the status that the query asks for. */
  private App.Handler answering() {
    return (request, response) -> {
      handled().incrementAndGet();
      response.setStatus(status(request));
    };
  }

  private static int status(HttpServletRequest request) {
    return Integer.parseInt(request.getQueryString());
  }

  @Test
  @DisplayName("HT-088, HT-090: only failures count, and at the limit nobody is asked any more")
  default void countsFailures() throws Exception {
    LimiterKit kit = failures(3);
    int port =
        start(new App().filter("limits", new RateLimitFilter(kit), ALL).servlet("/*", answering()));
    for (int i = 0; i < 6; i++) {
      assertThat(get(port, "/?200").status()).isEqualTo(200);
      awaitLeft(kit, "/?200", 3);
    }
    for (int status : List.of(401, 403, 401)) {
      assertThat(get(port, "/?" + status).status()).isEqualTo(status);
    }
    awaitLeft(kit, "failures", 0);
    int before = handled().get();
    for (int i = 0; i < 5; i++) {
      assertThat(get(port, "/?200").status()).isEqualTo(429);
    }
    assertThat(handled()).hasValue(before);
    assertThat(left(kit)).isZero();
  }

  @Test
  @DisplayName("SE-11: errors, error pages, exceptions and forwards count by their status")
  default void countsInWhateverWayItEnds() throws Exception {
    LimiterKit kit = failures(100);
    int port =
        start(
            new App()
                .filter("limits", new RateLimitFilter(kit), ALL)
                .servlet("/set", answering())
                .servlet("/send", (request, response) -> response.sendError(status(request)))
                .servlet(
                    "/servlet",
                    (request, response) -> {
                      throw new ServletException("on purpose");
                    })
                .servlet(
                    "/runtime",
                    (request, response) -> {
                      throw new IllegalStateException("on purpose");
                    })
                .servlet(
                    "/flushed",
                    (request, response) -> {
                      response.setStatus(status(request));
                      response.getWriter().write("gone");
                      response.flushBuffer();
                      throw new IllegalStateException("on purpose");
                    })
                .servlet(
                    "/forward",
                    (request, response) ->
                        request.getRequestDispatcher("/set").forward(request, response))
                .servlet("/err", (request, response) -> response.getWriter().write("page"))
                .errorPage("/err"));
    long left = 100;
    for (String path :
        List.of("/send?401", "/servlet", "/runtime", "/flushed?403", "/forward?401")) {
      try {
        get(port, path);
      } catch (UncheckedIOException cut) {
        assertThat(path).isEqualTo("/flushed?403");
      }
      awaitLeft(kit, path, --left);
    }
    for (String path : List.of("/send?404", "/forward?200", "/set?302")) {
      get(port, path);
      awaitLeft(kit, path, left);
    }
  }

  @Test
  @DisplayName("SE-11: an asynchronous request counts by the status that it ends with, once")
  default void countsAsynchronousRequests() throws Exception {
    LimiterKit kit = failures(100);
    int port =
        start(
            new App()
                .filter("limits", new RateLimitFilter(kit), ALL)
                .servlet("/set", answering())
                .servlet(
                    "/complete",
                    (request, response) -> {
                      AsyncContext async = request.startAsync();
                      async.start(() -> complete(async, status(request)));
                    })
                .servlet(
                    "/at-once",
                    (request, response) -> complete(request.startAsync(), status(request)))
                .servlet(
                    "/dispatch",
                    (request, response) -> request.startAsync(request, response).dispatch("/set"))
                .servlet(
                    "/twice",
                    (request, response) -> {
                      AsyncContext async = request.startAsync(request, response);
                      async.start(() -> async.dispatch("/complete"));
                    })
                .servlet(
                    "/never",
                    (request, response) -> request.startAsync(request, response).setTimeout(50)));
    long left = 100;
    for (String path :
        List.of("/complete?401", "/at-once?401", "/dispatch?403", "/twice?401", "/never")) {
      get(port, path);
      awaitLeft(kit, path, --left);
    }
    for (String path : List.of("/complete?200", "/at-once?200", "/dispatch?200", "/twice?204")) {
      get(port, path);
      awaitLeft(kit, path, left);
    }
  }

  @Test
  @DisplayName("HT-091, OP-13: a handler charges more, gives back, and says that it failed")
  default void listensToTheHandler() throws Exception {
    HttpPolicy all = Fixture.policy("all", "60/1h");
    HttpPolicy p = HttpPolicy.named("p").limits("9/1h").countFailures().build();
    LimiterKit kit = kit(LimiterKit.inMemory().route("/*", all, p));
    int port =
        start(
            new App()
                .filter("limits", new RateLimitFilter(kit))
                .servlet(
                    "/batch",
                    (request, response) ->
                        assertThat(RequestLimits.of(request::getAttribute).charge("all", 24))
                            .matches(Decision::allowed))
                .servlet(
                    "/free",
                    (request, response) -> RequestLimits.of(request::getAttribute).refund("all"))
                .servlet(
                    "/form",
                    (request, response) -> RequestLimits.of(request::getAttribute).failed("p"))
                .servlet(
                    "/async",
                    (request, response) -> {
                      RequestLimits limits = RequestLimits.of(request::getAttribute);
                      AsyncContext async = request.startAsync();
                      async.start(
                          () -> {
                            limits.failed("p");
                            async.complete();
                          });
                    }));
    assertThat(get(port, "/batch").status()).isEqualTo(200);
    assertThat(get(port, "/free").one("RateLimit")).startsWith("\"all\";r=34;");
    awaitLeft(kit, "/free", 9);
    assertThat(get(port, "/form").status()).isEqualTo(200);
    awaitLeft(kit, "/form", 8);
    assertThat(get(port, "/async").one("RateLimit")).startsWith("\"all\";r=33;");
    awaitLeft(kit, "/async", 7);
  }

  private static void complete(AsyncContext async, int status) {
    ((HttpServletResponse) async.getResponse()).setStatus(status);
    async.complete();
  }

  @Test
  @DisplayName("HT-125: a store that is lost while the application works costs the answer nothing")
  default void answersAlthoughTheStoreIsLost() throws Exception {
    HttpPolicy p = HttpPolicy.named("p").limits("5/1h").countFailures(401).build();
    try (RedisServer redis = RedisServer.start();
        LimiterKit kit =
            LimiterKit.builder()
                .store(RedisStore.at(redis.url()))
                .fleetSize(1)
                .route("/*", p)
                .build()) {
      App app =
          new App()
              .filter("limits", new RateLimitFilter(kit), ALL)
              .servlet(
                  "/*",
                  (request, response) -> {
                    redis.kill();
                    hello().handle(request, response);
                  });
      await().until(() -> kit.mode() == Mode.SHARED);
      RawHttp.Reply reply = get(start(app), "/");
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).isEqualTo("hello");
      assertThat(reply.one("RateLimit")).isEqualTo("\"p\";r=4;t=3600");
    }
  }
}
