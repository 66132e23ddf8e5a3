package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.limiterkit.http.address.AddressGrouping;
import io.github.limiterkit.http.address.Networks;
import io.github.limiterkit.http.address.TrustedProxies;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** On whose account a request is, at what cost, and whose are not. */
class WhoIsCountedTest {

  private final FixedWindow window = new FixedWindow();

  private static HttpPolicy policy(String key) {
    return HttpPolicy.named("p").limits("2/1h").key(key).build();
  }

  private HttpRateLimiter.Builder rules(String key) {
    return HttpRateLimiter.over(window).route("/*", policy(key));
  }

  private static Verdict check(HttpRateLimiter http, FakeRequest request) {
    return http.check(request, ResponseView.EMPTY);
  }

  private static String field(Verdict verdict, String name) {
    return verdict.fields().stream()
        .filter(field -> field.name().equals(name))
        .map(Field::value)
        .findFirst()
        .orElse(null);
  }

  @Test
  @DisplayName(
      "IP-1, IP-4, HT-002, HT-007: the client behind the proxies, for every key by address")
  void countsTheClientBehindTheProxies() {
    HttpRateLimiter http =
        rules("client-address")
            .trustedProxies(TrustedProxies.header("X-Forwarded-For").networks("10.0.0.0/8"))
            .build();
    check(http, FakeRequest.get("/").from("10.0.0.1").header("X-Forwarded-For", "198.51.100.7"));
    assertThat(window.keys()).containsExactly("ip:198.51.100.7");
    check(
        http,
        FakeRequest.get("/")
            .from("10.0.0.1")
            .header("Forwarded", "for=9.9.9.9")
            .header("X-Forwarded-For", "2001:db8:1:2::5, 10.0.0.3"));
    assertThat(window.keys()).containsExactly("ip:2001:db8:1:2::/64");
    check(http, FakeRequest.get("/").from("192.0.2.1").header("X-Forwarded-For", "198.51.100.7"));
    assertThat(window.keys()).containsExactly("ip:192.0.2.1");
  }

  @Test
  @DisplayName("IP-14, HT-021: networks as wide as the operator says; NAT64 is like any IPv6")
  void groupsAsTold() {
    HttpRateLimiter http =
        rules("client-address").clientAddress(new AddressGrouping(24, 128)).build();
    check(http, FakeRequest.get("/").from("198.51.100.7"));
    assertThat(window.keys()).containsExactly("ip:198.51.100.0/24");
    check(http, FakeRequest.get("/").from("64:ff9b::198.51.100.7"));
    assertThat(window.keys()).containsExactly("ip:64:ff9b::c633:6407");
    HttpRateLimiter usual = rules("client-address").build();
    check(usual, FakeRequest.get("/").from("64:ff9b::198.51.100.7"));
    assertThat(window.keys()).containsExactly("ip:64:ff9b::/64");
  }

  @Test
  @DisplayName("HT-010: whoever forgot the proxy is told once, without an address")
  void hintsAtAForgottenProxy() {
    Logger logger = (Logger) LoggerFactory.getLogger("limiterkit");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try {
      HttpRateLimiter http = rules("client-address").build();
      check(http, FakeRequest.get("/").from("203.0.113.1").header("X-Forwarded-For", "1.1.1.1"));
      check(http, FakeRequest.get("/").from("127.0.0.1"));
      assertThat(lines.list).isEmpty();
      for (int i = 0; i < 50; i++) {
        check(http, FakeRequest.get("/").from("127.0.0.1").header("Forwarded", "for=1.1.1." + i));
      }
    } finally {
      logger.detachAppender(lines);
    }
    assertThat(lines.list)
        .singleElement()
        .asString()
        .contains("LK004", "carries Forwarded,", "trusted-proxies")
        .doesNotContain("127.0.0.1", "1.1.1.");
  }

  @Test
  @DisplayName("HT-010: the first 256 requests are all looked at")
  void looksForAForgottenProxyInTheFirstRequests() {
    Logger logger = (Logger) LoggerFactory.getLogger("limiterkit");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try {
      HttpRateLimiter http = rules("client-address").build();
      for (int i = 0; i < 255; i++) {
        check(http, FakeRequest.get("/").from("127.0.0.1"));
      }
      assertThat(lines.list).isEmpty();
      check(http, FakeRequest.get("/").from("127.0.0.1").header("Forwarded", "for=1.1.1.1"));
    } finally {
      logger.detachAppender(lines);
    }
    assertThat(lines.list).singleElement().asString().contains("LK004");
  }

  @Test
  @DisplayName("OP-16: allow is exempt, deny is 403 and asked first; neither is charged")
  void knowsWhoIsExemptAndWhoIsNotServed() {
    HttpRateLimiter http =
        rules("client-address")
            .allow(Networks.of("10.0.0.0/8", "2001:db8::/32"))
            .deny(Networks.of("10.6.6.0/24"))
            .exempt("/health")
            .build();
    for (int i = 0; i < 5; i++) {
      assertThat(check(http, FakeRequest.get("/").from("10.0.0.1"))).isEqualTo(Verdict.PASS);
      assertThat(check(http, FakeRequest.get("/").from("2001:db8::1"))).isEqualTo(Verdict.PASS);
    }
    for (String path : new String[] {"/", "/health"}) {
      Verdict denied = check(http, FakeRequest.get(path).from("::ffff:10.6.6.6"));
      assertThat(denied.fields()).containsExactly(new Field("Cache-Control", "no-store"));
      assertThat(denied.refusal())
          .isEqualTo(
              new Refusal(
                  403,
                  "application/problem+json",
                  "{\"type\":\"about:blank\",\"title\":\"Forbidden\",\"status\":403}",
                  true));
    }
    FakeRequest preflight =
        FakeRequest.of("OPTIONS", "/")
            .from("10.6.6.6")
            .header("Origin", "https://app.example")
            .header("Access-Control-Request-Method", "POST");
    assertThat(check(http, preflight).refused()).isTrue();
    assertThat(window.asked).isEmpty();
    assertThat(check(http, FakeRequest.get("/").from("")).refused()).isFalse();
    assertThat(window.asked).hasSize(1);
  }

  @Test
  @DisplayName("OP-12, HT-033: a missing key refuses if the policy says so, and nothing is charged")
  void refusesWithoutAKey() {
    HttpPolicy other = HttpPolicy.named("other").limits("5/1h").build();
    HttpRateLimiter http =
        HttpRateLimiter.over(window).route("/*", other, policy("principal, else refuse")).build();
    Verdict refused = check(http, FakeRequest.get("/"));
    assertThat(refused.fields()).containsExactly(new Field("Cache-Control", "no-store"));
    assertThat(refused.refusal().status()).isEqualTo(429);
    assertThat(refused.refusal().body())
        .contains("\"violated-policies\":[\"p\"]", "lacks what it is counted by")
        .doesNotContain("retry_after");
    assertThat(window.asked).isEmpty();
    assertThat(check(http, FakeRequest.get("/").user("ada")).refused()).isFalse();

    HttpPolicy hidden =
        HttpPolicy.named("h")
            .limits("1/1h")
            .key(Keys.header("X-Key").orElse(Keys.refuse()))
            .status(503)
            .headers(HeaderMode.NEVER)
            .build();
    Refusal unavailable =
        check(HttpRateLimiter.over(window).route("/*", hidden).build(), FakeRequest.get("/"))
            .refusal();
    assertThat(unavailable.status()).isEqualTo(503);
    assertThat(unavailable.body()).doesNotContain("violated-policies", "retry_after");
  }

  @Test
  @DisplayName("PK-5, HT-051, HT-054: by template there are as many keys as routes")
  void countsByTemplate() {
    HttpPolicy perPage = policy("path-template + client-address");
    HttpRateLimiter http =
        HttpRateLimiter.over(window)
            .route("/users/{id}", perPage)
            .route("GET /api/*", perPage)
            .policy(HttpPolicy.named("named").limits("2/1h").key("path-template").build())
            .build();
    for (int i = 0; i < 3; i++) {
      check(http, FakeRequest.get("/users/" + i));
      assertThat(window.keys()).containsExactly("all:path:/users/{id}+ip:203.0.113.9");
    }
    check(http, FakeRequest.get("/api/x/y"));
    assertThat(window.keys()).containsExactly("all:path:/api/*+ip:203.0.113.9");
    http.check(FakeRequest.get("/"), ResponseView.EMPTY, List.of("named"));
    assertThat(window.keys()).as("without a route").containsExactly("ip:203.0.113.9");
  }

  @Test
  @DisplayName("PK-4, HT-047, HT-050: long keys are hashed whole")
  void boundsKeys() {
    HttpRateLimiter http = rules("principal").build();
    String name = "k".repeat(7000);
    check(http, FakeRequest.get("/").user(name + "a"));
    String key = window.keys().get(0);
    assertThat(key).matches("user#[0-9a-f]{64}");
    check(http, FakeRequest.get("/").user(name + "b"));
    assertThat(window.keys()).doesNotContain(key);
    check(http, FakeRequest.get("/").user(name + "a"));
    assertThat(window.keys()).containsExactly(key);
    check(http, FakeRequest.get("/").user("k".repeat(251)));
    assertThat(window.keys()).containsExactly("user:" + "k".repeat(251));
  }

  @Test
  @DisplayName("HT-091, HT-092, OP-6: a request costs what the function says")
  void asksWhatARequestCosts() {
    AtomicLong cost = new AtomicLong();
    HttpPolicy batch =
        HttpPolicy.named("batch").limits("60/1h").cost(request -> cost.get()).build();
    HttpRateLimiter http = HttpRateLimiter.over(window).route("/*", batch).build();
    String[] left = {"60", "59", "0"};
    long[] costs = {0, 1, 59};
    for (int i = 0; i < costs.length; i++) {
      cost.set(costs[i]);
      assertThat(field(check(http, FakeRequest.get("/")), "RateLimit"))
          .isEqualTo("\"batch\";r=" + left[i] + ";t=3600");
    }
    cost.set(2);
    assertThat(check(http, FakeRequest.get("/")).refusal().status()).isEqualTo(429);

    cost.set(61);
    Verdict hopeless = check(http, FakeRequest.get("/"));
    assertThat(hopeless.refusal().body()).contains("cannot succeed by waiting");
    assertThat(field(hopeless, "Retry-After")).isNull();
    cost.set(Long.MAX_VALUE);
    assertThat(check(http, FakeRequest.get("/")).refused()).isTrue();
  }

  @Test
  @DisplayName("HT-092: a cost that cannot be made out is 1, and a line in the log")
  void survivesACostThatThrows() {
    HttpPolicy throwing =
        HttpPolicy.named("t")
            .limits("9/1h")
            .cost(
                request -> {
                  throw new IllegalStateException("SECRET");
                })
            .build();
    HttpPolicy negative = HttpPolicy.named("n").limits("9/1h").cost(request -> -5).build();
    HttpRateLimiter http = HttpRateLimiter.over(window).route("/*", throwing, negative).build();
    assertThat(field(check(http, FakeRequest.get("/")), "RateLimit"))
        .isEqualTo("\"t\";r=8;t=3600, \"n\";r=8;t=3600");
  }
}
