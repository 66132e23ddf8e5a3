package io.github.limiterkit.http.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedProxiesTest {

  private static final String XFF = "X-Forwarded-For";

  private final TrustedProxies listed =
      TrustedProxies.header(XFF).networks("10.0.0.0/8", "127.0.0.0/8");
  private final TrustedProxies forwarded =
      TrustedProxies.header("Forwarded").networks("10.0.0.0/8", "127.0.0.0/8");

  @ParameterizedTest
  @DisplayName("IP-4, IP-5, IP-8, HT-002, HT-003, HT-012, HT-014, HT-022, HT-023, HT-024, HT-025")
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = true,
      quoteCharacter = '`',
      textBlock =
          """
          203.0.113.9                             | 203.0.113.9
          6.6.6.1, 198.51.100.7, 10.0.0.5         | 198.51.100.7
          10.0.0.5, 10.0.0.6                      | 10.0.0.5
          10.0.0.9, 10.0.0.6                      | 10.0.0.9
          198.51.100.7:50123                      | 198.51.100.7
          198.51.100.7:_obf                       | 198.51.100.7
          2001:db8::5                             | 2001:db8::5
          [2001:db8::5]                           | 2001:db8::5
          [2001:db8::5]:443                       | 2001:db8::5
          2001:db8:0:1:2:3:4:8080                 | 2001:db8:0:1:2:3:4:8080
          2001:db8::1:80                          | 2001:db8::1:80
          ::ffff:198.51.100.7                     | ::ffff:198.51.100.7
          fe80::1%eth0                            | fe80::1
          1.1.1.1, unknown                        | 10.0.0.1
          6.6.6.1, _hidden                        | 10.0.0.1
          6.6.6.1, unknown:1234                   | 10.0.0.1
          6.6.6.1, -                              | 10.0.0.1
          6.6.6.1, {${print(1)}}                  | 10.0.0.1
          6.6.6.1, ${jndi:x}                      | 10.0.0.1
          6.6.6.1, <script>                       | 10.0.0.1
          6.6.6.1, localhost                      | 10.0.0.1
          6.6.6.1, example.test                   | 10.0.0.1
          6.6.6.1, 1                              | 10.0.0.1
          6.6.6.1, 1.2.3                          | 10.0.0.1
          6.6.6.1, 010.1.1.5                      | 10.0.0.1
          6.6.6.1, 1.2.3.04                       | 10.0.0.1
          6.6.6.1, 0x7f.0.0.1                     | 10.0.0.1
          6.6.6.1, 256.1.1.1                      | 10.0.0.1
          6.6.6.1, 1.2.3.4.                       | 10.0.0.1
          6.6.6.1, 127.0.0.1 x                    | 10.0.0.1
          6.6.6.1, 1.2.3.4:                       | 10.0.0.1
          6.6.6.1, 1.2.3.4:123456                 | 10.0.0.1
          6.6.6.1, [1.2.3.4]                      | 10.0.0.1
          6.6.6.1, [::1                           | 10.0.0.1
          6.6.6.1, unknown, 10.0.0.7              | 10.0.0.7
          , ,198.51.100.7,,                       | 198.51.100.7
          `\t198.51.100.7 `                       | 198.51.100.7
          ``                                      | 10.0.0.1
          ,                                       | 10.0.0.1
          """)
  void walksFromTheRight(String value, String client) {
    assertThat(client(listed, "10.0.0.1", XFF, value)).isEqualTo(client);
  }

  @ParameterizedTest
  @DisplayName("IP-6, IP-7: Forwarded, with quotes recognised from the right")
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = true,
      quoteCharacter = '`',
      textBlock =
          """
          for=203.0.113.9                                   | 203.0.113.9
          For=203.0.113.9                                   | 203.0.113.9
          for="[2001:db8:cafe::17]:4711";proto=https        | 2001:db8:cafe::17
          for="[2001:db8::17]"                              | 2001:db8::17
          for=[2001:db8::17]:4711                           | 2001:db8::17
          for="192.0.2.43:47011"                            | 192.0.2.43
          for=192.0.2.43:47011                              | 192.0.2.43
          for="192.0.2.43:_port"                            | 192.0.2.43
          by=10.0.0.9;host=h;for=192.0.2.43;proto=http      | 192.0.2.43
          ext=1;ext=2;for=192.0.2.43                        | 192.0.2.43
          for=", for=203.0.113.9                            | 203.0.113.9
          host="a\\", for=1.1.1.1";for=203.0.113.9          | 203.0.113.9
          host="a,b;c";for=203.0.113.9                      | 203.0.113.9
          for=1.1.1.1, host="a\\\\";for=203.0.113.9         | 203.0.113.9
          for=1.1.1.1, for="10.0.0.\\7"                     | 1.1.1.1
          for=1.1.1.1, for=203.0.113.9, for=10.0.0.2        | 203.0.113.9
          for=_gazonk                                       | 10.0.0.1
          for=unknown                                       | 10.0.0.1
          for=1.1.1.1, for=unknown                          | 10.0.0.1
          for=1.1.1.1, proto=https                          | 10.0.0.1
          for=1.1.1.1;for=2.2.2.2                           | 10.0.0.1
          for=1.1.1.1;FOR=2.2.2.2                           | 10.0.0.1
          for=1.1.1.1;proto=http;proto=https                | 10.0.0.1
          for =1.1.1.1                                      | 10.0.0.1
          for= 1.1.1.1                                      | 10.0.0.1
          for=1.1.1.1; proto=https                          | 10.0.0.1
          for=1.1.1.1;                                      | 10.0.0.1
          for=2001:db8::17                                  | 10.0.0.1
          for="2001:db8::17"                                | 10.0.0.1
          for="1.1.1.1                                      | 10.0.0.1
          for=1.1.1.1"                                      | 10.0.0.1
          for="1.1.1.1"x                                    | 10.0.0.1
          for=                                              | 10.0.0.1
          1.1.1.1                                           | 10.0.0.1
          for=1.1.1.1, for=", for=10.0.0.3                  | 10.0.0.3
          """)
  void readsForwarded(String value, String client) {
    assertThat(client(forwarded, "10.0.0.1", "Forwarded", value)).isEqualTo(client);
  }

  @Test
  @DisplayName("IP-3, HT-005: all lines in order; of names in any letter case sees the adapter")
  void readsAllLines() {
    assertThat(client(listed, "10.0.0.1", XFF, "6.6.6.1", "198.51.100.7"))
        .isEqualTo("198.51.100.7");
    assertThat(client(listed, "10.0.0.1", XFF, "198.51.100.7", "6.6.6.1")).isEqualTo("6.6.6.1");
    assertThat(client(listed, "10.0.0.1", XFF, "6.6.6.6", "203.0.113.9, 10.0.0.7"))
        .isEqualTo("203.0.113.9");
    assertThat(client(listed, "10.0.0.1", XFF, "203.0.113.9", "", "10.0.0.7", ""))
        .isEqualTo("203.0.113.9");
  }

  @ParameterizedTest
  @DisplayName("IP-4, HT-006, HT-008: an untrusted peer is the client, whatever it sends")
  @ValueSource(strings = {"192.0.2.50", "2001:db8::1", "::1", "11.0.0.1"})
  void believesNoStranger(String peer) {
    assertThat(client(listed, peer, XFF, "203.0.113.9")).isEqualTo(peer);
  }

  @ParameterizedTest
  @DisplayName("HT-011: the peer matches in every spelling")
  @ValueSource(strings = {"::1", "0:0:0:0:0:0:0:1", "[0:0:0:0:0:0:0:1]", "::ffff:127.0.0.1"})
  void knowsItsPeerInEverySpelling(String peer) {
    TrustedProxies loopback = TrustedProxies.header(XFF).networks("loopback");
    assertThat(client(loopback, peer, XFF, "198.51.100.7")).isEqualTo("198.51.100.7");
  }

  @Test
  @DisplayName("IP-9, HT-007, HT-009: only the one header, never another in its place")
  void readsOneHeaderOnly() {
    List<String> read = new ArrayList<>();
    String client =
        listed.clientOf(
            "10.0.0.1",
            name -> {
              read.add(name);
              return List.of();
            });
    assertThat(client).isEqualTo("10.0.0.1");
    assertThat(read).containsExactly(XFF);
    Map<String, List<String>> other = Map.of(XFF, List.of("9.9.9.9"));
    assertThat(forwarded.clientOf("10.0.0.1", name -> other.getOrDefault(name, List.of())))
        .isEqualTo("10.0.0.1");
  }

  @Test
  @DisplayName("HT-006: a header of one vendor")
  void readsAHeaderOfAVendor() {
    TrustedProxies vendor = TrustedProxies.header("CF-Connecting-IP").networks("127.0.0.0/8");
    assertThat(client(vendor, "127.0.0.1", "CF-Connecting-IP", "1.1.1.1")).isEqualTo("1.1.1.1");
    assertThat(client(vendor, "10.0.0.1", "CF-Connecting-IP", "1.1.1.1")).isEqualTo("10.0.0.1");
  }

  @ParameterizedTest
  @DisplayName(
      "HT-004: hops are counted from the right, the peer among them; too few give the peer")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | 6.6.6.1, 198.51.100.7          | 198.51.100.7
          2 | 6.6.6.1, 198.51.100.7, 1.1.1.1 | 198.51.100.7
          2 | 6.6.6.1                        | 192.0.2.1
          3 | 6.6.6.1, 198.51.100.7          | 192.0.2.1
          1 | ''                             | 192.0.2.1
          2 | 6.6.6.1, unknown               | 192.0.2.1
          2 | 6.6.6.1, unknown, 1.1.1.1      | 1.1.1.1
          64 | 6.6.6.1, 198.51.100.7         | 192.0.2.1
          """)
  void countsHops(int hops, String value, String client) {
    TrustedProxies counted = TrustedProxies.header(XFF).hops(hops);
    assertThat(client(counted, "192.0.2.1", XFF, value)).isEqualTo(client);
  }

  @Test
  @DisplayName("IP-10: 4096 characters and 64 elements, counted from the right")
  void looksAtSoMuchAndNoMore() {
    String many = "6.6.6.6, " + "10.0.0.2, ".repeat(63) + "10.0.0.3";
    assertThat(client(listed, "10.0.0.1", XFF, many)).isEqualTo("10.0.0.2");
    String few = "6.6.6.6, " + "10.0.0.2, ".repeat(62) + "10.0.0.3";
    assertThat(client(listed, "10.0.0.1", XFF, few)).isEqualTo("6.6.6.6");

    // Of 16.6.6.6 the limit leaves 6.6.6.6, which would be another's address.
    String tail = ", 10.0.0.3";
    String cut = "16.6.6.6" + " ".repeat(4096 - 7 - tail.length()) + tail;
    assertThat(client(listed, "10.0.0.1", XFF, cut)).isEqualTo("10.0.0.3");
    assertThat(client(listed, "10.0.0.1", XFF, "x".repeat(70_000))).isEqualTo("10.0.0.1");
    assertThat(client(listed, "10.0.0.1", XFF, "9".repeat(300))).isEqualTo("10.0.0.1");
    String[] lines = new String[10_000];
    Arrays.fill(lines, "10.0.0.2");
    lines[0] = "6.6.6.6";
    assertThat(client(listed, "10.0.0.1", XFF, lines)).isEqualTo("10.0.0.2");
    Arrays.fill(lines, "");
    assertThat(client(listed, "10.0.0.1", XFF, lines)).isEqualTo("10.0.0.1");
  }

  @ParameterizedTest
  @DisplayName("IP-15, HT-026: no address is no address, and nobody trusts it")
  @ValueSource(strings = {"", "unknown", "/tmp/socket", "localhost"})
  void leavesAPeerWithoutAddressAlone(String peer) {
    TrustedProxies counted = TrustedProxies.header(XFF).hops(1);
    assertThat(client(listed, peer, XFF, "1.1.1.1")).isEqualTo(peer);
    assertThat(client(counted, peer, XFF, "1.1.1.1")).isEqualTo(peer);
    assertThat(client(counted, null, XFF, "1.1.1.1")).isNull();
  }

  @Test
  void refusesWhatTrustsNobody() {
    TrustedProxies.Builder builder = TrustedProxies.header(XFF);
    assertThatThrownBy(builder::networks).hasMessageContaining("no proxy is trusted");
    assertThatThrownBy(() -> builder.networks("10.1.2.3/8")).hasMessageContaining("10.0.0.0/8");
    assertThatThrownBy(() -> builder.hops(0)).hasMessage("hops 0 is outside 1 to 64");
    assertThatThrownBy(() -> builder.hops(65)).hasMessage("hops 65 is outside 1 to 64");
    assertThatThrownBy(() -> TrustedProxies.header("X Forwarded"))
        .hasMessageContaining("\"X Forwarded\" is not the name of a header");
  }

  @Test
  void saysWhomItTrusts() {
    assertThat(listed).hasToString("X-Forwarded-For from 10.0.0.0/8, 127.0.0.0/8");
    assertThat(TrustedProxies.header("Forwarded").hops(2)).hasToString("Forwarded over 2 hops");
  }

  private static String client(TrustedProxies proxies, String peer, String name, String... lines) {
    return proxies.clientOf(
        peer,
        asked -> {
          assertThat(asked).isEqualTo(name);
          return List.of(lines);
        });
  }
}
