package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.http.Field;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.RequestView;
import io.github.limiterkit.http.ResponseView;
import io.github.limiterkit.http.Verdict;
import io.github.limiterkit.setup.LimiterKit;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Retry-after and reset values, as a client is told them. */
class K17HeadersTest {

  private final FakeTicker ticker = new FakeTicker();

  @Test
  @DisplayName("ST-048 the header has whole seconds, rounded up, at least 1 on a rejection")
  void roundsUpToWholeSeconds() {
    Map<Long, String> seconds =
        Map.of(
            1L, "1", 400L, "1", 999L, "1", 1_000L, "1", 1_001L, "2", 1_999L, "2", 2_000L, "2",
            59_999L, "60", 60_000L, "60");
    seconds.forEach(
        (left, header) -> {
          HttpPolicy policy = HttpPolicy.named("p").limits("1/1m").build();
          try (LimiterKit kit =
              LimiterKit.inMemory().ticker(ticker::read).route("/*", policy).build()) {
            assertThat(retryAfter(kit)).as("the first is admitted").isNull();
            ticker.advance(Duration.ofMillis(60_000 - left));
            assertThat(retryAfter(kit)).as("%d ms left", left).isEqualTo(header);
          }
        });
  }

  @Test
  @DisplayName("ST-048 a limit of one a second, asked after 600 ms: 400 ms, and in the header 1")
  void tellsOneForFourHundredMilliseconds() {
    HttpPolicy policy = HttpPolicy.named("p").limits("1/1s").build();
    try (LimiterKit kit = LimiterKit.inMemory().ticker(ticker::read).route("/*", policy).build()) {
      assertThat(retryAfter(kit)).isNull();
      ticker.advance(Duration.ofMillis(600));
      assertThat(kit.acquire("p", "ip:203.0.113.9").retryAfterMillis()).isEqualTo(400);
      assertThat(retryAfter(kit)).isEqualTo("1");
    }
  }

  private static @Nullable String retryAfter(LimiterKit kit) {
    Verdict verdict = kit.http().check(new Get(), ResponseView.EMPTY);
    return verdict.fields().stream()
        .filter(field -> field.name().equals("Retry-After"))
        .map(Field::value)
        .findFirst()
        .orElse(null);
  }

  /** A request from one address. */
  private static final class Get implements RequestView {
    private final Map<String, Object> attributes = new HashMap<>();

    @Override
    public String method() {
      return "GET";
    }

    @Override
    public String path() {
      return "/";
    }

    @Override
    public List<String> headers(String name) {
      return List.of();
    }

    @Override
    public String remoteAddress() {
      return "203.0.113.9";
    }

    @Override
    public @Nullable String principal() {
      return null;
    }

    @Override
    public @Nullable Object attribute(String name) {
      return attributes.get(name);
    }

    @Override
    public void attribute(String name, Object value) {
      attributes.put(name, value);
    }
  }
}
