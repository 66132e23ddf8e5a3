package io.github.limiterkit.http;

import static io.github.limiterkit.http.Keys.clientAddress;
import static io.github.limiterkit.http.Keys.principal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import io.github.limiterkit.WhenStoreFails;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HttpRateLimiterTest {

  private final FixedWindow window = new FixedWindow();
  private final HttpPolicy p = HttpPolicy.named("p").limits("2/1h").build();

  private static Map<String, String> fields(Verdict verdict) {
    Map<String, String> fields = new LinkedHashMap<>();
    verdict.fields().forEach(field -> fields.put(field.name(), field.value()));
    return fields;
  }

  private static Verdict check(HttpRateLimiter http, FakeRequest request) {
    return http.check(request, ResponseView.EMPTY);
  }

  private HttpRateLimiter.Builder over() {
    return HttpRateLimiter.over(window);
  }

  private static HttpRateLimiter.Builder answering(
      UnaryOperator<LimitUsage> usage, boolean allowed, Source source) {
    RateLimiter scripted =
        charges -> {
          List<LimitUsage> usages = new ArrayList<>();
          for (Charge charge : charges) {
            for (int i = 0; i < charge.policy().limits().size(); i++) {
              long quota = charge.policy().limits().get(i).permits();
              usages.add(usage.apply(new LimitUsage(charge, i, quota, 0, 0, 0, source)));
            }
          }
          return new Decision(allowed, source, usages);
        };
    return HttpRateLimiter.over(scripted);
  }

  @Test
  @DisplayName("RL-5, RA-7, HT-107: accepted, and no Retry-After even if nothing is left")
  void acceptsWithFields() {
    HttpRateLimiter http = over().route("/*", p).build();

    assertThat(fields(check(http, FakeRequest.get("/a"))))
        .containsExactly(
            Map.entry("RateLimit-Policy", "\"p\";q=2;w=3600"),
            Map.entry("RateLimit", "\"p\";r=1;t=3600"));
    Verdict last = check(http, FakeRequest.get("/b"));
    assertThat(fields(last)).containsEntry("RateLimit", "\"p\";r=0;t=3600");
    assertThat(fields(last)).doesNotContainKey("Retry-After");
    assertThat(last.refused()).isFalse();
  }

  @Test
  @DisplayName("ST-1, RA-1, CA-1, CA-2: refused")
  void refusesWithFieldsAndBody() {
    HttpRateLimiter http = over().route("/*", p).build();
    check(http, FakeRequest.get("/"));
    check(http, FakeRequest.get("/"));
    Verdict verdict = check(http, FakeRequest.get("/"));

    assertThat(fields(verdict))
        .containsExactly(
            Map.entry("RateLimit-Policy", "\"p\";q=2;w=3600"),
            Map.entry("RateLimit", "\"p\";r=0;t=3600"),
            Map.entry("Retry-After", "3600"),
            Map.entry("Cache-Control", "no-store"));
    Refusal refusal = verdict.refusal();
    assertThat(refusal.status()).isEqualTo(429);
    assertThat(refusal.contentType()).isEqualTo("application/problem+json");
    assertThat(refusal.contentLength()).isEqualTo(refusal.content().length);
    assertThat(refusal.body()).contains("\"violated-policies\":[\"p\"],\"retry_after\":3600}");
  }

  @Test
  @DisplayName("section 15: rejected, two policies evaluated, one violated, 16.2 s left")
  void answersTheRejectedVector() {
    HttpPolicy perClient = HttpPolicy.named("per-client").limits("100/1m").build();
    HttpPolicy daily = HttpPolicy.named("daily").limits("5000/1d").build();
    HttpRateLimiter http =
        answering(
                usage ->
                    usage.charge().policy() == perClient.policy()
                        ? with(usage, 0, 16_200)
                        : with(usage, 4000, 0),
                false,
                Source.SHARED)
            .route("/*", perClient, daily)
            .build();
    Verdict verdict = check(http, FakeRequest.get("/"));

    assertThat(fields(verdict))
        .containsExactly(
            Map.entry("RateLimit-Policy", "\"per-client\";q=100;w=60, \"daily\";q=5000;w=86400"),
            Map.entry("RateLimit", "\"per-client\";r=0;t=17"),
            Map.entry("Retry-After", "17"),
            Map.entry("Cache-Control", "no-store"));
    assertThat(verdict.refusal().contentLength()).isEqualTo(239);
    assertThat(verdict.refusal().body())
        .isEqualTo(
            "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                + "\"title\":\"Quota Exceeded\",\"status\":429,"
                + "\"detail\":\"Quota for policy 'per-client' is exhausted. Retry in 17 seconds.\","
                + "\"violated-policies\":[\"per-client\"],\"retry_after\":17}");
  }

  @Test
  @DisplayName("section 15: both violated")
  void answersTheBothViolatedVector() {
    HttpPolicy perClient = HttpPolicy.named("per-client").limits("100/1m").build();
    HttpPolicy daily = HttpPolicy.named("daily").limits("5000/1d").build();
    HttpRateLimiter http =
        answering(
                usage ->
                    with(usage, 0, usage.charge().policy() == daily.policy() ? 36_000_000 : 17_000),
                false,
                Source.SHARED)
            .route("/*", perClient, daily)
            .build();

    assertThat(fields(check(http, FakeRequest.get("/"))))
        .containsEntry("Retry-After", "36000")
        .containsEntry("RateLimit", "\"per-client\";r=0;t=17, \"daily\";r=0;t=36000");
  }

  @Test
  @DisplayName("RP-7, RL-4: what is said of one policy is told of no other")
  void tellsOfEachPolicyOnlyItsOwn() {
    HttpPolicy unasked = HttpPolicy.named("unasked").limits("5/1d").build();
    RateLimiter first =
        charges ->
            new Decision(
                false,
                Source.SHARED,
                List.of(new LimitUsage(charges.get(0), 0, 2, 0, 5_000, 5_000, Source.SHARED)));
    HttpRateLimiter http = HttpRateLimiter.over(first).route("/*", p, unasked).build();

    assertThat(fields(check(http, FakeRequest.get("/"))))
        .containsEntry("RateLimit-Policy", "\"p\";q=2;w=3600, \"unasked\";q=5;w=86400")
        .containsEntry("RateLimit", "\"p\";r=0;t=5");
  }

  private static LimitUsage with(LimitUsage usage, long remaining, long wait) {
    return new LimitUsage(
        usage.charge(), usage.index(), usage.quota(), remaining, wait, wait, usage.source());
  }

  @Test
  @DisplayName("OP-10, HT-065, HT-083: every matching route applies, all or nothing")
  void chargesAllOrNothing() {
    HttpPolicy burst = HttpPolicy.named("burst").limits("5/1m").build();
    HttpPolicy daily = HttpPolicy.named("daily").limits("3/1d").build();
    HttpRateLimiter http = over().route("/*", burst).route("/a", daily, burst).build();
    for (int left = 2; left >= 0; left--) {
      assertThat(fields(check(http, FakeRequest.get("/a"))).get("RateLimit"))
          .isEqualTo("\"burst\";r=" + (left + 2) + ";t=60, \"daily\";r=" + left + ";t=86400");
    }
    for (int i = 0; i < 7; i++) {
      Verdict refused = check(http, FakeRequest.get("/a"));
      assertThat(fields(refused))
          .containsEntry("RateLimit", "\"daily\";r=0;t=86400")
          .containsEntry("RateLimit-Policy", "\"burst\";q=5;w=60, \"daily\";q=3;w=86400");
    }
    assertThat(fields(check(http, FakeRequest.get("/b"))))
        .containsEntry("RateLimit", "\"burst\";r=1;t=60");
  }

  @Test
  @DisplayName("OP-1, SE-1: one request is charged once per policy, whoever asks")
  void chargesOncePerRequest() {
    HttpRateLimiter one = over().route("/*", p).build();
    HttpRateLimiter other =
        over().route("/*", HttpPolicy.named("p").limits("9/1h").build()).build();
    FakeRequest request = FakeRequest.get("/a");

    assertThat(check(one, request).fields()).isNotEmpty();
    assertThat(check(one, request)).isEqualTo(Verdict.PASS);
    assertThat(check(other, request)).isEqualTo(Verdict.PASS);
    assertThat(one.check(request, ResponseView.EMPTY, List.of("p"))).isEqualTo(Verdict.PASS);
    assertThat(window.asked).hasSize(1);
  }

  @Test
  @DisplayName("SE-1: a policy counts as charged before it is")
  void marksBeforeCounting() {
    FakeRequest request = FakeRequest.get("/a");
    List<Verdict> inner = new ArrayList<>();
    HttpRateLimiter[] self = new HttpRateLimiter[1];
    self[0] =
        HttpRateLimiter.over(
                charges -> {
                  inner.add(check(self[0], request));
                  return window.acquire(charges);
                })
            .route("/*", p)
            .build();

    assertThat(check(self[0], request).fields()).isNotEmpty();
    assertThat(inner).containsExactly(Verdict.PASS);
  }

  @Test
  @DisplayName("HT-112, JX-6: what a second adapter says is the whole list")
  void mergesWhatSeveralAdaptersDecide() {
    HttpPolicy method = HttpPolicy.named("method").limits("9/1h").build();
    HttpRateLimiter edge = over().route("/*", p).build();
    HttpRateLimiter inner = over().policy(method).build();
    FakeRequest request = FakeRequest.get("/a");
    Map<String, String> response = fields(check(edge, request));
    Verdict second = inner.check(request, name -> List.of(response.get(name)), List.of("method"));

    assertThat(fields(second))
        .containsEntry("RateLimit-Policy", "\"p\";q=2;w=3600, \"method\";q=9;w=3600")
        .containsEntry("RateLimit", "\"p\";r=1;t=3600, \"method\";r=8;t=3600");
    assertThat(inner.fields(request, ResponseView.EMPTY, 200)).isEqualTo(second.fields());
    assertThat(inner.fields(request, name -> List.of("\"app\";r=1"), 404).get(1).value())
        .isEqualTo("\"app\";r=1, \"p\";r=1;t=3600, \"method\";r=8;t=3600");
  }

  @Test
  @DisplayName("RL-4, RA-6: a later refusal takes back what was said of the accepting policies")
  void listsOnlyTheRefusingAfterAnEarlierAdapter() {
    HttpPolicy daily = HttpPolicy.named("daily").limits("5/1d").build();
    HttpPolicy method = HttpPolicy.named("method").limits("1/1m").build();
    HttpRateLimiter edge = over().route("/*", daily).build();
    HttpRateLimiter inner = over().policy(method).build();
    inner.check(FakeRequest.get("/a"), ResponseView.EMPTY, List.of("method"));
    FakeRequest request = FakeRequest.get("/a");
    Map<String, String> response = fields(check(edge, request));
    Verdict refused = inner.check(request, name -> List.of(response.get(name)), List.of("method"));

    assertThat(fields(refused))
        .containsEntry("RateLimit-Policy", "\"daily\";q=5;w=86400, \"method\";q=1;w=60")
        .containsEntry("RateLimit", "\"method\";r=0;t=60")
        .containsEntry("Retry-After", "60");
    assertThat(inner.fields(request, ResponseView.EMPTY, 429).get(1).value())
        .isEqualTo("\"method\";r=0;t=60");
  }

  @Test
  @DisplayName("SF-8: what another component has set stays")
  void appendsToForeignFields() {
    HttpRateLimiter http = over().route("/*", p).build();
    ResponseView foreign =
        name -> name.equals("RateLimit") ? List.of("\"x\";r=1", "\"y\";r=2") : List.of();

    assertThat(fields(http.check(FakeRequest.get("/"), foreign)))
        .containsEntry("RateLimit", "\"x\";r=1, \"y\";r=2, \"p\";r=1;t=3600")
        .containsEntry("RateLimit-Policy", "\"p\";q=2;w=3600");
  }

  @Test
  @DisplayName("RL-7: a redirect has no fields")
  void withholdsFieldsFromRedirects() {
    HttpRateLimiter http = over().route("/*", p).build();
    FakeRequest request = FakeRequest.get("/");
    assertThat(http.fields(request, ResponseView.EMPTY, 200)).isEmpty();
    check(http, request);

    assertThat(http.fields(request, ResponseView.EMPTY, 302)).isEmpty();
    assertThat(http.fields(request, ResponseView.EMPTY, 500)).hasSize(2);
  }

  @Test
  @DisplayName("RL-8, HT-115: always, on rejection, never; Retry-After in all three")
  void showsWhatIsToBeShown() {
    for (HeaderMode mode : HeaderMode.values()) {
      HttpPolicy policy = HttpPolicy.named("m-" + mode.word()).limits("1/1h").headers(mode).build();
      HttpRateLimiter http = over().route("/*", policy).build();
      Map<String, String> accepted = fields(check(http, FakeRequest.get("/")));
      Verdict refused = check(http, FakeRequest.get("/"));

      assertThat(accepted).hasSize(mode == HeaderMode.ALWAYS ? 2 : 0);
      assertThat(fields(refused)).containsEntry("Retry-After", "3600");
      assertThat(fields(refused)).hasSize(mode == HeaderMode.NEVER ? 2 : 4);
      assertThat(refused.refusal().body().contains("'m-")).isEqualTo(mode != HeaderMode.NEVER);
    }
  }

  @Test
  @DisplayName("CO-1, HT-067: only the shape of a preflight is exempt")
  void exemptsPreflights() {
    HttpRateLimiter http = over().route("/*", p).build();
    FakeRequest preflight =
        FakeRequest.of("OPTIONS", "/orders")
            .header("Origin", "https://app.example")
            .header("Access-Control-Request-Method", "POST");
    assertThat(check(http, preflight)).isEqualTo(Verdict.PASS);
    assertThat(
            check(http, FakeRequest.of("OPTIONS", "/orders").header("Origin", "https://a.example"))
                .fields())
        .isNotEmpty();
    assertThat(
            check(
                    http,
                    FakeRequest.get("/orders")
                        .header("Origin", "https://app.example")
                        .header("Access-Control-Request-Method", "POST"))
                .fields())
        .isNotEmpty();
  }

  @Test
  @DisplayName("OP-10, HT-066, HT-118: exempt is asked first, and means what it says")
  void exemptsPaths() {
    HttpRateLimiter http =
        over()
            .route("/*", p)
            .policy(HttpPolicy.named("q").limits("1/1h").build())
            .exempt("/public/*", "*.css")
            .build();
    for (String path : List.of("/public", "/public/a", "/x.css", "/public/")) {
      assertThat(check(http, FakeRequest.get(path))).isEqualTo(Verdict.PASS);
      assertThat(http.check(FakeRequest.get(path), ResponseView.EMPTY, List.of("q")))
          .isEqualTo(Verdict.PASS);
    }
    assertThat(window.asked).isEmpty();
    for (String path :
        List.of("/publicity", "/public/../api", "/public;/../api", "/public/..\\x", "/a%2f.css")) {
      assertThat(check(http, FakeRequest.get(path))).as(path).isNotEqualTo(Verdict.PASS);
    }
  }

  @Test
  void saysNothingOfWhatNoRouteMeans() {
    HttpRateLimiter http = over().route("/api/*", p).build();

    assertThat(check(http, FakeRequest.get("/x"))).isEqualTo(Verdict.PASS);
    assertThat(http.fields(FakeRequest.get("/x"), ResponseView.EMPTY, 200)).isEmpty();
  }

  @Test
  @DisplayName("EB-11: HEAD is answered like GET, without the body")
  void answersHeadWithoutBody() {
    HttpRateLimiter http = over().route("GET /*", p).build();
    check(http, FakeRequest.get("/"));
    check(http, FakeRequest.of("HEAD", "/"));
    Refusal get = check(http, FakeRequest.get("/")).refusal();
    Refusal head = check(http, FakeRequest.of("HEAD", "/")).refusal();

    assertThat(head.content()).isEmpty();
    assertThat(head.contentLength()).isEqualTo(get.content().length);
    assertThat(head.contentType()).isEqualTo(get.contentType());
    assertThat(head.status()).isEqualTo(429);
  }

  @Test
  @DisplayName("EB-9: the body follows Accept")
  void negotiates() {
    HttpRateLimiter http = over().route("/*", p).build();
    check(http, FakeRequest.get("/"));
    check(http, FakeRequest.get("/"));

    assertThat(check(http, FakeRequest.get("/").header("Accept", "text/html")).refusal().body())
        .startsWith("<!DOCTYPE html>");
    assertThat(
            check(http, FakeRequest.get("/").header("Accept", "image/png")).refusal().contentType())
        .isEqualTo("application/problem+json");
  }

  @Test
  @DisplayName("OP-12, HT-034, HT-095: a missing key is the client's address, also if it threw")
  void fallsBackToTheAddress() {
    HttpPolicy header = HttpPolicy.named("p").limits("2/1h").key(Keys.header("X-Api-Key")).build();
    HttpRateLimiter http = over().route("/*", header).build();
    check(http, FakeRequest.get("/").from("127.0.0.2"));
    assertThat(window.keys()).containsExactly("ip:127.0.0.2");
    check(http, FakeRequest.get("/").from("127.0.0.3").header("X-Api-Key", "a"));
    assertThat(window.keys()).first().asString().startsWith("hdr:x-api-key:");

    HttpPolicy joined =
        HttpPolicy.named("j").limits("2/1h").key("principal + header:X-Api-Key").build();
    check(over().route("/*", joined).build(), FakeRequest.get("/").header("X-Api-Key", "a"));
    assertThat(window.keys()).as("a part is missing").containsExactly("ip:203.0.113.9");

    HttpPolicy broken =
        HttpPolicy.named("q")
            .limits("2/1h")
            .key(
                Keys.custom(
                        "tenant",
                        any -> {
                          throw new IllegalStateException("SECRET-123");
                        })
                    .orElse(principal()))
            .build();
    HttpRateLimiter other = over().route("/*", broken).build();
    check(other, FakeRequest.get("/").user("alice"));
    assertThat(window.keys()).containsExactly("user:alice");
    check(other, FakeRequest.get("/"));
    assertThat(window.keys()).containsExactly("ip:203.0.113.9");
    assertThat(other.resolverFailures()).isEqualTo(2);
  }

  @Test
  @DisplayName("IP-15: no address is still a key")
  void limitsWithoutAddress() {
    HttpRateLimiter http = over().route("/*", p).build();
    check(http, FakeRequest.get("/").from(null));
    check(http, FakeRequest.get("/").from(""));

    assertThat(check(http, FakeRequest.get("/").from(null)).refused()).isTrue();
    assertThat(window.keys()).containsExactly("unknown");
  }

  @Test
  @DisplayName("PK-1: a path that cannot be made out is charged to every route")
  void limitsWhatCannotBeMadeOut() {
    HttpRateLimiter http = over().route("/login", p).build();
    for (String path : new String[] {"/a\\b", null, "/..", "*"}) {
      assertThat(check(http, FakeRequest.get(path)).fields()).isNotEmpty();
    }
  }

  @Test
  @DisplayName("JX-1, JX-2: in two steps, before and after authentication")
  void asksInTwoSteps() {
    HttpPolicy address = HttpPolicy.named("address").limits("9/1h").key(clientAddress()).build();
    HttpPolicy user = HttpPolicy.named("user").limits("9/1h").key(principal()).build();
    HttpRateLimiter http = over().route("/*", address, user).build();
    FakeRequest request = FakeRequest.get("/");

    assertThat(fields(http.checkBeforeAuthentication(request, ResponseView.EMPTY)))
        .containsEntry("RateLimit", "\"address\";r=8;t=3600");
    request.user("alice");
    assertThat(fields(check(http, request)))
        .containsEntry("RateLimit", "\"address\";r=8;t=3600, \"user\";r=8;t=3600");
    assertThat(window.keys()).containsExactly("user:alice");
  }

  @Test
  @DisplayName("ST-2, OP-14, HT-119: what happens without the store")
  void answersWithoutTheStore() {
    HttpPolicy closed =
        HttpPolicy.named("closed").limits("2/1h").whenStoreFails(WhenStoreFails.CLOSED).build();
    HttpPolicy open =
        HttpPolicy.named("open").limits("2/1h").whenStoreFails(WhenStoreFails.OPEN).build();
    RateLimiter lost =
        charges ->
            new Decision(
                charges.stream()
                    .noneMatch(charge -> charge.policy().whenStoreFails() == WhenStoreFails.CLOSED),
                Source.POSTURE,
                List.of());

    Verdict refused =
        check(HttpRateLimiter.over(lost).route("/*", closed).build(), FakeRequest.get("/"));
    assertThat(refused.refusal().status()).isEqualTo(503);
    assertThat(refused.refusal().body()).contains("#temporary-reduced-capacity");
    assertThat(fields(refused)).containsEntry("Retry-After", "5");
    assertThat(check(HttpRateLimiter.over(lost).route("/*", open).build(), FakeRequest.get("/")))
        .isEqualTo(Verdict.PASS);
  }

  @Test
  @DisplayName("HT-095: a limiter that throws closes only what says closed")
  void survivesALimiterThatThrows() {
    RateLimiter broken =
        charges -> {
          throw new IllegalStateException("node 10.0.3.7 is gone");
        };
    HttpPolicy closed =
        HttpPolicy.named("closed").limits("2/1h").whenStoreFails(WhenStoreFails.CLOSED).build();

    assertThat(check(HttpRateLimiter.over(broken).route("/*", p).build(), FakeRequest.get("/")))
        .isEqualTo(Verdict.PASS);
    Verdict refused =
        check(HttpRateLimiter.over(broken).route("/*", p, closed).build(), FakeRequest.get("/"));
    assertThat(refused.refusal().status()).isEqualTo(503);
    assertThat(refused.refusal().body()).contains("[\"closed\"]").doesNotContain("10.0.3.7");
  }

  @Test
  @DisplayName("OP-4: a name that no policy has never means no limit")
  void refusesUnknownNames() {
    HttpPolicy orders = HttpPolicy.named("orders").limits("2/1h").build();
    HttpRateLimiter http = over().policy(orders).build();
    Verdict verdict = http.check(FakeRequest.get("/"), ResponseView.EMPTY, List.of("order"));

    assertThat(verdict.refusal().status()).isEqualTo(503);
    assertThat(fields(verdict)).containsOnlyKeys("Retry-After", "Cache-Control");
    assertThat(http.policy("order")).isNull();
    assertThat(http.policy("orders")).isSameAs(orders);
    assertThat(http.didYouMean("order")).isEqualTo("; did you mean \"orders\"?");
  }

  @Test
  void saysWhoDecidedIfAsked() {
    HttpRateLimiter http = over().route("/*", p).sourceField(true).build();

    assertThat(fields(check(http, FakeRequest.get("/")))).containsEntry("Limiter-Source", "local");
  }

  @Test
  void saysTheWeakestOfThoseWhoDecided() {
    HttpPolicy method = HttpPolicy.named("method").limits("9/1h").build();
    UnaryOperator<LimitUsage> any = usage -> usage;
    for (Source first : List.of(Source.SHARED, Source.LOCAL)) {
      Source second = first == Source.SHARED ? Source.LOCAL : Source.SHARED;
      FakeRequest request = FakeRequest.get("/");
      check(answering(any, true, first).route("/*", p).build(), request);
      Verdict verdict =
          check(
              answering(any, true, second).route("/*", method).sourceField(true).build(), request);
      assertThat(fields(verdict)).containsEntry("Limiter-Source", "local");
    }
  }

  @Test
  @DisplayName("RA-4, EB-8: the longest wait and the types are settings")
  void takesSettings() {
    HttpRateLimiter http =
        over()
            .route("/*", p)
            .retryAfterMax(Duration.ofSeconds(60))
            .problemTypes(URI.create("urn:quota"), URI.create("urn:capacity"))
            .build();
    check(http, FakeRequest.get("/"));
    assertThat(fields(check(http, FakeRequest.get("/"))))
        .containsEntry("RateLimit", "\"p\";r=0;t=60");
    Verdict refused = check(http, FakeRequest.get("/"));

    assertThat(fields(refused))
        .containsEntry("Retry-After", "60")
        .containsEntry("RateLimit", "\"p\";r=0;t=60");
    assertThat(refused.refusal().body()).startsWith("{\"type\":\"urn:quota\"").endsWith(":60}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> over().retryAfterMax(Duration.ofMillis(999)));
  }

  @Test
  @DisplayName("HT-150, OP-15: names that clash are errors")
  void refusesClashes() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> over().route("/a", p).policy(HttpPolicy.named("p").limits("3/1h").build()))
        .withMessageContaining("two policies are named \"p\"");
    HttpPolicy two = HttpPolicy.named("a").limits("9/1m, 2/1s").build();
    HttpPolicy clash = HttpPolicy.named("a-1s").limits("9/1m").build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> over().policy(two).policy(clash).build())
        .withMessageContaining("\"a\" and \"a-1s\" would both show a limit as \"a-1s\"");
    assertThat(over().route("/a", p).route("/b", p).policy(p).build().policies())
        .containsExactly(p);
  }

  @Test
  @DisplayName("OP-8, HT-106: numbers are ASCII whatever the default locale")
  void ignoresTheDefaultLocale() {
    Locale before = Locale.getDefault();
    try {
      for (String tag : List.of("ar-EG", "fa-IR", "hi-IN-u-nu-deva", "th-TH-u-nu-thai", "tr-TR")) {
        Locale.setDefault(Locale.forLanguageTag(tag));
        FixedWindow fresh = new FixedWindow();
        HttpPolicy policy = HttpPolicy.named("id").limits("1/1h, 1/1m").build();
        HttpRateLimiter http =
            HttpRateLimiter.over(fresh).route("/*", policy).sourceField(true).build();
        check(http, FakeRequest.get("/"));
        Verdict refused = check(http, FakeRequest.get("/"));
        assertThat(fields(refused))
            .containsEntry("Retry-After", "3600")
            .containsEntry("RateLimit-Policy", "\"id\";q=1;w=3600, \"id-1m\";q=1;w=60");
        assertThat(refused.refusal().body()).isPrintable().matches("\\p{ASCII}*");
        Collection<String> values = fields(refused).values();
        assertThat(String.join("", values)).matches("\\p{ASCII}*");
      }
    } finally {
      Locale.setDefault(before);
    }
  }
}
