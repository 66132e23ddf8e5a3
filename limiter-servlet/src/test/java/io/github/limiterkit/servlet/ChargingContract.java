package io.github.limiterkit.servlet;

import static io.github.limiterkit.servlet.Fixture.policy;
import static io.github.limiterkit.servlet.Fixture.remaining;
import static io.github.limiterkit.testing.RawHttp.get;
import static io.github.limiterkit.testing.RawHttp.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Keys;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp;
import io.github.limiterkit.testing.RawHttp.Reply;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a request costs, whatever way it goes. */
interface ChargingContract extends Fixture {

  @Test
  @DisplayName("SE-1, HT-074: two overlapping mappings of one filter cost one unit")
  default void chargesOnceForOverlappingMappings() throws Exception {
    int port =
        start(
            new App()
                .filter("limits", new RateLimitFilter(p(4)), "/api/*", "/*")
                .servlet("/*", hello()));
    for (String left : List.of("3", "2", "1", "0")) {
      Reply reply = get(port, "/api/x");
      assertThat(remaining(reply)).isEqualTo(left);
      assertThat(reply.one("RateLimit-Policy")).isEqualTo("\"p\";q=4;w=3600");
    }
    assertThat(get(port, "/api/x").status()).isEqualTo(429);
  }

  @Test
  @DisplayName("OP-1, HT-077: one instance twice costs one unit, two policies cost one each")
  default void chargesOncePerPolicy() throws Exception {
    RateLimitFilter shared = new RateLimitFilter(p(9));
    LimiterKit q = kit(LimiterKit.inMemory().route("/*", policy("q", "5/1m")));
    int port =
        start(
            new App()
                .filter("one", shared)
                .filter("again", shared)
                .filter("other", new RateLimitFilter(q))
                .servlet("/*", hello()));
    Reply reply = get(port, "/");

    assertThat(reply.one("RateLimit")).isEqualTo("\"p\";r=8;t=3600, \"q\";r=4;t=60");
    assertThat(reply.one("RateLimit-Policy")).isEqualTo("\"p\";q=9;w=3600, \"q\";q=5;w=60");
  }

  @Test
  @DisplayName("SE-2, HT-075: errors and their page are not charged again")
  default void chargesOnceOnErrors() throws Exception {
    int port =
        start(
            new App()
                .filter("limits", new RateLimitFilter(p(100)), ALL)
                .servlet("/send", (request, response) -> response.sendError(500))
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
                .servlet("/err", (request, response) -> response.getWriter().write("page"))
                .errorPage("/err"));
    int left = 100;
    for (String path : List.of("/send", "/servlet", "/runtime")) {
      Reply reply = get(port, path);
      assertThat(reply.status()).isEqualTo(500);
      assertThat(reply.body()).isEqualTo("page");
      assertThat(remaining(reply)).as(path).isEqualTo(Integer.toString(--left));
      assertThat(reply.one("RateLimit-Policy")).isEqualTo("\"p\";q=100;w=3600");
    }
  }

  @Test
  @DisplayName("SE-1, HT-076, HT-081: forwards and includes are not charged again")
  default void chargesOnceForForwardsAndIncludes() throws Exception {
    int port =
        start(
            new App()
                .filter("limits", new RateLimitFilter(p(100)), ALL)
                .servlet(
                    "/page",
                    (request, response) -> {
                      for (int i = 0; i < 5; i++) {
                        request.getRequestDispatcher("/part").include(request, response);
                      }
                    })
                .servlet(
                    "/forward",
                    (request, response) ->
                        request.getRequestDispatcher("/page").forward(request, response))
                .servlet("/part", (request, response) -> response.getWriter().write("part ")));
    Reply page = get(port, "/page");
    assertThat(page.body()).isEqualTo("part part part part part ");
    assertThat(remaining(page)).isEqualTo("99");
    Reply forwarded = get(port, "/forward");
    assertThat(forwarded.body()).isEqualTo("part part part part part ");
    assertThat(remaining(forwarded)).isEqualTo("98");
  }

  @Test
  @DisplayName("ST-089, SE-1, HT-076: ten of eleven pass, each through a forward and an include")
  default void letsTenOfElevenPass() throws Exception {
    int port =
        start(
            new App()
                .filter("limits", new RateLimitFilter(p(10)), ALL)
                .servlet("/inner", hello())
                .servlet(
                    "/included",
                    (request, response) ->
                        request.getRequestDispatcher("/inner").include(request, response))
                .servlet(
                    "/outer",
                    (request, response) ->
                        request.getRequestDispatcher("/included").forward(request, response)));
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      statuses.add(get(port, "/outer").status());
    }
    assertThat(statuses.subList(0, 10)).containsOnly(200);
    assertThat(statuses.get(10)).isEqualTo(429);
    assertThat(handled()).hasValue(10);
  }

  @Test
  @DisplayName("HT-035, HT-080: policies with one key do not spend one another's units")
  default void keepsPoliciesApart() throws Exception {
    HttpPolicy a = HttpPolicy.named("a").limits("2/1h").key(Keys.constant("all")).build();
    HttpPolicy b = HttpPolicy.named("b").limits("2/1h").key(Keys.constant("all")).build();
    int port =
        start(
            app(
                kit(
                    LimiterKit.inMemory()
                        .route("/a/*", a)
                        .route("/b/*", b)
                        .route("/both", policy("burst", "5/10s"), policy("daily", "100/1d")))));
    get(port, "/a/1");
    get(port, "/a/2");
    assertThat(get(port, "/b/1").one("RateLimit")).isEqualTo("\"b\";r=1;t=3600");
    assertThat(get(port, "/both").one("RateLimit"))
        .isEqualTo("\"burst\";r=4;t=10, \"daily\";r=99;t=86400");
  }

  @Test
  @DisplayName("HT-099: a thousand probes of exempt paths are never limited")
  default void exemptsProbes() throws Exception {
    LimiterKit kit =
        kit(
            LimiterKit.inMemory()
                .exempt("/health", "/actuator/health/*")
                .route("/*", policy("p", "2/1h")));
    int port = start(app(kit));
    for (int c = 0; c < 20; c++) {
      // Tomcat answers a hundred requests on a connection and no more.
      try (RawHttp connection = RawHttp.connect(port)) {
        for (int i = 0; i < 25; i++) {
          assertThat(connection.ask("GET", "/health").status()).isEqualTo(200);
          assertThat(connection.ask("GET", "/actuator/health/live").status()).isEqualTo(200);
        }
      }
    }
    assertThat(remaining(get(port, "/"))).isEqualTo("1");
  }

  @Test
  @DisplayName("SE-3, HT-129: startAsync works behind the filter, and a dispatch is not charged")
  default void letsRequestsBeAsynchronous() throws Exception {
    int port =
        start(
            new App()
                .filter("limits", new RateLimitFilter(p(2)), ALL)
                .servlet(
                    "/async",
                    (request, response) -> {
                      AsyncContext async = request.startAsync();
                      async.start(() -> async.dispatch("/hello"));
                    })
                .servlet("/hello", hello()));
    Reply reply = get(port, "/async");

    assertThat(reply.body()).isEqualTo("hello");
    assertThat(remaining(reply)).isEqualTo("1");
    assertThat(remaining(get(port, "/async"))).isEqualTo("0");
    assertThat(get(port, "/async").status()).isEqualTo(429);
  }

  @Test
  @DisplayName("HT-037, HT-083, HT-086: several policies are asked together, all or none")
  default void asksSeveralPoliciesTogether() throws Exception {
    HttpPolicy burst = policy("burst", "5/1m");
    HttpPolicy daily = policy("daily", "3/1d");
    LimiterKit kit = kit(LimiterKit.inMemory().route("/*", burst).route("/a", daily));
    int port = start(app(kit));
    for (String left : List.of("4", "3", "2")) {
      assertThat(get(port, "/a").one("RateLimit"))
          .startsWith("\"burst\";r=" + left + ";t=60, \"daily\";");
    }
    for (int i = 0; i < 7; i++) {
      Reply refused = get(port, "/a");
      assertThat(refused.one("RateLimit")).isEqualTo("\"daily\";r=0;t=86400");
      assertThat(refused.one("RateLimit-Policy"))
          .isEqualTo("\"burst\";q=5;w=60, \"daily\";q=3;w=86400");
      assertThat(refused.one("Retry-After")).isEqualTo("86400");
    }
    assertThat(get(port, "/b").one("RateLimit")).isEqualTo("\"burst\";r=1;t=60");
  }

  @Test
  @DisplayName("HT-094: failed authentication behind the limiter counts")
  default void countsFailedAuthentication() throws Exception {
    Filter denying = (request, response, chain) -> ((HttpServletResponse) response).setStatus(401);
    int port =
        start(
            new App()
                .filter("limits", new RateLimitFilter(p(5)))
                .filter("denying", denying)
                .servlet("/*", hello()));
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      statuses.add(get(port, "/").status());
    }
    assertThat(statuses).containsExactly(401, 401, 401, 401, 401, 429, 429, 429, 429, 429);
  }

  @Test
  @DisplayName("HT-096: paths that nothing is mapped to count")
  default void countsUnmappedPaths() throws Exception {
    int port =
        start(new App().filter("limits", new RateLimitFilter(p())).servlet("/hello", hello()));
    assertThat(get(port, "/nope").status()).isEqualTo(404);
    assertThat(get(port, "/nope").status()).isEqualTo(404);
    assertThat(get(port, "/nope").status()).isEqualTo(429);
  }

  @Test
  @DisplayName("CO-1, HT-067: preflights are free, other OPTIONS are not")
  default void exemptsPreflights() throws Exception {
    int port = start(app(p(2)));
    for (int i = 0; i < 5; i++) {
      Reply preflight =
          once(
              port,
              "OPTIONS",
              "/orders",
              "Origin: https://app.example",
              "Access-Control-Request-Method: POST");
      assertThat(preflight.status()).isEqualTo(200);
      assertThat(preflight.one("RateLimit")).isNull();
    }
    assertThat(remaining(get(port, "/"))).isEqualTo("1");
    assertThat(remaining(once(port, "OPTIONS", "/", "Origin: https://app.example"))).isEqualTo("0");
    assertThat(get(port, "/").status()).isEqualTo(429);
  }

  @Test
  @DisplayName("SE-16, HT-069, HT-070: the method is what the client wrote, and any counts")
  default void countsAnyMethod() throws Exception {
    LimiterKit kit =
        kit(
            LimiterKit.inMemory()
                .route("/*", policy("all", "100/1h"))
                .route("POST /*", policy("post", "2/1h")));
    int port = start(app(kit));
    int left = 100;
    for (String method : List.of("PROPFIND", "QUERY", "FOO", "get", "DELETE")) {
      Reply reply = once(port, method, "/");
      if (reply.status() == 200) {
        assertThat(reply.one("RateLimit")).isEqualTo("\"all\";r=" + --left + ";t=3600");
      }
    }
    assertThat(handled()).hasValue(100 - left);
    for (int i = 0; i < 3; i++) {
      Reply reply =
          once(port, "POST", "/?_method=GET", "X-HTTP-Method-Override: GET", "Content-Length: 0");
      assertThat(reply.status()).isEqualTo(i < 2 ? 200 : 429);
    }
  }
}
