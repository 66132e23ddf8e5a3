package io.github.limiterkit.http.address;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiteralsTest {

  /** The longest spelling of an address there is: 45 characters. */
  private static final String LONGEST = "0000:0000:0000:0000:0000:ffff:255.255.255.255";

  @Test
  @DisplayName("IP-11, IP-12: an address of any length, in brackets and with a zone")
  void readsTheLongest() {
    assertThat(LONGEST).hasSize(45);
    assertThat(Literals.literal(LONGEST)).isEqualTo(LONGEST);
    assertThat(Literals.literal("[" + LONGEST + "]")).isEqualTo(LONGEST);
    assertThat(Literals.literal("[" + LONGEST + "%eth0]")).isEqualTo(LONGEST);
    assertThat(Literals.literal("0" + LONGEST)).isNull();
    String zone = "fe80::1%" + "z".repeat(120);
    assertThat(zone).hasSize(128);
    assertThat(Literals.literal(zone)).isEqualTo("fe80::1");
    assertThat(Literals.literal(zone + "z")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[",
        "]",
        "[]",
        "%",
        "%eth0",
        "[%eth0]",
        "1.2.3.4%eth0",
        "[::1",
        "::1]",
        "::g",
        "1.2.3./",
        "1.2.3.:",
        "::`",
        "::@",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.256",
        "1.2.3.04",
        "1..2.3",
        "a.b.c.d",
        "\u0661.2.3.4",
        "::\u0661",
        "1.2.3.4 "
      })
  void refusesAnythingElse(String text) {
    assertThat(Literals.literal(text)).isNull();
    assertThat(Literals.address(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "9.9.9.9", "255.255.255.255", "::", "::a:f", "::A:F", "::0:9"})
  void readsTheEndsOfEveryRange(String text) {
    assertThat(Literals.literal(text)).isEqualTo(text);
    assertThat(Literals.literal("[" + text + "]")).isEqualTo(text);
  }
}
