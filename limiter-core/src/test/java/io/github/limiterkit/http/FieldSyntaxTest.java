package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.http.answer.PartitionKeys;
import io.github.limiterkit.setup.LimiterKit;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whatever state the limits are in, the fields are what structured fields allow. */
class FieldSyntaxTest {

  private static final String NAME = "\"[a-z][a-z0-9_-]{0,63}\"";
  private static final String NUMBER = "(0|[1-9][0-9]{0,14})";
  private static final String POSITIVE = "[1-9][0-9]{0,14}";

  private static final Pattern POLICIES = list(NAME + ";q=" + NUMBER + ";w=" + POSITIVE);
  private static final Pattern LIMITS = list(NAME + ";r=" + NUMBER + "(;t=" + POSITIVE + ")?");
  private static final Pattern KEYED =
      list(NAME + ";r=" + NUMBER + "(;t=" + POSITIVE + ")?;pk=:[A-Za-z0-9+/]{16}:");

  private final AtomicLong nanos = new AtomicLong();

  private static Pattern list(String member) {
    return Pattern.compile(member + "(, " + member + ")*");
  }

  @Test
  @DisplayName(
      "RA-2, SF-1, SF-4, SF-6, HT-101, HT-105, HT-111, HT-113, HT-116: of a thousand states")
  void isWhatStructuredFieldsAllow() {
    holdInAThousandStates(PartitionKeys.NONE, LIMITS);
  }

  @Test
  @DisplayName("SF-5, RP-8: with keys too, each of 12 bytes in base64 between colons")
  void writesKeysAsByteSequences() {
    holdInAThousandStates(PartitionKeys.of("a secret of the fleet"), KEYED);
  }

  private void holdInAThousandStates(PartitionKeys keys, Pattern limits) {
    Random random = new Random(20261130);
    HttpPolicy burst = HttpPolicy.named("burst").limits("3/500ms, 9/7s").build();
    HttpPolicy daily = HttpPolicy.named("daily").limits("40/1d").cost(2).build();
    int refused = 0;
    try (LimiterKit kit =
        LimiterKit.inMemory()
            .ticker(nanos::get)
            .partitionKeys(keys)
            .route("/*", burst, daily)
            .build()) {
      for (int i = 0; i < 1000; i++) {
        nanos.addAndGet(random.nextLong(i % 50 == 0 ? 100_000_000_000_000L : 900_000_000L));
        Verdict verdict = kit.http().check(FakeRequest.get("/"), ResponseView.EMPTY);
        refused += verdict.refused() ? 1 : 0;
        check(fields(verdict), limits);
      }
    }
    assertThat(refused).isBetween(1, 999);
  }

  private static void check(Map<String, String> fields, Pattern limits) {
    assertThat(fields.get("RateLimit-Policy")).matches(POLICIES);
    assertThat(fields.get("RateLimit")).matches(limits);
    String wait = fields.get("Retry-After");
    if (wait != null) {
      assertThat(wait).matches(POSITIVE);
      assertThat(Long.parseLong(wait)).isLessThanOrEqualTo(Duration.ofDays(1).toSeconds());
    }
  }

  private static Map<String, String> fields(Verdict verdict) {
    Map<String, String> fields = new LinkedHashMap<>();
    verdict.fields().forEach(field -> fields.put(field.name(), field.value()));
    return fields;
  }
}
