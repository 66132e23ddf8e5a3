package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.http.answer.LegacyFields;
import io.github.limiterkit.setup.LimiterKit;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a refused client is told of its wait, when the time of day jumps. */
class WaitsTest {

  private static final long HOUR = 3_600;

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong timeOfDay = new AtomicLong(1_780_000_000);

  private static String field(Verdict verdict, String name) {
    return verdict.fields().stream()
        .filter(field -> field.name().equals(name))
        .map(Field::value)
        .findFirst()
        .orElseThrow();
  }

  private static Verdict check(HttpRateLimiter http) {
    return http.check(FakeRequest.get("/"), ResponseView.EMPTY);
  }

  @Test
  @DisplayName("RA-3, HT-104, HT-111: a jump of the time of day changes no wait, forwards or back")
  void followsNoJumpOfTheTimeOfDay() {
    HttpPolicy policy = HttpPolicy.named("p").limits("1/1m").build();
    try (LimiterKit kit = LimiterKit.inMemory().ticker(nanos::get).policy(policy).build()) {
      HttpRateLimiter http =
          HttpRateLimiter.over(kit.limiter())
              .route("/*", policy)
              .legacyFields(LegacyFields.EPOCH, timeOfDay::get)
              .build();
      assertThat(check(http).refused()).isFalse();
      long elapsed = 0;
      for (long jump : new long[] {0, HOUR, -2 * HOUR, HOUR, -HOUR}) {
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        timeOfDay.addAndGet(10 + jump);
        elapsed += 10;
        Verdict refused = check(http);
        assertThat(refused.refused()).isTrue();
        assertThat(field(refused, "Retry-After")).isEqualTo(Long.toString(60 - elapsed));
        assertThat(field(refused, "RateLimit")).isEqualTo("\"p\";r=0;t=" + (60 - elapsed));
        assertThat(field(refused, "X-RateLimit-Reset"))
            .as("the only field that tells the time of day")
            .isEqualTo(Long.toString(timeOfDay.get() + 60 - elapsed));
      }
      nanos.addAndGet(Duration.ofSeconds(10).toNanos());
      assertThat(check(http).refused()).isFalse();
    }
  }

  @Test
  @DisplayName("RA-4, HT-104: no wait is longer than the window, nor than the longest that is told")
  void tellsNoWaitBeyondTheWindow() {
    for (String limit : new String[] {"1/1m", "1/1500ms", "1/10d"}) {
      HttpPolicy policy = HttpPolicy.named("p").limits(limit).build();
      long window = policy.policy().limits().get(0).windowMillis();
      try (LimiterKit kit = LimiterKit.inMemory().ticker(nanos::get).route("/*", policy).build()) {
        check(kit.http());
        long wait = Long.parseLong(field(check(kit.http()), "Retry-After"));
        assertThat(wait).isEqualTo(Math.min((window + 999) / 1000, 86_400));
      }
    }
  }
}
