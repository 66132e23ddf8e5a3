package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Limit;
import io.github.limiterkit.http.answer.BodyForm;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Whatever a client sends: no exception, and keys of a bounded length. */
class HostileRequestsPropertyTest {

  static final List<String> PIECES =
      List.of(
          "/",
          "//",
          "/.",
          "/..",
          ".",
          "..",
          ";",
          ";a=b",
          "%2f",
          "%2F",
          "%5C",
          "%",
          "%2",
          "%zz",
          "%c3%a4",
          "%ff",
          "\\",
          "a",
          "B",
          "\u00e4",
          "e\u0301",
          "\u0000",
          "\r\n",
          "\u2028",
          "\uD83D\uDE00",
          "\uD83D",
          "*",
          "?",
          "#",
          " ",
          "\t",
          ",",
          ";q=",
          "q=0",
          "0.000",
          "text/html",
          "application/json",
          "*/*",
          "\"",
          "\\\"",
          "=",
          "+",
          "sid=",
          "x".repeat(300));

  static final List<String> LIMIT_PIECES =
      List.of(
          "1",
          "0",
          "-",
          "99999999999999999999",
          "/",
          "ms",
          "s",
          "m",
          "h",
          "d",
          ",",
          " ",
          "min",
          "M",
          "\u0661",
          "%d",
          "1/1s");

  private final FixedWindow limiter = new FixedWindow();
  private final HttpRateLimiter rules =
      HttpRateLimiter.over(limiter)
          .route("/*", policy("all", "client-address"))
          .route("/a/*", policy("a", "header:X-Key + path-template, else cookie:sid"))
          .route("*.css", policy("b", "principal + header:X-Key"))
          .route("/users/{id}", policy("c", "attribute:x, else principal, else refuse"))
          .exempt("/free/*")
          .build();

  @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
  void decidesOnEveryRequest(
      @ForAll("text") String path, @ForAll("text") String value, @ForAll("text") String user) {
    limiter.asked.clear();
    FakeRequest request =
        FakeRequest.of("GET", path)
            .header("X-Key", value)
            .header("Cookie", value)
            .header("Accept", value)
            .from(user)
            .user(user);
    Verdict verdict = rules.check(request, ResponseView.EMPTY);
    verdict
        .fields()
        .forEach(field -> assertThat(field.value()).isNotEmpty().matches("[\\x20-\\x7e]+"));
    limiter.asked.forEach(
        charges ->
            charges.forEach(
                charge -> assertThat(charge.key().length()).isBetween(1, 64 + 1 + 256)));
  }

  @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
  void hasOneSpellingForAPath(@ForAll("text") String text) {
    String path = CanonicalPath.of("/" + text);
    if (path != null) {
      assertThat(CanonicalPath.of(path)).isEqualTo(path);
      assertThat(path).startsWith("/").doesNotContain("//", "/./", "/../", ";", "\\");
    }
    String decoded = RawPath.decoded(text);
    if (decoded != null) {
      assertThat(decoded.length()).isLessThanOrEqualTo(text.length());
    }
  }

  @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
  void writesABodyInSomeForm(@ForAll("text") String accept) {
    assertThat(BodyForm.accepted(List.of(accept, accept))).isNotNull();
  }

  @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
  void readsLimitsOrRefusesThem(@ForAll("limit") String text) {
    try {
      assertThat(Limit.parseList(text)).isNotEmpty();
    } catch (IllegalArgumentException wrong) {
      assertThat(wrong.getMessage()).contains("\"");
    }
  }

  @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
  void readsPatternsAndKeysOrRefusesThem(@ForAll("text") String text) {
    for (Runnable reading :
        List.<Runnable>of(
            () -> assertThat(PathPattern.parse(text).toString()).isNotEmpty(),
            () -> assertThat(Keys.describe(Keys.parse(text))).isNotEmpty())) {
      try {
        reading.run();
      } catch (IllegalArgumentException wrong) {
        assertThat(wrong.getMessage()).isNotBlank();
      }
    }
  }

  @Provide
  Arbitrary<String> text() {
    return Arbitraries.of(PIECES).list().ofMaxSize(10).map(pieces -> String.join("", pieces));
  }

  @Provide
  Arbitrary<String> limit() {
    return Arbitraries.of(LIMIT_PIECES).list().ofMaxSize(8).map(pieces -> String.join("", pieces));
  }

  private static HttpPolicy policy(String name, String key) {
    return HttpPolicy.named(name).limits("1000000000/1d").key(key).build();
  }
}
