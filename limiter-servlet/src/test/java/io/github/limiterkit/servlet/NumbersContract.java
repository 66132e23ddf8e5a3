package io.github.limiterkit.servlet;

import static io.github.limiterkit.servlet.Fixture.policy;
import static io.github.limiterkit.servlet.Fixture.remaining;
import static io.github.limiterkit.testing.RawHttp.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.http.HeaderMode;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp;
import io.github.limiterkit.testing.RawHttp.Reply;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The numbers that a client is told. */
interface NumbersContract extends Fixture {

  @Test
  @DisplayName("RA-3, RA-4, HT-101, HT-103: seconds, rounded up, and never 0")
  default void tellsWholeSeconds() throws Exception {
    int port = start(app(kit(LimiterKit.inMemory().route("/*", policy("p", "1/1m")))));
    get(port, "/");
    assertThat(get(port, "/").one("Retry-After")).isEqualTo("60");
    advance(Duration.ofMillis(58_500));
    assertThat(get(port, "/").one("Retry-After")).as("1.5 s").isEqualTo("2");
    advance(Duration.ofMillis(1_499));
    assertThat(get(port, "/").one("Retry-After")).as("1 ms").isEqualTo("1");
    advance(Duration.ofMillis(1));
    assertThat(get(port, "/").status()).isEqualTo(200);
  }

  @Test
  @DisplayName("RA-7, HT-107: an accepted request has no Retry-After, not even the last one")
  default void tellsNoWaitOfTheLastOne() throws Exception {
    int port = start(app(p(1)));
    Reply last = get(port, "/");
    assertThat(remaining(last)).isEqualTo("0");
    assertThat(last.one("Retry-After")).isNull();
  }

  @Test
  @DisplayName("RL-2, HT-113: neither number is ever negative, and time brings everything back")
  default void tellsNothingNegative() throws Exception {
    int port = start(app(p()));
    try (RawHttp connection = RawHttp.connect(port)) {
      for (int i = 0; i < 22; i++) {
        Reply reply = connection.ask("GET", "/");
        assertThat(reply.one("RateLimit")).matches("\"p\";r=[01];t=3600");
        assertThat(reply.status()).isEqualTo(i < 2 ? 200 : 429);
      }
    }
    advance(Duration.ofHours(3));
    assertThat(get(port, "/").one("RateLimit")).isEqualTo("\"p\";r=1;t=3600");
  }

  @Test
  @DisplayName("RA-4, HT-110: the longest wait is the same in the fields and in the body")
  default void tellsNoLongerWaitThanTheLongest() throws Exception {
    for (int longest : new int[] {60, 86_400}) {
      LimiterKit.Builder builder = LimiterKit.inMemory().route("/*", policy("p", "1/10d"));
      if (longest == 60) {
        builder.retryAfterMax(Duration.ofSeconds(60));
      }
      int port = start(app(kit(builder)));
      get(port, "/");
      Reply refused = get(port, "/");
      assertThat(refused.one("Retry-After")).isEqualTo(Integer.toString(longest));
      assertThat(refused.one("RateLimit")).isEqualTo("\"p\";r=0;t=" + longest);
      assertThat(refused.body())
          .contains("Retry in " + longest + " seconds", "\"retry_after\":" + longest + "}");
    }
  }

  @Test
  @DisplayName("RA-5, RL-4, HT-086: of two spent policies the longer wait, and both are named")
  default void tellsTheLongestWait() throws Exception {
    LimiterKit kit =
        kit(LimiterKit.inMemory().route("/*", policy("minute", "1/1m"), policy("hour", "1/25m")));
    int port = start(app(kit));
    get(port, "/");
    advance(Duration.ofSeconds(40));
    Reply refused = get(port, "/");
    assertThat(refused.one("Retry-After")).isEqualTo("1460");
    assertThat(refused.one("RateLimit")).isEqualTo("\"minute\";r=0;t=20, \"hour\";r=0;t=1460");
    assertThat(refused.body()).contains("\"violated-policies\":[\"minute\",\"hour\"]");
  }

  @Test
  @DisplayName("RL-8, HT-115: always, on rejection, never; Retry-After in all three")
  default void tellsWhenItIsToTell() throws Exception {
    for (HeaderMode mode : HeaderMode.values()) {
      HttpPolicy policy = HttpPolicy.named("p").limits("1/1h").headers(mode).build();
      int port = start(app(kit(LimiterKit.inMemory().route("/*", policy))));
      Reply accepted = get(port, "/");
      assertThat(accepted.one("RateLimit") != null).isEqualTo(mode == HeaderMode.ALWAYS);
      assertThat(accepted.one("RateLimit-Policy") != null).isEqualTo(mode == HeaderMode.ALWAYS);
      Reply refused = get(port, "/");
      assertThat(refused.one("RateLimit") != null).isEqualTo(mode != HeaderMode.NEVER);
      assertThat(refused.one("RateLimit-Policy") != null).isEqualTo(mode != HeaderMode.NEVER);
      assertThat(refused.one("Retry-After")).isEqualTo("3600");
    }
  }

  @Test
  @DisplayName("SF-1, SF-7, HT-116: several policies, letter by letter")
  default void writesSeveralPolicies() throws Exception {
    LimiterKit kit =
        kit(LimiterKit.inMemory().route("/*", policy("burst", "5/1s"), policy("daily", "1000/1d")));
    Reply reply = get(start(app(kit)), "/");
    assertThat(reply.one("RateLimit-Policy"))
        .isEqualTo("\"burst\";q=5;w=1, \"daily\";q=1000;w=86400");
    assertThat(reply.one("RateLimit")).isEqualTo("\"burst\";r=4;t=1, \"daily\";r=999;t=86400");
  }
}
