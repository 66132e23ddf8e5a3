package io.github.limiterkit.http.address;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.net.InetAddresses;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Whatever a client writes into a header: an address comes out, and the proxies' part counts. */
public class HostileAddressesPropertyTest {

  private static final TrustedProxies LISTED =
      TrustedProxies.header("X-Forwarded-For").networks("10.0.0.0/8");
  private static final TrustedProxies FORWARDED =
      TrustedProxies.header("Forwarded").networks("10.0.0.0/8");
  private static final TrustedProxies COUNTED = TrustedProxies.header("Forwarded").hops(2);

  /** What hostile text is made of. */
  public static final List<String> PIECES =
      List.of(
          "for=",
          "by=",
          "host=",
          "proto",
          ";",
          ",",
          ", ",
          "\"",
          "\\",
          "\\\"",
          "=",
          " ",
          "\t",
          "[",
          "]",
          ":",
          "::",
          ".",
          "%",
          "10.0.0.7",
          "1.2.3.4",
          "2001:db8::1",
          "::ffff:1.2.3.4",
          "unknown",
          "_x",
          "0",
          "010",
          "999",
          "localhost",
          "\u0660",
          "\u0000",
          "\u00ff");

  @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
  public void givesAnAddressThatSomebodyReported(@ForAll("lines") List<String> lines) {
    for (TrustedProxies proxies : List.of(LISTED, FORWARDED, COUNTED)) {
      String client = proxies.clientOf("10.0.0.1", name -> lines);
      assertThat(client).isNotNull();
      assertThat(InetAddresses.isInetAddress(client)).as(client).isTrue();
      assertThat(AddressGrouping.DEFAULT.groupOf(client)).isNotNull();
    }
  }

  @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
  public void cannotChangeWhatTheProxySays(@ForAll("lines") List<String> lines) {
    String sent = String.join(", ", lines);
    assertThat(LISTED.clientOf("10.0.0.1", name -> List.of(sent + ", 203.0.113.9, 10.0.0.2")))
        .isEqualTo("203.0.113.9");
    assertThat(
            FORWARDED.clientOf(
                "10.0.0.1",
                name -> List.of(sent + ", for=\"203.0.113.9:1\";host=\"a,b\", for=10.0.0.2")))
        .isEqualTo("203.0.113.9");
    assertThat(COUNTED.clientOf("10.0.0.1", name -> List.of(sent, "for=203.0.113.9,for=1.1.1.1")))
        .isEqualTo("203.0.113.9");
  }

  @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
  public void groupsWhateverAContainerSays(@ForAll("line") String text) {
    String group = AddressGrouping.DEFAULT.groupOf(text);
    if (group != null) {
      assertThat(group.length()).isLessThanOrEqualTo(43);
      assertThat(AddressGrouping.DEFAULT.groupOf(group.replace("/64", ""))).isEqualTo(group);
    }
  }

  @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
  public void readsNetworksOrRefusesThem(@ForAll("line") String text, @ForAll("bits") int bits) {
    for (String network : List.of(text, "10.0.0.0/" + bits, text + "/" + bits)) {
      try {
        assertThat(Network.parse(network).toString()).contains("/");
      } catch (IllegalArgumentException wrong) {
        assertThat(wrong).hasMessageContaining(" is no network: ");
      }
    }
  }

  @Provide
  Arbitrary<String> line() {
    return Arbitraries.of(PIECES).list().ofMaxSize(12).map(pieces -> String.join("", pieces));
  }

  @Provide
  Arbitrary<List<String>> lines() {
    return line().list().ofMaxSize(4);
  }

  @Provide
  Arbitrary<Integer> bits() {
    return Arbitraries.integers().between(-1, 130);
  }
}
