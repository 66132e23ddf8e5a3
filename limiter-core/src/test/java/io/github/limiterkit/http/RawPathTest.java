package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RawPathTest {

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "/a/b, /a/b",
    "/%61/%62, /a/b",
    "/a%20b, /a b",
    "/caf%C3%A9, /caf\u00e9",
    "/caf%c3%a9%21, /caf\u00e9!",
    "/\u00e9%61, /\u00e9a",
    "/100%25, /100%",
    "/%2561, /%61",
    "/a%3Bb, /a;b",
  })
  void decodesOnce(String raw, String path) {
    assertThat(RawPath.decoded(raw)).isEqualTo(path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a%2Fb", "/a%2fb", "/a%5cb", "/%", "/%4", "/%zz", "/%C3", "/%C0%AF"})
  void givesUp(String raw) {
    assertThat(RawPath.decoded(raw)).isNull();
  }

  @Test
  void makesNothingOfNothing() {
    assertThat(RawPath.decoded(null)).isNull();
    assertThat(RawPath.decoded("")).isEmpty();
  }

  @Property(tries = 10_000)
  void neverThrows(@ForAll("rawLike") String raw) {
    assertThatCode(() -> RawPath.decoded(raw)).doesNotThrowAnyException();
  }

  @Provide
  Arbitrary<String> rawLike() {
    return Arbitraries.strings()
        .withChars("%/0123456789abcdefABCDEFxyz\u00e9\ud800")
        .ofMaxLength(40);
  }
}
