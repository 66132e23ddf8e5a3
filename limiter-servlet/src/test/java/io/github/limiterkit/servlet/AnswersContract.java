package io.github.limiterkit.servlet;

import static io.github.limiterkit.servlet.Fixture.policy;
import static io.github.limiterkit.servlet.Fixture.remaining;
import static io.github.limiterkit.testing.RawHttp.get;
import static io.github.limiterkit.testing.RawHttp.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.WhenStoreFails;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Keys;
import io.github.limiterkit.http.answer.Dialect;
import io.github.limiterkit.http.answer.LegacyFields;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp;
import io.github.limiterkit.testing.RawHttp.Reply;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is on the wire. */
interface AnswersContract extends Fixture {

  @Test
  @DisplayName("RL-5, RA-7, SF-8: an accepted request has each field once")
  default void acceptsWithFields() throws Exception {
    int port = start(app(p()));
    Reply reply = get(port, "/a");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("hello");
    assertThat(reply.one("RateLimit-Policy")).isEqualTo("\"p\";q=2;w=3600");
    assertThat(reply.one("RateLimit")).isEqualTo("\"p\";r=1;t=3600");
    assertThat(reply.one("Retry-After")).isNull();
    assertThat(reply.one("Cache-Control")).isNull();
    assertThat(reply.one("Limiter-Source")).isNull();
  }

  @Test
  @DisplayName("ST-1, ST-4, RA-1, SE-6, SE-8, EB-1, CA-1, HT-120: a refusal, byte for byte")
  default void refusesByteForByte() throws Exception {
    int port = start(app(p()));
    get(port, "/");
    get(port, "/");
    for (String accept :
        new String[] {
          "X: y",
          "Accept: */*",
          "Accept: application/json",
          "Accept: text/html,application/xml;q=0.9,*/*;q=0.8",
          "Accept: image/png"
        }) {
      Reply reply = get(port, "/", accept);

      assertThat(reply.status()).isEqualTo(429);
      assertThat(reply.body()).isEqualTo(BODY);
      assertThat(reply.one("RateLimit-Policy")).isEqualTo("\"p\";q=2;w=3600");
      assertThat(reply.one("RateLimit")).isEqualTo("\"p\";r=0;t=3600");
      assertThat(reply.one("Retry-After")).isEqualTo("3600");
      assertThat(reply.one("Cache-Control")).isEqualTo("no-store");
      assertThat(reply.one("Content-Type")).isEqualTo("application/problem+json");
      assertThat(reply.one("Content-Length")).isEqualTo(Integer.toString(BODY.length()));
      assertThat(reply.all("Transfer-Encoding")).isEmpty();
    }
    assertThat(handled()).hasValue(2);
  }

  @Test
  @DisplayName("SE-6: on demand the application's error page in place of the kit's body")
  default void showsTheErrorPage() throws Exception {
    LimiterKit kit = kit(LimiterKit.inMemory().errorPage(true).route("/*", policy("p", "1/1h")));
    int port =
        start(
            app(kit)
                .servlet("/sorry", (request, response) -> response.getWriter().write("sorry"))
                .errorPage("/sorry"));
    get(port, "/a");
    Reply refused = get(port, "/a");

    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.body()).isEqualTo("sorry");
    assertThat(refused.one("RateLimit")).isEqualTo("\"p\";r=0;t=3600");
    assertThat(refused.one("Retry-After")).isEqualTo("3600");
    // Jetty's page adds words of its own.
    assertThat(refused.one("Cache-Control")).contains("no-store");
    assertThat(handled()).hasValue(1);
  }

  @Test
  @DisplayName(
      "SE-9, SE-10: no field is deleted, and nothing is asked of a request after the chain")
  default void asksAndDeletesNothingAfterwards() throws Exception {
    List<String> wrong = new CopyOnWriteArrayList<>();
    Filter watching =
        (request, response, chain) -> {
          Watched watched = new Watched((HttpServletRequest) request, wrong);
          chain.doFilter(watched, new WatchedResponse((HttpServletResponse) response, wrong));
        };
    int port =
        start(
            new App()
                .filter("watching", watching, ALL)
                .filter("limits", new RateLimitFilter(p(1)), ALL)
                .servlet(
                    "/*",
                    (request, response) -> {
                      request.setAttribute(Watched.OVER, true);
                      hello().handle(request, response);
                    }));
    assertThat(get(port, "/").status()).isEqualTo(200);
    assertThat(get(port, "/").status()).isEqualTo(429);
    assertThat(wrong).isEmpty();
  }

  @Test
  @DisplayName("EB-9, EB-10: whoever accepts HTML only gets the kit's page, not the container's")
  default void refusesWithAPage() throws Exception {
    int port = start(app(p(1)));
    get(port, "/");
    Reply page = get(port, "/", "Accept: text/html");

    assertThat(page.one("Content-Type")).startsWith("text/html").containsIgnoringCase("utf-8");
    assertThat(page.body()).startsWith("<!DOCTYPE html>\n").contains("<h1>Quota Exceeded</h1>");
    assertThat(get(port, "/", "Accept: text/plain").body()).startsWith("Quota Exceeded\n");
  }

  @Test
  @DisplayName("EB-11, OP-5, HT-068: HEAD counts as GET and is refused with its fields, no body")
  default void answersHead() throws Exception {
    LimiterKit kit = kit(LimiterKit.inMemory().route("GET /*", policy("p", "2/1h")));
    int port = start(app(kit));
    try (RawHttp connection = RawHttp.connect(port)) {
      assertThat(connection.ask("GET", "/").status()).isEqualTo(200);
      assertThat(connection.ask("HEAD", "/").status()).isEqualTo(200);
      Reply head = connection.ask("HEAD", "/");
      Reply get = connection.ask("GET", "/");

      assertThat(head.status()).isEqualTo(429);
      assertThat(get.status()).isEqualTo(429);
      for (String name :
          List.of("Content-Length", "Content-Type", "Retry-After", "RateLimit", "Cache-Control")) {
        assertThat(head.one(name)).isEqualTo(get.one(name)).isNotNull();
      }
      assertThat(get.body()).isEqualTo(BODY);
    }
  }

  @Test
  @DisplayName("RA-3, HT-103: a client that waits as told is let in")
  default void letsInAfterRetryAfter() throws Exception {
    int port = start(app(p(1)));
    get(port, "/");
    advance(Duration.ofMillis(1_500));
    String wait = get(port, "/").one("Retry-After");

    assertThat(wait).isEqualTo("3599");
    advance(Duration.ofSeconds(Long.parseLong(wait)));
    assertThat(get(port, "/").status()).isEqualTo(200);
  }

  @Test
  @DisplayName(
      "SE-4, SF-9, HT-126: the fields are there although the response was sent early, no trailers")
  default void setsFieldsBeforeTheChain() throws Exception {
    int port =
        start(
            new App()
                .filter("limits", new RateLimitFilter(p()))
                .servlet(
                    "/*",
                    (request, response) -> {
                      response.setBufferSize(512);
                      response.getOutputStream().write(new byte[200_000]);
                    }));
    Reply reply = get(port, "/");

    assertThat(reply.body()).hasSize(200_000);
    assertThat(remaining(reply)).isEqualTo("1");
  }

  @Test
  @DisplayName("SE-5: what is committed already passes untouched and uncounted")
  default void leavesCommittedResponsesAlone() throws Exception {
    Filter early =
        (request, response, chain) -> {
          if (request.getParameter("early") != null) {
            response.flushBuffer();
          }
          chain.doFilter(request, response);
        };
    int port =
        start(
            new App()
                .filter("early", early)
                .filter("limits", new RateLimitFilter(p()))
                .servlet("/*", hello()));
    for (int i = 0; i < 4; i++) {
      assertThat(get(port, "/?early").body()).isEqualTo("hello");
    }
    assertThat(remaining(get(port, "/"))).isEqualTo("1");
  }

  @Test
  @DisplayName("SE-7, CO-2, CA-1, CA-3, SF-8, HT-071, HT-128: what outer filters have set stays")
  default void keepsWhatOuterFiltersHaveSet() throws Exception {
    Filter outer =
        (request, response, chain) -> {
          HttpServletResponse http = (HttpServletResponse) response;
          http.setHeader("Access-Control-Allow-Origin", "https://app.example");
          http.setHeader("Vary", "Origin");
          http.setHeader("Cache-Control", "public, max-age=300");
          http.addHeader("RateLimit", "\"outer\";r=7;t=1");
          http.addHeader("RateLimit", "\"other\";r=8");
          http.getOutputStream().write("to be dropped".getBytes(StandardCharsets.US_ASCII));
          chain.doFilter(request, response);
        };
    int port =
        start(
            new App()
                .filter("outer", outer)
                .filter("limits", new RateLimitFilter(p(1)))
                .servlet("/*", (request, response) -> response.getOutputStream().write('!')));
    Reply accepted = get(port, "/");
    assertThat(accepted.body()).isEqualTo("to be dropped!");
    assertThat(accepted.one("Cache-Control")).isEqualTo("public, max-age=300");
    assertThat(accepted.one("RateLimit"))
        .isEqualTo("\"outer\";r=7;t=1, \"other\";r=8, \"p\";r=0;t=3600");

    Reply refused = get(port, "/");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.body()).isEqualTo(BODY);
    assertThat(refused.one("Access-Control-Allow-Origin")).isEqualTo("https://app.example");
    assertThat(refused.one("Vary")).isEqualTo("Origin");
    assertThat(refused.one("Cache-Control")).isEqualTo("no-store");
    assertThat(refused.one("RateLimit"))
        .isEqualTo("\"outer\";r=7;t=1, \"other\";r=8, \"p\";r=0;t=3600");
  }

  @Test
  @DisplayName("SE-8: a writer that is in use already is used")
  default void usesTheWriterIfItMust() throws Exception {
    Filter outer =
        (request, response, chain) -> {
          response.getWriter().write("to be dropped");
          chain.doFilter(request, response);
        };
    int port =
        start(
            new App()
                .filter("outer", outer)
                .filter("limits", new RateLimitFilter(p(1)))
                .servlet("/*", (request, response) -> response.getWriter().write("!")));
    get(port, "/");
    Reply refused = get(port, "/");

    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.body()).isEqualTo(BODY);
    assertThat(refused.one("Content-Type")).startsWith("application/problem+json");
    assertThat(once(port, "HEAD", "/").one("Content-Length"))
        .isEqualTo(Integer.toString(BODY.length()));
  }

  @Test
  @DisplayName("ST-6, HT-127: the body is not waited for")
  default void refusesWithoutReadingTheBody() throws Exception {
    int port = start(app(p(1)));
    get(port, "/");
    try (RawHttp connection = RawHttp.connect(port)) {
      connection.write(
          "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
      Reply first = connection.read(false);
      // Tomcat sends 100 before anybody is asked, unless its connector says onRead.
      Reply last = first.status() == 100 ? connection.read(false) : first;
      assertThat(last.status()).isEqualTo(429);
    }
    try (RawHttp connection = RawHttp.connect(port)) {
      connection.write(
          "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1024\r\n\r\n" + "x".repeat(1024));
      assertThat(connection.read(false).status()).isEqualTo(429);
      assertThat(connection.ask("GET", "/").status()).isEqualTo(429);
    }
    try (RawHttp connection = RawHttp.connect(port)) {
      connection.write("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 20000000\r\n\r\n");
      assertThat(connection.read(false).body()).isEqualTo(BODY);
    }
  }

  @Test
  @DisplayName("HT-100: a refused WebSocket handshake is a plain 429")
  default void refusesHandshakes() throws Exception {
    int port = start(app(p(1)));
    get(port, "/");
    Reply reply =
        get(
            port,
            "/",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");

    assertThat(reply.status()).isEqualTo(429);
    assertThat(reply.body()).isEqualTo(BODY);
    assertThat(reply.one("Upgrade")).isNull();
  }

  @Test
  @DisplayName("CO-3, HT-072, HT-073: the fields of the dialect, named to scripts beside others'")
  default void exposesItsFields() throws Exception {
    Filter cors =
        (request, response, chain) -> {
          ((HttpServletResponse) response)
              .setHeader("Access-Control-Expose-Headers", "X-Total, retry-after");
          chain.doFilter(request, response);
        };
    LimiterKit kit =
        kit(
            LimiterKit.inMemory()
                .exposeFields(true)
                .legacyFields(LegacyFields.DELTA)
                .dialect(Dialect.NONE)
                .route("/*", policy("p", "1/1h")));
    int port =
        start(
            new App()
                .filter("cors", cors)
                .filter("limits", new RateLimitFilter(kit))
                .servlet("/*", hello()));
    for (int status : new int[] {200, 429}) {
      Reply reply = get(port, "/", "Origin: https://app.example");
      assertThat(reply.status()).isEqualTo(status);
      assertThat(reply.all("Access-Control-Expose-Headers"))
          .containsExactly(
              "X-Total, retry-after, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset");
      assertThat(reply.one("X-RateLimit-Limit")).isEqualTo("1");
      assertThat(reply.one("X-RateLimit-Remaining")).isEqualTo("0");
      assertThat(reply.one("X-RateLimit-Reset")).isEqualTo("3600");
      assertThat(reply.one("RateLimit")).isNull();
    }
    assertThat(get(port, "/").one("Access-Control-Expose-Headers"))
        .isEqualTo("X-Total, retry-after");
  }

  @Test
  @DisplayName("HT-041, HT-130: no session and no cookie, and no session that a client made up")
  default void createsNoSession() throws Exception {
    AtomicInteger sessions = new AtomicInteger();
    HttpPolicy byUser = HttpPolicy.named("u").limits("2/1h").key(Keys.principal()).build();
    App app =
        app(kit(LimiterKit.inMemory().route("/*", policy("p", "2/1h"), byUser)))
            .listener(
                new HttpSessionListener() {
                  @Override
                  public void sessionCreated(HttpSessionEvent event) {
                    sessions.incrementAndGet();
                  }
                });
    int port = start(app);
    for (int i = 0; i < 4; i++) {
      assertThat(get(port, "/", "Cookie: JSESSIONID=random-" + i).all("Set-Cookie")).isEmpty();
    }
    assertThat(sessions).hasValue(0);
  }

  @Test
  @DisplayName("OP-8, HT-043, HT-106: the default locale makes no difference")
  default void ignoresTheDefaultLocale() throws Exception {
    Locale before = Locale.getDefault();
    try {
      for (String tag : List.of("ar-EG", "tr-TR", "th-TH-u-nu-thai")) {
        Locale.setDefault(Locale.forLanguageTag(tag));
        int port = start(app(p(1)));
        assertThat(get(port, "/").one("RateLimit")).isEqualTo("\"p\";r=0;t=3600");
        Reply refused = get(port, "/");
        assertThat(refused.one("Retry-After")).isEqualTo("3600");
        assertThat(refused.body()).isEqualTo(BODY);
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  @DisplayName("EB-7, HT-123: nothing that a client sends comes back")
  default void echoesNothing() throws Exception {
    int port = start(app(p(1)));
    get(port, "/");
    Reply refused =
        get(port, "/%3Cscript%3E?q=%22SECRET-1", "X-User: SECRET-2", "User-Agent: <b>SECRET-3");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.body()).isEqualTo(BODY);
    assertThat(String.join("\n", refused.headers())).doesNotContain("SECRET", "script");
  }

  @Test
  @DisplayName("HT-125: what the application throws stays its own")
  default void letsTheApplicationThrow() throws Exception {
    List<Throwable> seen = new CopyOnWriteArrayList<>();
    Filter outer =
        (request, response, chain) -> {
          try {
            chain.doFilter(request, response);
          } catch (IOException | ServletException | RuntimeException thrown) {
            seen.add(thrown);
            ((HttpServletResponse) response).setStatus(418);
          }
        };
    IOException failure = new IOException("on purpose");
    int port =
        start(
            new App()
                .filter("outer", outer)
                .filter("limits", new RateLimitFilter(p()))
                .servlet(
                    "/*",
                    (request, response) -> {
                      throw failure;
                    }));
    assertThat(get(port, "/").status()).isEqualTo(418);
    assertThat(seen).containsExactly(failure);
  }

  @Test
  @DisplayName("ST-2, OP-14, HT-095, HT-119: without the store: 503, nothing, or the local counter")
  default void answersWithoutTheStore() throws Exception {
    // Nobody listens on the discard port.
    LimiterKit kit =
        kit(
            LimiterKit.builder()
                .store(RedisStore.at("redis://127.0.0.1:9"))
                .fleetSize(1)
                .route("/closed", lost("closed", WhenStoreFails.CLOSED))
                .route("/open", lost("open", WhenStoreFails.OPEN))
                .route("/local", lost("local", WhenStoreFails.LOCAL)));
    int port = start(app(kit));
    Reply closed = get(port, "/closed");
    assertThat(closed.status()).isEqualTo(503);
    assertThat(closed.one("Retry-After")).isEqualTo("5");
    assertThat(closed.one("RateLimit-Policy")).isEqualTo("\"closed\";q=1;w=3600");
    assertThat(closed.one("RateLimit")).isEqualTo("\"closed\";r=0");
    assertThat(closed.body())
        .isEqualTo(
            "{\"type\":\"https://iana.org/assignments/http-problem-types#temporary-reduced-capacity\",\"title\":\"Temporary"
                + " Reduced Capacity\",\"status\":503,"
                + "\"violated-policies\":[\"closed\"],\"retry_after\":5}");
    assertThat(handled()).hasValue(0);
    for (int i = 0; i < 3; i++) {
      Reply open = get(port, "/open");
      assertThat(open.status()).isEqualTo(200);
      assertThat(open.headers()).noneMatch(line -> line.startsWith("RateLimit"));
    }
    assertThat(get(port, "/local").one("RateLimit")).startsWith("\"local\";r=0;t=");
    Reply local = get(port, "/local");
    assertThat(local.status()).isEqualTo(429);
    assertThat(local.body()).contains("#quota-exceeded");
  }

  private static HttpPolicy lost(String name, WhenStoreFails posture) {
    return HttpPolicy.named(name).limits("1/1h").whenStoreFails(posture).build();
  }
}
