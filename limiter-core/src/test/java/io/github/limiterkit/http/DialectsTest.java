package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import io.github.limiterkit.WhenStoreFails;
import io.github.limiterkit.http.answer.Dialect;
import io.github.limiterkit.http.answer.LegacyFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How answers tell of limits, in every form that there is. */
class DialectsTest {

  private static final HttpPolicy PER_CLIENT =
      HttpPolicy.named("per-client").limits("100/1m").build();
  private static final HttpPolicy DAILY = HttpPolicy.named("daily").limits("5000/1d").build();

  /** The state of the test vectors: 50 of 100 left for 30 s, 4000 of 5000 for 10 h. */
  private static final RateLimiter HALF_USED =
      charges -> new Decision(true, Source.LOCAL, usages(charges, 50, 0, 30_000));

  /** Both spent: 17 s and 10 h to wait. */
  private static final RateLimiter SPENT =
      charges -> new Decision(false, Source.LOCAL, usages(charges, 0, 16_200, 50_000));

  private static List<LimitUsage> usages(
      List<Charge> charges, long left, long waitMillis, long resetMillis) {
    List<LimitUsage> usages = new ArrayList<>();
    for (Charge charge : charges) {
      boolean daily = charge.policy().name().equals("daily");
      usages.add(
          new LimitUsage(
              charge,
              0,
              charge.policy().limits().get(0).permits(),
              daily ? left * 80 : left,
              daily && waitMillis > 0 ? 36_000_000 : waitMillis,
              daily ? 36_000_000 : resetMillis,
              Source.LOCAL));
    }
    return usages;
  }

  private static List<String> fields(HttpRateLimiter.Builder rules) {
    return fields(rules, FakeRequest.get("/"), ResponseView.EMPTY);
  }

  private static List<String> fields(
      HttpRateLimiter.Builder rules, FakeRequest request, ResponseView response) {
    Verdict verdict = rules.build().check(request, response);
    return verdict.fields().stream().map(field -> field.name() + ": " + field.value()).toList();
  }

  private static HttpRateLimiter.Builder halfUsed(Dialect dialect) {
    return HttpRateLimiter.over(HALF_USED).route("/*", DAILY, PER_CLIENT).dialect(dialect);
  }

  @Test
  @DisplayName("DI-1, DI-2: the vectors of the other dialects, of the limit that is closest")
  void tellsOfTheClosestLimit() {
    assertThat(fields(halfUsed(Dialect.DRAFT_07)))
        .containsExactly(
            "RateLimit-Policy: 100;w=60", "RateLimit: limit=100, remaining=50, reset=30");
    assertThat(fields(halfUsed(Dialect.DRAFT_06)))
        .containsExactly(
            "RateLimit-Policy: 100;w=60",
            "RateLimit-Limit: 100",
            "RateLimit-Remaining: 50",
            "RateLimit-Reset: 30");
    assertThat(fields(halfUsed(Dialect.NONE))).isEmpty();
    assertThat(fields(halfUsed(Dialect.NONE).legacyFields(LegacyFields.EPOCH, () -> 1767607200)))
        .containsExactly(
            "X-RateLimit-Limit: 100", "X-RateLimit-Remaining: 50", "X-RateLimit-Reset: 1767607230");
    assertThat(fields(halfUsed(Dialect.DRAFT_11).legacyFields(LegacyFields.DELTA, () -> 1)))
        .containsExactly(
            "RateLimit-Policy: \"daily\";q=5000;w=86400, \"per-client\";q=100;w=60",
            "RateLimit: \"daily\";r=4000;t=36000, \"per-client\";r=50;t=30",
            "X-RateLimit-Limit: 100",
            "X-RateLimit-Remaining: 50",
            "X-RateLimit-Reset: 30");
  }

  @Test
  @DisplayName("RA-1, RA-6, DI-2: refused, no time in any dialect is later than Retry-After")
  void refusesInEveryDialect() {
    HttpRateLimiter.Builder rules =
        HttpRateLimiter.over(SPENT).route("/*", PER_CLIENT, DAILY).dialect(Dialect.DRAFT_06);
    assertThat(fields(rules))
        .containsExactly(
            "RateLimit-Policy: 100;w=60",
            "RateLimit-Limit: 100",
            "RateLimit-Remaining: 0",
            "RateLimit-Reset: 36000",
            "Retry-After: 36000",
            "Cache-Control: no-store");
    assertThat(fields(rules.dialect(Dialect.NONE).retryAfterMax(Duration.ofMinutes(1))))
        .containsExactly("Retry-After: 60", "Cache-Control: no-store");
  }

  @Test
  @DisplayName("OP-14, RL-8: closed without a store, hidden and open in a dialect of one limit")
  void tellsNothingThatIsNotKnown() {
    HttpPolicy closed =
        HttpPolicy.named("c").limits("9/1h").whenStoreFails(WhenStoreFails.CLOSED).build();
    RateLimiter gone = charges -> new Decision(false, Source.POSTURE, List.of());
    assertThat(fields(HttpRateLimiter.over(gone).route("/*", closed).dialect(Dialect.DRAFT_07)))
        .containsExactly(
            "RateLimit-Policy: 9;w=3600",
            "RateLimit: limit=9, remaining=0, reset=5",
            "Retry-After: 5",
            "Cache-Control: no-store");
    HttpPolicy hidden = HttpPolicy.named("h").limits("9/1h").headers(HeaderMode.NEVER).build();
    assertThat(
            fields(HttpRateLimiter.over(HALF_USED).route("/*", hidden).dialect(Dialect.DRAFT_07)))
        .isEmpty();
    HttpPolicy open =
        HttpPolicy.named("o").limits("9/1h").whenStoreFails(WhenStoreFails.OPEN).build();
    RateLimiter passing = charges -> new Decision(true, Source.POSTURE, List.of());
    assertThat(fields(HttpRateLimiter.over(passing).route("/*", open).dialect(Dialect.DRAFT_06)))
        .isEmpty();
  }

  @Test
  @DisplayName(
      "CO-3, CO-4, HT-072, HT-073: the names that are sent, once each, and with Origin only")
  void exposesItsFields() {
    Map<String, Collection<String>> present =
        Map.of("Access-Control-Expose-Headers", List.of("X-Total", "ratelimit"));
    ResponseView response = name -> present.getOrDefault(name, List.of());
    FakeRequest fromElsewhere = FakeRequest.get("/").header("Origin", "https://app.example");
    HttpRateLimiter.Builder exposing = halfUsed(Dialect.DRAFT_11).exposeFields(true);
    assertThat(fields(exposing, fromElsewhere, response))
        .contains(
            "Access-Control-Expose-Headers: X-Total, ratelimit, Retry-After, RateLimit-Policy");
    FakeRequest other = FakeRequest.get("/").header("Origin", "null");
    assertThat(fields(exposing.dialect(Dialect.NONE), other, ResponseView.EMPTY))
        .containsExactly("Access-Control-Expose-Headers: Retry-After");
    assertThat(fields(exposing, FakeRequest.get("/"), response))
        .noneMatch(field -> field.startsWith("Access-Control"));
    FakeRequest third = FakeRequest.get("/").header("Origin", "null");
    assertThat(fields(halfUsed(Dialect.DRAFT_11), third, ResponseView.EMPTY))
        .noneMatch(field -> field.startsWith("Access-Control"));
  }

  @Test
  @DisplayName("RA-6, RA-8: jitter is upwards, and the same in Retry-After, t and the body")
  void lengthensWaits() {
    List<Long> asked = new ArrayList<>();
    HttpRateLimiter http =
        HttpRateLimiter.over(SPENT)
            .route("/*", PER_CLIENT)
            .jitter(
                Duration.ofSeconds(10),
                most -> {
                  asked.add(most);
                  return 4;
                })
            .build();
    FakeRequest request = FakeRequest.get("/");
    Verdict verdict = http.check(request, ResponseView.EMPTY);
    assertThat(verdict.fields())
        .contains(
            new Field("RateLimit", "\"per-client\";r=0;t=21"), new Field("Retry-After", "21"));
    assertThat(verdict.refusal().body()).contains("\"retry_after\":21", "Retry in 21 seconds.");
    assertThat(http.fields(request, ResponseView.EMPTY, 429))
        .as("said again by another filter")
        .contains(new Field("RateLimit", "\"per-client\";r=0;t=21"));
    assertThat(asked).containsExactly(10L);
    HttpRateLimiter.Builder builder = HttpRateLimiter.over(SPENT);
    for (Duration wrong :
        new Duration[] {Duration.ofMillis(1), Duration.ofSeconds(-1), Duration.ofHours(2)}) {
      assertThatIllegalArgumentException().isThrownBy(() -> builder.jitter(wrong, most -> 0));
    }
  }

  @Test
  @DisplayName("RA-4: jitter does not lengthen a wait beyond the longest")
  void keepsWithinTheLongestWait() {
    assertThat(
            fields(
                HttpRateLimiter.over(SPENT)
                    .route("/*", PER_CLIENT)
                    .retryAfterMax(Duration.ofSeconds(18))
                    .jitter(Duration.ofSeconds(9), most -> most)))
        .contains("RateLimit: \"per-client\";r=0;t=18", "Retry-After: 18");
  }

  @Test
  @DisplayName("EB-11: a body of the user's own; the kit's in its place if there is none")
  void writesTheUsersBody() {
    HttpRateLimiter http =
        HttpRateLimiter.over(SPENT)
            .route("/*", PER_CLIENT)
            .refusalBody(
                (request, refused) ->
                    switch (String.valueOf(request.path())) {
                      case "/throws" -> throw new IllegalStateException("SECRET");
                      case "/none" -> null;
                      default -> new RefusalBody.Text("text/x", refused.toString());
                    })
            .build();
    Refusal own = http.check(FakeRequest.of("HEAD", "/"), ResponseView.EMPTY).refusal();
    assertThat(own)
        .isEqualTo(
            new Refusal(
                429, "text/x", "Facts[status=429, retryAfter=17, policies=[per-client]]", false));
    for (String path : new String[] {"/throws", "/none"}) {
      Refusal usual = http.check(FakeRequest.get(path), ResponseView.EMPTY).refusal();
      assertThat(usual.contentType()).isEqualTo("application/problem+json");
      assertThat(usual.body()).contains("\"status\":429").doesNotContain("SECRET");
    }
  }
}
