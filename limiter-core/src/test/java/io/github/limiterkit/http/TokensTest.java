package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokensTest {

  @ParameterizedTest
  @ValueSource(strings = {"a", "z", "A", "Z", "0", "9", "!", "~", "X-Api-Key", "a!#$%&'*+-.^_`|~9"})
  void knowsTokens(String text) {
    assertThat(Tokens.isToken(text)).isTrue();
  }

  @Test
  void knowsWhatIsNone() {
    // Also the neighbours of letters and digits: / : @ [ {
    for (char odd : "/:@[]{}(),;<=>?\\\" \t\u007f\u00e4\u0660".toCharArray()) {
      assertThat(Tokens.isToken(String.valueOf(odd))).as("%s", odd).isFalse();
      assertThat(Tokens.isToken("a" + odd + "a")).as("%s", odd).isFalse();
    }
    assertThat(Tokens.isToken("")).isFalse();
  }
}
