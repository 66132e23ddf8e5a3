package io.github.limiterkit.http.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.net.InetAddresses;
import java.util.Locale;
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

class AddressGroupingTest {

  private static final AddressGrouping SINGLE = new AddressGrouping(32, 128);

  @DisplayName("IP-12, IP-13, IP-14, HT-019: one spelling per client")
  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "203.0.113.9, 203.0.113.9",
    "0.0.0.0, 0.0.0.0",
    "2001:db8:1:2:a:b:c:d, 2001:db8:1:2::/64",
    "2001:db8:1:2::1, 2001:db8:1:2::/64",
    "2001:db8:1:2:ffff::9, 2001:db8:1:2::/64",
    "2001:DB8:1:2:abcd:1:2:3, 2001:db8:1:2::/64",
    "2001:db8:1:3::1, 2001:db8:1:3::/64",
    "2001:db8::1, 2001:db8::/64",
    "2001:db8:0:0:5::1, 2001:db8::/64",
    "2001:db8:0:1::1, 2001:db8:0:1::/64",
    "1::, 1::/64",
    "::1, ::/64",
    "0:0:0:0:0:0:0:1, ::/64",
    "[0:0:0:0:0:0:0:1], ::/64",
    "[::1], ::/64",
    "fe80::1%eth0, fe80::/64",
    "fe80::1%1, fe80::/64",
    "[fe80::1%25lo], fe80::/64",
    "::ffff:198.51.100.7, 198.51.100.7",
    "::ffff:c633:6407, 198.51.100.7",
    "::FFFF:C633:6407, 198.51.100.7",
    "0:0:0:0:0:ffff:c633:6407, 198.51.100.7",
    "[::ffff:203.0.113.9], 203.0.113.9",
    "64:ff9b::198.51.100.7, 64:ff9b::/64",
    "64:ff9b::203.0.113.9, 64:ff9b::/64",
  })
  void groupsAddresses(String text, String group) {
    assertThat(AddressGrouping.DEFAULT.groupOf(text)).isEqualTo(group);
  }

  @DisplayName("HT-014, HT-018: with prefix 128 every address is a client, in one spelling")
  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "2001:DB8::A, 2001:db8::a",
    "2001:0db8:0:0:0:0:0:000a, 2001:db8::a",
    "2001:db8::a, 2001:db8::a",
    "2001:db8:0:1:2:3:4:8080, 2001:db8:0:1:2:3:4:8080",
    "2001:db8:0:1:2:3:4:8081, 2001:db8:0:1:2:3:4:8081",
    "2001:db8::1:80, 2001:db8::1:80",
    "fe80::1%eth0, fe80::1",
    "::1, ::1",
    "::ffff:198.51.100.7, 198.51.100.7",
    "64:ff9b::198.51.100.7, 64:ff9b::c633:6407",
  })
  void keepsAddressesApart(String text, String group) {
    assertThat(SINGLE.groupOf(text)).isEqualTo(group);
  }

  @ParameterizedTest(name = "/{0} and /{1}: {2} is {3}")
  @CsvSource({
    "24, 64, 203.0.113.9, 203.0.113.0/24",
    "20, 64, 203.0.113.9, 203.0.112.0/20",
    "16, 64, 203.0.113.9, 203.0.0.0/16",
    "24, 64, ::ffff:203.0.113.9, 203.0.113.0/24",
    "32, 32, 2001:db8:8000::1, 2001:db8::/32",
    "32, 33, 2001:db8:8000::1, 2001:db8:8000::/33",
    "32, 33, 2001:db8:7fff::1, 2001:db8::/33",
    "32, 56, 2001:db8:1:2ff::1, 2001:db8:1:200::/56",
    "32, 127, 2001:db8::3, 2001:db8::2/127",
  })
  void masksByBits(int ipv4, int ipv6, String text, String group) {
    assertThat(new AddressGrouping(ipv4, ipv6).groupOf(text)).isEqualTo(group);
  }

  @DisplayName("IP-11, IP-15, HT-024: what is not a literal is no address")
  @ParameterizedTest(name = "<{0}>")
  @NullSource
  @ValueSource(
      strings = {
        "",
        " ",
        "localhost",
        "example.test",
        "unknown",
        "_hidden",
        "1",
        "1.2.3",
        "010.1.1.5",
        "1.2.3.04",
        "0x7f.0.0.1",
        "256.1.1.1",
        "1.2.3.4.",
        "127.0.0.1 x",
        " 127.0.0.1",
        "127.0.0.1:80",
        "[127.0.0.1",
        "::1]",
        "[]",
        "%eth0",
        "127.0.0.1%eth0",
        "[::1]:80",
        "::1::",
        ":",
        "1:2:3:4:5:6:7:8:9",
        "2001:db8::g",
        "\u0661.1.1.1",
        "\uff11.1.1.1",
        "::\u0661",
        "${jndi:x}",
      })
  void takesNothingElse(String text) {
    assertThat(AddressGrouping.DEFAULT.groupOf(text)).isNull();
  }

  @Test
  @DisplayName("IP-10: long text is not looked at")
  void refusesLongText() {
    assertThat(AddressGrouping.DEFAULT.groupOf("9".repeat(300))).isNull();
    assertThat(AddressGrouping.DEFAULT.groupOf("fe80::1%" + "z".repeat(300))).isNull();
    assertThat(AddressGrouping.DEFAULT.groupOf("0".repeat(50) + "::1")).isNull();
  }

  @ParameterizedTest
  @CsvSource({"15, 64", "33, 64", "32, 31", "32, 129"})
  void refusesPrefixesOutOfRange(int ipv4, int ipv6) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AddressGrouping(ipv4, ipv6))
        .withMessageContaining("outside");
  }

  @Test
  @DisplayName("OP-8: the default locale makes no difference")
  void ignoresTheDefaultLocale() {
    Locale before = Locale.getDefault();
    try {
      for (String tag : new String[] {"ar-EG", "tr-TR", "th-TH-u-nu-thai"}) {
        Locale.setDefault(Locale.forLanguageTag(tag));
        assertThat(new AddressGrouping(24, 64).groupOf("203.0.113.9")).isEqualTo("203.0.113.0/24");
        assertThat(AddressGrouping.DEFAULT.groupOf("2001:DB8:1:2::I")).isNull();
        assertThat(AddressGrouping.DEFAULT.groupOf("2001:DB8:1:2::F"))
            .isEqualTo("2001:db8:1:2::/64");
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  @Property(tries = 10_000)
  void neverThrows(@ForAll("addressLike") String text) {
    assertThatCode(() -> AddressGrouping.DEFAULT.groupOf(text)).doesNotThrowAnyException();
  }

  @Property(tries = 20_000)
  void agreesWithGuavaOnDottedQuads(@ForAll("dottedLike") String text) {
    boolean literal = InetAddresses.isInetAddress(text);
    assertThat(AddressGrouping.DEFAULT.groupOf(text)).isEqualTo(literal ? text : null);
  }

  @Provide
  Arbitrary<String> dottedLike() {
    return Arbitraries.of("0", "1", "9", "00", "01", "25", "255", "256", "1000", "", "127", "199")
        .list()
        .ofMinSize(3)
        .ofMaxSize(5)
        .map(parts -> String.join(".", parts));
  }

  @Property(tries = 2_000)
  void groupsAreTheirOwnSpelling(@ForAll byte[] random) {
    byte[] bytes = java.util.Arrays.copyOf(random, 16);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 16; i += 2) {
      text.append(i > 0 ? ":" : "");
      text.append(Integer.toHexString((bytes[i] & 0xff) << 8 | (bytes[i + 1] & 0xff)));
    }
    String group = SINGLE.groupOf(text.toString());
    assertThat(group).isNotNull();
    assertThat(SINGLE.groupOf(group)).isEqualTo(group);
    assertThat(SINGLE.groupOf("[" + group + "]")).isEqualTo(group);
  }

  @Provide
  Arbitrary<String> addressLike() {
    return Arbitraries.strings()
        .withChars("0123456789abcdefABCDEF:.[]%/ x\u0661\uff11\u0000")
        .ofMaxLength(60);
  }
}
