package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.limiterkit.http.answer.Dialect;
import io.github.limiterkit.http.answer.EpochClock;
import io.github.limiterkit.http.answer.LegacyFields;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the rules are told, up to the bounds of it, and say of themselves. */
class SettingsTest {

  private final FixedWindow window = new FixedWindow();

  private static HttpRateLimiter.Builder rules() {
    return HttpRateLimiter.over(new FixedWindow())
        .route("/*", HttpPolicy.named("p").limits("1/1h").build());
  }

  private static Verdict refused(HttpRateLimiter http) {
    http.check(FakeRequest.get("/"), ResponseView.EMPTY);
    return http.check(FakeRequest.get("/"), ResponseView.EMPTY);
  }

  private static String field(Verdict verdict, String name) {
    return verdict.fields().stream()
        .filter(field -> field.name().equals(name))
        .map(Field::value)
        .findFirst()
        .orElse(null);
  }

  @Test
  void tellsWhatItWasBuiltWith() {
    HttpRateLimiter usual = rules().build();
    assertThat(usual.isEnabled()).isTrue();
    assertThat(usual.usesErrorPage()).isFalse();
    assertThat(usual.routes()).hasToString("[/*]");
    assertThat(usual.isShadow(usual.policy("p"))).isFalse();
    HttpRateLimiter other = rules().enabled(false).errorPage(true).shadow(true).build();
    assertThat(other.isEnabled()).isFalse();
    assertThat(other.usesErrorPage()).isTrue();
    assertThat(other.isShadow(other.policy("p"))).isTrue();
  }

  @Test
  @DisplayName("RA-4: the longest wait is one second or more")
  void boundsTheLongestWait() {
    assertThat(field(refused(rules().retryAfterMax(Duration.ofSeconds(1)).build()), "Retry-After"))
        .isEqualTo("1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rules().retryAfterMax(Duration.ofMillis(999)));
  }

  @Test
  @DisplayName("RA-8: jitter of 1 s to 1 h, drawn once, in all that tells of the wait")
  void boundsJitter() {
    List<Long> asked = new ArrayList<>();
    for (Duration most : List.of(Duration.ofSeconds(1), Duration.ofHours(1))) {
      HttpRateLimiter http =
          rules()
              .jitter(
                  most,
                  bound -> {
                    asked.add(bound);
                    return bound;
                  })
              .build();
      Verdict refused = refused(http);
      String wait = Long.toString(3600 + most.toSeconds());
      assertThat(field(refused, "Retry-After")).isEqualTo(wait);
      assertThat(field(refused, "RateLimit")).isEqualTo("\"p\";r=0;t=" + wait);
      assertThat(refused.refusal().body()).contains("\"retry_after\":" + wait);
    }
    assertThat(asked).containsExactly(1L, 3600L);
    assertThat(field(refused(rules().jitter(Duration.ZERO, bound -> 99).build()), "Retry-After"))
        .isEqualTo("3600");
    for (Duration wrong :
        List.of(Duration.ofMillis(999), Duration.ofSeconds(-1), Duration.ofSeconds(3601))) {
      assertThatIllegalArgumentException().isThrownBy(() -> rules().jitter(wrong, bound -> 0));
    }
  }

  @Test
  @DisplayName("RL-7: only redirects are without fields")
  void withholdsFieldsFromRedirectsOnly() {
    HttpRateLimiter http = rules().build();
    FakeRequest request = FakeRequest.get("/");
    http.check(request, ResponseView.EMPTY);
    for (int status : new int[] {200, 299, 400, 404, 500}) {
      assertThat(http.fields(request, ResponseView.EMPTY, status)).as("%d", status).hasSize(2);
    }
    for (int status : new int[] {300, 304, 399}) {
      assertThat(http.fields(request, ResponseView.EMPTY, status)).as("%d", status).isEmpty();
    }
    assertThat(http.fields(FakeRequest.get("/"), ResponseView.EMPTY, 200)).isEmpty();
  }

  @Test
  @DisplayName("HT-073: the time of day is that of the machine")
  void tellsTheTimeOfDay() {
    long before = Instant.now().getEpochSecond();
    HttpRateLimiter http =
        rules().dialect(Dialect.NONE).legacyFields(LegacyFields.EPOCH, EpochClock.system()).build();
    long reset = Long.parseLong(field(refused(http), "X-RateLimit-Reset"));
    assertThat(reset - 3600).isBetween(before, Instant.now().getEpochSecond());
  }

  @Test
  void hasAWordForEverything() {
    assertThat(Dialect.DRAFT_11.word()).isEqualTo("draft-11");
    assertThat(Keys.describe(Keys.parse("principal + client-address")))
        .isEqualTo("principal + client-address");
    for (Phase phase : Phase.values()) {
      assertThat(Phase.parse(phase.word())).isEqualTo(phase);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Phase.parse("after"))
        .withMessageContaining("no \"after\"; did you mean \"after-authentication\"? (before-");
    KeyResolver own = request -> "x:y";
    assertThat(Keys.describe(own)).isEqualTo("custom");
    assertThat(Keys.refuse().resolve(FakeRequest.get("/"))).isNull();
  }

  @Test
  @DisplayName("PK-4: a key of 256 characters is kept, a longer one is hashed under its kind")
  void boundsKeys() {
    assertThat(keyOf("k:" + "x".repeat(254))).isEqualTo("k:" + "x".repeat(254));
    assertThat(keyOf("k:" + "x".repeat(255))).matches("k#[0-9a-f]{64}");
    assertThat(keyOf(":" + "x".repeat(300))).matches("key#[0-9a-f]{64}");
    assertThat(keyOf("x".repeat(300))).matches("key#[0-9a-f]{64}");
    assertThat(keyOf("k".repeat(64) + ":" + "x".repeat(300))).matches("k{64}#[0-9a-f]{64}");
    assertThat(keyOf("k".repeat(65) + ":" + "x".repeat(300))).matches("key#[0-9a-f]{64}");
  }

  private String keyOf(String key) {
    HttpPolicy policy = HttpPolicy.named("k").limits("9/1h").key(request -> key).build();
    HttpRateLimiter.over(window)
        .route("/*", policy)
        .build()
        .check(FakeRequest.get("/"), ResponseView.EMPTY);
    return window.keys().get(0);
  }

  @Test
  @DisplayName("OP-9: extensions of one letter are extensions, and have no odd characters")
  void readsExtensions() {
    assertThat(PathPattern.parse("*.c").matches("/a/b.c")).isTrue();
    assertThat(PathPattern.parse("*.c").matches("/a/bc")).isFalse();
    for (String wrong : List.of("*.", "*.c?", "*.c;", "*.%63", "*.(c)", "*.c$", "*.c/d")) {
      assertThatIllegalArgumentException().isThrownBy(() -> PathPattern.parse(wrong));
    }
  }

  @Test
  @DisplayName("PK-1: percent signs at either end")
  void decodesEnds() {
    assertThat(RawPath.decoded("%61")).isEqualTo("a");
    assertThat(RawPath.decoded("/a%61")).isEqualTo("/aa");
    assertThat(RawPath.decoded("%61%61/")).isEqualTo("aa/");
    assertThat(RawPath.decoded("%00")).isEqualTo("\0");
    for (String wrong : List.of("%", "/%", "%6", "/a%6", "%6g", "%2f", "%5C", "%ff")) {
      assertThat(RawPath.decoded(wrong)).as(wrong).isNull();
    }
  }
}
