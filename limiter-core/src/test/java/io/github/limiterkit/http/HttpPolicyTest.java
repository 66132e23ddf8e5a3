package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.limiterkit.WhenStoreFails;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpPolicyTest {

  private static HttpPolicy.Builder p() {
    return HttpPolicy.named("p").limits("10/1m, 5/1s");
  }

  @Test
  void hasSafeDefaults() {
    HttpPolicy policy = p().build();

    assertThat(policy.name()).isEqualTo("p");
    assertThat(policy.key()).isSameAs(Keys.clientAddress());
    assertThat(policy.cost()).isEqualTo(1);
    assertThat(policy.status()).isEqualTo(429);
    assertThat(policy.headers()).isEqualTo(HeaderMode.ALWAYS);
    assertThat(policy.policy().whenStoreFails()).isEqualTo(WhenStoreFails.LOCAL);
    assertThat(policy).hasToString("p 10/1m, 5/1s by client-address");
  }

  @Test
  void takesEverySetting() {
    HttpPolicy policy =
        p().key("header:X-Api-Key")
            .cost(5)
            .status(503)
            .headers(HeaderMode.NEVER)
            .retryAfterHint(Duration.ofSeconds(9))
            .whenStoreFails(WhenStoreFails.CLOSED)
            .safety(0.5)
            .build();

    assertThat(Keys.describe(policy.key())).isEqualTo("header:X-Api-Key");
    assertThat(policy.cost()).isEqualTo(5);
    assertThat(policy.status()).isEqualTo(503);
    assertThat(policy.headers()).isEqualTo(HeaderMode.NEVER);
    assertThat(policy.policy().retryAfterHint()).isEqualTo(Duration.ofSeconds(9));
    assertThat(policy.policy().whenStoreFails()).isEqualTo(WhenStoreFails.CLOSED);
    assertThat(policy.policy().safety()).isEqualTo(0.5);
  }

  @DisplayName("ST-3, HT-108: only 429 and 503")
  @ParameterizedTest
  @ValueSource(ints = {200, 403, 99, 1000, 0, -1, 428, 504})
  void refusesOtherStatuses(int status) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> p().status(status))
        .withMessageContaining("policy \"p\": status " + status);
  }

  @DisplayName("OP-6: a cost that can never be paid is an error")
  @ParameterizedTest
  @ValueSource(longs = {0, -1, 6, 5_000_000_000L})
  void refusesCostsThatNeverFit(long cost) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> p().cost(cost).build())
        .withMessageContaining("policy \"p\": cost " + cost + " is outside 1 to");
  }

  @DisplayName("RP-2, HT-117: names")
  @ParameterizedTest(name = "<{0}>")
  @ValueSource(strings = {"a\"b", "a\\b", "1a", "-a", "A", "\u00e9", "a b", "", "a\r\nb", "a\n"})
  void refusesNames(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> HttpPolicy.named(name));
  }

  @Test
  void namesThePolicyInErrors() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> p().key("principle"))
        .withMessageStartingWith(
            "policy \"p\": key: there is no key \"principle\"; did you mean \"principal\"? (keys:"
                + " client-address, principal, path-template, header:NAME");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpPolicy.named("a".repeat(65)))
        .withMessageContaining("aaa");
    assertThatIllegalArgumentException().isThrownBy(() -> HttpPolicy.named("p").build());
  }

  @Test
  void readsHeaderModes() {
    for (HeaderMode mode : HeaderMode.values()) {
      assertThat(HeaderMode.parse(mode.word())).isEqualTo(mode);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HeaderMode.parse("on-reject"))
        .withMessageContaining("did you mean \"on-rejection\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HeaderMode.parse("sometimes"))
        .withMessage("headers: there is no \"sometimes\" (always, on-rejection, never)");
  }
}
