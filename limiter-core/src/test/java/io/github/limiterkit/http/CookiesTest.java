package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CookiesTest {

  private static String value(String... lines) {
    FakeRequest request = FakeRequest.get("/");
    for (String line : lines) {
      request.header("Cookie", line);
    }
    return Cookies.value(request, "sid");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "sid=a|a",
        "sid=a;|a",
        ";sid=a|a",
        ";;;sid=a|a",
        "x=y; sid=a|a",
        "sid=a; x=y|a",
        " sid = a ; x=y|a",
        "x; sid=a|a",
        "x=sid=b; sid=a|a",
        "sid=a=b|a=b",
        "sid=\"a\"|\"a\"",
        "SID=b; sid=a|a",
        "sidx=b; xsid=c; sid=a|a",
      })
  void findsACookie(String line, String value) {
    assertThat(value(line)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"''", ";", "=", "=sid", "sid", "x=sid", "sid;x=y", "x=sid=a"})
  void findsNone(String line) {
    assertThat(value(line)).isNull();
  }

  @Test
  @DisplayName("OP-3: a cookie that is there twice names nobody, in one line or in two")
  void findsNoneOfTwo() {
    assertThat(value("sid=a; sid=b")).isNull();
    assertThat(value("sid=a; sid=a")).isNull();
    assertThat(value("sid=; sid=a")).isNull();
    assertThat(value("sid=a", "x=y; sid=b")).isNull();
    assertThat(value("x=y", "sid=b")).isEqualTo("b");
    assertThat(value()).isNull();
  }
}
