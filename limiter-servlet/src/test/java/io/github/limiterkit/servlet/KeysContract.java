package io.github.limiterkit.servlet;

import static io.github.limiterkit.servlet.Fixture.policy;
import static io.github.limiterkit.servlet.Fixture.remaining;
import static io.github.limiterkit.testing.RawHttp.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ch.qos.logback.classic.Level;
import com.codahale.metrics.MetricRegistry;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.KeyResolver;
import io.github.limiterkit.http.Keys;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.setup.LogCapture;
import io.github.limiterkit.testing.RawHttp;
import io.github.limiterkit.testing.RawHttp.Reply;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** On whose account a request is. */
interface KeysContract extends Fixture {

  @Test
  @DisplayName("PR-2, HT-015: the port is no part of the key, over one connection or several")
  default void countsTheAddressWithoutPort() throws Exception {
    int port = start(app(p()));
    get(port, "/", "Connection: close");
    try (RawHttp connection = RawHttp.connect(port)) {
      assertThat(connection.ask("GET", "/").status()).isEqualTo(200);
      assertThat(connection.ask("GET", "/").status()).isEqualTo(429);
    }
    assertThat(get(port, "/").status()).isEqualTo(429);
  }

  @Test
  @DisplayName("IP-17, HT-155, HT-157: no log line, answer or name of a metric has a key in it")
  default void keepsKeysToItself() throws Exception {
    MetricRegistry registry = new MetricRegistry();
    HttpPolicy policy =
        HttpPolicy.named("p").limits("1/1h").key("header:X-API-Key, else cookie:sid").build();
    LimiterKit kit =
        kit(
            LimiterKit.inMemory()
                .metrics(DropwizardMetrics.on(registry))
                .route("/*", policy)
                .route("/secret-path/*", policy("route", "1/1h")));
    int port = start(app(kit));
    try (LogCapture log = new LogCapture()) {
      for (int i = 0; i < 3; i++) {
        for (String header :
            List.of(
                "X-API-Key: SECRET-1", "Cookie: sid=SECRET-2", "X-Forwarded-For: 203.0.113.9")) {
          Reply reply = get(port, "/secret-path/SECRET-3", header);
          assertThat(reply.body() + reply.headers()).doesNotContain("SECRET", "203.0.113", "127.0");
          get(port, "/secret-path/%0d%0aSECRET-4", header); // Jetty's own page quotes it
        }
      }
      for (Level level : List.of(Level.ERROR, Level.WARN, Level.INFO, Level.DEBUG)) {
        assertThat(log.at(level))
            .noneMatch(line -> line.matches("(?s).*(SECRET|203\\.0|127\\.0).*"));
      }
    }
    assertThat(String.join(" ", registry.getNames())).doesNotContain("SECRET", "127", "hdr");
  }

  @Test
  @DisplayName("HT-045: parts of a key never run into one another")
  default void keepsPartsOfKeysApart() throws Exception {
    HttpPolicy policy = HttpPolicy.named("p").limits("2/1h").key("header:X-A + header:X-B").build();
    int port = start(app(kit(LimiterKit.inMemory().route("/*", policy))));
    assertThat(remaining(get(port, "/", "X-A: aa", "X-B: b"))).isEqualTo("1");
    assertThat(remaining(get(port, "/", "X-A: a", "X-B: ab"))).isEqualTo("1");
    assertThat(remaining(get(port, "/", "X-A:", "X-B: aab"))).as("by address").isEqualTo("1");
    assertThat(remaining(get(port, "/", "X-A: aab", "X-B:"))).as("by address").isEqualTo("0");
    assertThat(remaining(get(port, "/", "X-B: b", "X-A: aa"))).isEqualTo("0");
  }

  @Test
  @DisplayName("HT-042: spellings of one account are one key, if the resolver says so")
  default void countsAccountsInOneSpelling() throws Exception {
    KeyResolver account =
        Keys.custom(
            "account",
            request -> {
              List<String> lines = request.headers("X-Account");
              return lines.isEmpty() ? null : lines.get(0).strip().toLowerCase(Locale.ROOT);
            });
    HttpPolicy policy = HttpPolicy.named("p").limits("2/1h").key(account).build();
    int port = start(app(kit(LimiterKit.inMemory().route("/*", policy))));
    List<Integer> statuses = new ArrayList<>();
    for (String name : List.of("Bob@Example.com", "  bob@example.com ", "BOB@EXAMPLE.COM")) {
      statuses.add(get(port, "/", "X-Account: " + name).status());
    }
    assertThat(statuses).containsExactly(200, 200, 429);
  }

  @Test
  @DisplayName("IP-1, HT-001: forwarding headers are not looked at")
  default void ignoresForwardingHeaders() throws Exception {
    int port = start(app(p()));
    List<Integer> statuses = new ArrayList<>();
    for (String name :
        List.of("X-Forwarded-For", "X-Real-IP", "Forwarded", "CF-Connecting-IP", "X-Client-IP")) {
      statuses.add(get(port, "/", name + ": 198.51.100." + statuses.size()).status());
    }
    assertThat(statuses).containsExactly(200, 200, 429, 429, 429);
  }

  @Test
  @DisplayName("IP-12, HT-013, HT-020: one key for ::1, however the container spells it")
  default void groupsIpv6() throws Exception {
    List<String> keys = new CopyOnWriteArrayList<>();
    HttpPolicy policy =
        HttpPolicy.named("p")
            .limits("2/1h")
            .key(
                Keys.custom(
                    "seen",
                    request -> {
                      String key = Keys.clientAddress().resolve(request);
                      keys.add(key);
                      return key;
                    }))
            .build();
    int port = start(app(kit(LimiterKit.inMemory().route("/*", policy))));
    try (RawHttp connection = RawHttp.connect("::1", "::1", port)) {
      assertThat(connection.ask("GET", "/").one("RateLimit")).isEqualTo("\"p\";r=1;t=3600");
    }
    assertThat(keys).containsExactly("ip:::/64");
  }

  @Test
  @DisplayName("IP-15, HT-026, HT-027: without an address the limit still holds, and that is told")
  default void limitsWithoutAddress() throws Exception {
    HttpPolicy header = HttpPolicy.named("h").limits("2/1h").key(Keys.header("X-API-Key")).build();
    for (String address : new String[] {"", null}) {
      Filter addressless =
          (request, response, chain) ->
              chain.doFilter(
                  new HttpServletRequestWrapper((HttpServletRequest) request) {
                    @Override
                    public String getRemoteAddr() {
                      return address;
                    }
                  },
                  response);
      LimiterKit kit =
          kit(LimiterKit.inMemory().route("/keys", header).route("/here", policy("p", "2/1h")));
      int port =
          start(
              new App()
                  .filter("addressless", addressless)
                  .filter("limits", new RateLimitFilter(kit))
                  .servlet("/*", hello()));
      try (KitLog log = new KitLog()) {
        assertThat(remaining(get(port, "/here"))).isEqualTo("1");
        assertThat(remaining(get(port, "/keys", "X-API-Key: unknown"))).isEqualTo("1");
        assertThat(remaining(get(port, "/keys", "X-API-Key: null"))).isEqualTo("1");
        assertThat(List.of(get(port, "/here").status(), get(port, "/here").status()))
            .containsExactly(200, 429);
        assertThat(log.warnings()).singleElement().asString().contains("policy p", "\"unknown\"");
      }
    }
  }

  @Test
  @DisplayName("OP-3, OP-12, HT-034, HT-036, HT-039: header keys")
  default void countsHeaderKeys() throws Exception {
    HttpPolicy policy = HttpPolicy.named("p").limits("2/1h").key(Keys.header("X-API-Key")).build();
    int port = start(app(kit(LimiterKit.inMemory().route("/*", policy))));
    for (String value :
        List.of("null", "default", "anonymous", "unknown", "-1", "ip:127.0.0.1", "a", "A")) {
      assertThat(remaining(get(port, "/", "X-API-Key: " + value))).isEqualTo("1");
    }
    assertThat(remaining(get(port, "/"))).isEqualTo("1");
    assertThat(remaining(get(port, "/", "X-Api-Key: 1", "X-API-KEY: real"))).isEqualTo("0");
    assertThat(get(port, "/", "X-Api-Key: real", "X-API-KEY: 2").status()).isEqualTo(429);
    assertThat(get(port, "/", "X-Api-Key:").status()).isEqualTo(429);
    try (RawHttp other = RawHttp.connect("127.0.0.3", "127.0.0.1", port)) {
      assertThat(remaining(other.ask("GET", "/"))).isEqualTo("1");
    }
  }

  @Test
  @DisplayName(
      "HT-047, HT-048: hostile header values are keys like any others, or the container's business")
  default void survivesHostileHeaders() throws Exception {
    HttpPolicy policy = HttpPolicy.named("p").limits("2/1h").key(Keys.header("X-API-Key")).build();
    int port = start(app(kit(LimiterKit.inMemory().route("/*", policy))));
    for (String value :
        List.of(
            "\u0001", "\u007f", "\u0080", "\u00ff", "k".repeat(7000) + "a", "k".repeat(70_000))) {
      assertThatCode(
              () ->
                  assertThat(get(port, "/", "X-API-Key: " + value).status()).isNotIn(500, 502, 503))
          .doesNotThrowAnyException();
    }
    assertThat(remaining(get(port, "/", "X-API-Key: " + "k".repeat(7000) + "b"))).isEqualTo("1");
    assertThat(remaining(get(port, "/", "X-API-Key: " + "k".repeat(7000) + "a"))).isEqualTo("0");
  }

  @Test
  @DisplayName("SE-17, HT-033, HT-093: the user, if authentication comes first, else the address")
  default void countsUsers() throws Exception {
    Filter authentication =
        (request, response, chain) -> {
          String user = ((HttpServletRequest) request).getHeader("X-User");
          chain.doFilter(
              new HttpServletRequestWrapper((HttpServletRequest) request) {
                @Override
                public Principal getUserPrincipal() {
                  return user == null ? null : () -> user;
                }
              },
              response);
        };
    HttpPolicy byUser = HttpPolicy.named("p").limits("2/1h").key(Keys.principal()).build();
    LimiterKit before = kit(LimiterKit.inMemory().route("/*", byUser));
    int port =
        start(
            new App()
                .filter("authentication", authentication)
                .filter("limits", new RateLimitFilter(before))
                .servlet("/*", hello()));
    assertThat(remaining(get(port, "/", "X-User: a"))).isEqualTo("1");
    assertThat(remaining(get(port, "/", "X-User: b"))).isEqualTo("1");
    assertThat(remaining(get(port, "/"))).isEqualTo("1");
    assertThat(remaining(get(port, "/", "X-User: a"))).isEqualTo("0");
    assertThat(remaining(get(port, "/"))).isEqualTo("0");
    assertThat(get(port, "/").status()).isEqualTo(429);

    LimiterKit after = kit(LimiterKit.inMemory().route("/*", byUser));
    int other =
        start(
            new App()
                .filter("limits", new RateLimitFilter(after))
                .filter("authentication", authentication)
                .servlet("/*", hello()));
    assertThat(remaining(get(other, "/", "X-User: a"))).isEqualTo("1");
    assertThat(remaining(get(other, "/", "X-User: b"))).isEqualTo("0");
  }
}
