package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalPathTest {

  @DisplayName("PK-1: spellings of one path")
  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "/echo/a",
        "/echo/a;jsessionid=1",
        "/echo;x=1/a",
        "//echo//a",
        "/echo/./a",
        "/echo/x/../a",
        "/echo/a/",
        "/echo/a//",
        "/echo/a/.",
        "/echo/a/b/..",
        "/./echo/a",
        "/x/../echo/a",
        "/;/echo/a",
        "/echo/..;x/echo/a",
        "/echo/.;/a;",
        "/echo/x;y=../../a"
      })
  void makesOne(String path) {
    assertThat(CanonicalPath.of(path)).isEqualTo("/echo/a");
  }

  @DisplayName("PK-1: what cannot be made out")
  @ParameterizedTest(name = "<{0}>")
  @NullSource
  @ValueSource(
      strings = {
        "/..",
        "/../a",
        "/a/../../b",
        "/..;/a",
        "/a\\b",
        "/a%2Fb",
        "/a%2fb",
        "/a%5Cb",
        "/a%5cb",
        "/a\u0000b",
        "/a\nb",
        "/a\u007fb",
        "/a\u0085b",
        "/a\u037eb",
        "/A\u037eB",
        "/1\u00852",
        "*",
        "a/b"
      })
  void givesUp(String path) {
    assertThat(CanonicalPath.of(path)).isNull();
  }

  @DisplayName("PK-2: the root, letter case, names with dots and percent signs")
  @ParameterizedTest(name = "<{0}> is {1}")
  @CsvSource({
    "'', /",
    "/, /",
    "//, /",
    "/., /",
    "/a/.., /",
    "/;x, /",
    "/A/b, /A/b",
    "/.well-known/x, /.well-known/x",
    "/a/..b, /a/..b",
    "/a/b.css, /a/b.css",
    "/100%, /100%",
    "/100%25, /100%25",
    "/a b, /a b",
  })
  void keeps(String path, String canonical) {
    assertThat(CanonicalPath.of(path)).isEqualTo(canonical);
  }

  @Test
  @DisplayName("PK-3: composed and decomposed letters are one")
  void composes() {
    assertThat(CanonicalPath.of("/cafe\u0301")).isEqualTo("/caf\u00e9");
    assertThat(CanonicalPath.of("/CAFE\u0301")).isEqualTo("/CAF\u00c9");
    assertThat(CanonicalPath.of("/caf\u00e9")).isEqualTo("/caf\u00e9");
  }

  @Property(tries = 10_000)
  void isCanonicalOrNothing(@ForAll("pathLike") String path) {
    String canonical = CanonicalPath.of(path);
    if (canonical != null) {
      assertThat(canonical)
          .startsWith("/")
          .doesNotContain("//", ";", "/./", "/../", "\\", "\u0000");
      assertThat(canonical.equals("/") || !canonical.endsWith("/")).isTrue();
      assertThat(canonical).doesNotEndWith("/.").doesNotEndWith("/..");
      assertThat(CanonicalPath.of(canonical)).isEqualTo(canonical);
    }
  }

  @Provide
  Arbitrary<String> pathLike() {
    return Arbitraries.of(
            "/", "//", "a", "B", ".", "..", ";", "=", "%", "2f", "\\", "\u0000", "\u0301", "e")
        .list()
        .ofMaxSize(20)
        .map(parts -> "/" + String.join("", parts));
  }
}
