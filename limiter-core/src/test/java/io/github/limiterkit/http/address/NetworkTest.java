package io.github.limiterkit.http.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkTest {

  @ParameterizedTest
  @DisplayName("HT-028, HT-029, HT-030: what is in a network, bit by bit")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fe80::/10       | fe80::1%eth0         | true
          fe80::/10       | febf:ffff::1         | true
          fe80::/10       | fec0::1              | false
          fe80::/10       | fe7f::1              | false
          2001:db8::/31   | 2001:db9::1          | true
          2001:db8::/31   | 2001:dba::1          | false
          2001:db8::/32   | 2001:db8:ffff::1     | true
          2001:db8::/32   | 2001:db9::1          | false
          2001:db8::/33   | 2001:db8:7fff::1     | true
          2001:db8::/33   | 2001:db8:8000::1     | false
          2001:db8::/63   | 2001:db8:0:1::1      | true
          2001:db8::/63   | 2001:db8:0:2::1      | false
          2001:db8::/64   | 2001:db8::ffff       | true
          2001:db8::/64   | 2001:db8:0:1::1      | false
          2001:db8::/65   | 2001:db8::7fff:0:0:1 | true
          2001:db8::/65   | 2001:db8::8000:0:0:1 | false
          2001:db8::2/127 | 2001:db8::2          | true
          2001:db8::2/127 | 2001:db8::3          | true
          2001:db8::2/127 | 2001:db8::1          | false
          2001:db8::2/127 | 2001:db8::4          | false
          2001:db8::2/128 | 2001:db8::2          | true
          2001:db8::2/128 | 2001:db8::3          | false
          2001:db8::2     | 2001:0DB8:0::2       | true
          2001:db8::2     | 2001:db8::3          | false
          0.0.0.0/0       | 0.0.0.0              | true
          0.0.0.0/0       | 255.255.255.255      | true
          0.0.0.0/0       | ::ffff:1.2.3.4       | true
          0.0.0.0/0       | ::1                  | false
          ::/0            | 2001:db8::1          | true
          ::/0            | 1.2.3.4              | false
          198.51.100.7/32 | 198.51.100.7         | true
          198.51.100.7/32 | 198.51.100.6         | false
          198.51.100.7    | ::ffff:c633:6407     | true
          198.51.100.6/31 | 198.51.100.7         | true
          198.51.100.6/31 | 198.51.100.8         | false
          10.0.0.0/8      | 10.255.1.2           | true
          10.0.0.0/8      | 11.0.0.1             | false
          ::1             | [0:0:0:0:0:0:0:1]    | true
          127.0.0.1       | ::1                  | false
          ::ffff:10.0.0.0/104 | 10.1.2.3         | true
          ::ffff:10.0.0.0/104 | 11.1.2.3         | false
          ::ffff:0.0.0.0/96   | 255.1.2.3        | true
          ::ffff:0.0.0.0/96   | ::1              | false
          10.0.0.0/8      | ''                   | false
          10.0.0.0/8      | unknown              | false
          0.0.0.0/0       | 010.0.0.1            | false
          """)
  void holdsTheAddressesThatBeginWithItsBits(String network, String address, boolean contained) {
    assertThat(Network.parse(network).contains(address)).isEqualTo(contained);
  }

  @ParameterizedTest
  @DisplayName("HT-031: what only some parsers understand is an error that quotes it")
  @ValueSource(
      strings = {
        "010.0.0.0/8",
        "10.0.0.08/32",
        "0x0a.0.0.0/8",
        "10/8",
        "10.0.0/8",
        "",
        "/8",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/+8",
        "10.0.0.0/08",
        "10.0.0.0/8/8",
        "10.0.0.0 /8",
        "::/129",
        "fe80::%eth0/10",
        "[::1]",
        "localhost",
        "10.0.0.0-10.0.0.9",
        "10.0.0.0/255.0.0.0",
        "::ffff:10.0.0.0/8"
      })
  void refusesWhatIsNoNetwork(String text) {
    assertThatThrownBy(() -> Network.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("\"" + text + "\" is no network: ");
  }

  @ParameterizedTest
  @DisplayName("OP-7: bits after the network's are an error that names the network meant")
  @CsvSource({
    "10.1.2.3/8, 10.0.0.0/8",
    "192.168.1.1/31, 192.168.1.0/31",
    "1.2.3.4/0, 0.0.0.0/0",
    "2001:db8::1/64, 2001:db8::/64"
  })
  void namesTheNetworkThatWasMeant(String text, String meant) {
    assertThatThrownBy(() -> Network.parse(text)).hasMessageEndingWith("; write " + meant);
  }

  @Test
  @DisplayName("HT-011: the words cover both families")
  void knowsTwoWords() {
    Networks near = Networks.of("loopback", "private");
    for (String address :
        new String[] {
          "127.0.0.1",
          "127.9.9.9",
          "::1",
          "0:0:0:0:0:0:0:1",
          "[0:0:0:0:0:0:0:1]",
          "::ffff:127.0.0.1",
          "10.0.0.1",
          "172.31.0.1",
          "192.168.3.4",
          "169.254.1.1",
          "fd00::1",
          "fe80::1%eth0"
        }) {
      assertThat(near.contain(address)).as(address).isTrue();
    }
    for (String address :
        new String[] {"128.0.0.1", "::2", "172.32.0.1", "192.169.0.1", "fec0::1"}) {
      assertThat(near.contain(address)).as(address).isFalse();
    }
    assertThat(near).hasToString("loopback, private");
    assertThat(Networks.NONE.contain("127.0.0.1")).isFalse();
    assertThatThrownBy(() -> Networks.of("lopback")).hasMessageContaining("\"lopback\"");
  }

  @Test
  void saysWhatItHolds() {
    assertThat(Network.parse(" 10.0.0.0/8 ")).hasToString("10.0.0.0/8");
    assertThat(Network.parse("2001:DB8:0::1")).hasToString("2001:db8::1/128");
  }
}
