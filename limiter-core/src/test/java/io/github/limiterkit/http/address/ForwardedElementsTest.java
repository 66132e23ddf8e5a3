package io.github.limiterkit.http.address;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardedElementsTest {

  @DisplayName("IP-6, IP-7: elements that name an address")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "for=1.2.3.4|1.2.3.4",
        "FOR=1.2.3.4|1.2.3.4",
        "for=\"1.2.3.4:1\"|1.2.3.4",
        "for=\"1.2.3.4:99999\"|1.2.3.4",
        "for=1.2.3.4:_p|1.2.3.4",
        "for=\"\\1.2.3.4\"|1.2.3.4",
        "for=[::1]|::1",
        "for=\"[::1]:4711\"|::1",
        "for=\"[::1]:_x.-9\"|::1",
        "a=b;for=1.2.3.4|1.2.3.4",
        "z0Z9A!~=b;for=1.2.3.4|1.2.3.4",
        "by=x;host=y;proto=z;for=1.2.3.4|1.2.3.4",
        "host=\"a;b\";for=1.2.3.4|1.2.3.4",
        "host=\"a\\\";b\";for=1.2.3.4|1.2.3.4",
        "x=0;x=9;for=1.2.3.4|1.2.3.4",
        "x=aAzZ09!~`;for=1.2.3.4|1.2.3.4",
      })
  void findsAnAddress(String element, String address) {
    assertThat(ForwardedElements.forwarded(element)).isEqualTo(address);
  }

  @DisplayName("IP-5, IP-6: elements that are malformed, or name none")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "for",
        "for=",
        "=1.2.3.4",
        ";for=1.2.3.4",
        "=x;for=1.2.3.4",
        "x=;for=1.2.3.4",
        "for=1.2.3.4;x=\"a",
        "for=1.2.3.4;x=\"a\\",
        "for=1.2.3.4;",
        "for =1.2.3.4",
        "for= 1.2.3.4",
        "for=1.2.3.4 ;proto=x",
        "for=\"1.2.3.4",
        "for=\"1.2.3.4\"x",
        "for=\"1.2.3.4\\",
        "for=\"1.2.3.4\\\"",
        "for=\"",
        "for=\"\"",
        "for=1.2.3.4;for=1.2.3.4",
        "by=x;by=x;for=1.2.3.4",
        "proto=x;for=1.2.3.4;proto=x",
        "host=x;host=y;for=1.2.3.4",
        "f/r=x;for=1.2.3.4",
        "f:r=x;for=1.2.3.4",
        "f@r=x;for=1.2.3.4",
        "f{r=x;for=1.2.3.4",
        "x={;for=1.2.3.4",
        "x=@;for=1.2.3.4",
        "x=/;for=1.2.3.4",
        "proto=https",
        "for=::1",
        "for=\"::1\"",
        "for=[1.2.3.4]",
        "for=[::1]x",
        "for=[::1",
        "for=[]:1",
        "for=:1",
        "for=1.2.3.4:",
        "for=1.2.3.4:999999",
        "for=1.2.3.4:x",
        "for=1.2.3.4:_",
        "for=[::1]:",
        "for=unknown",
        "for=_hidden",
      })
  void findsNone(String element) {
    assertThat(ForwardedElements.forwarded(element)).isNull();
  }

  @DisplayName("IP-8: X-Forwarded-For may have IPv6 without brackets, which then has no port")
  @ParameterizedTest
  @CsvSource({
    "::1, ::1",
    "1::, 1::",
    "[::1]:1, ::1",
    "1.2.3.4:1, 1.2.3.4",
    "::ffff:1.2.3.4, ::ffff:1.2.3.4"
  })
  void readsBareIpv6(String node, String address) {
    assertThat(ForwardedElements.node(node, true)).isEqualTo(address);
  }
}
