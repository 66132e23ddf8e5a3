package io.github.limiterkit.servlet;

import static io.github.limiterkit.servlet.Fixture.policy;
import static io.github.limiterkit.servlet.Fixture.remaining;
import static io.github.limiterkit.testing.RawHttp.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.http.address.AddressGrouping;
import io.github.limiterkit.http.address.TrustedProxies;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp;
import io.github.limiterkit.testing.RawHttp.Reply;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How one client may be spelt by the proxy that reports it, and how it may not. */
interface AddressSpellingsContract extends Fixture {

  /** Policy p, 2 per hour, behind proxies on this machine and in 10.0.0.0/8. */
  private int behind(LimiterKit.Builder builder) throws Exception {
    TrustedProxies proxies =
        TrustedProxies.header("X-Forwarded-For").networks("loopback", "10.0.0.0/8");
    return start(app(kit(builder.trustedProxies(proxies).route("/*", policy("p", "2/1h")))));
  }

  /** Every address for itself, so that two spellings agree only if they are one address. */
  private int behindAndApart() throws Exception {
    return behind(LimiterKit.inMemory().clientAddress(new AddressGrouping(32, 128)));
  }

  private static Reply from(int port, String forwarded) {
    return get(port, "/", "X-Forwarded-For: " + forwarded);
  }

  private static void assertOneClient(int port, String... spellings) {
    int left = 2;
    for (String spelling : spellings) {
      Reply reply = from(port, spelling);
      assertThat(reply.status()).as(spelling).isEqualTo(left > 0 ? 200 : 429);
      assertThat(remaining(reply)).as(spelling).isEqualTo(Integer.toString(Math.max(0, --left)));
    }
  }

  private static void assertFresh(int port, String... clients) {
    for (String client : clients) {
      assertThat(remaining(from(port, client))).as(client).isEqualTo("1");
    }
  }

  @Test
  @DisplayName("IP-4, HT-003: if every hop is trusted, the leftmost is the client")
  default void takesTheLeftmostOfTrustedHops() throws Exception {
    int port = behind(LimiterKit.inMemory());
    assertFresh(port, "10.0.0.5, 10.0.0.6", "10.0.0.9, 10.0.0.6");
    assertThat(remaining(from(port, "10.0.0.5, 10.0.0.6"))).isEqualTo("0");
  }

  @Test
  @DisplayName(
      "IP-8, HT-012, HT-014: a port is no part of the client, and IPv6 without brackets has none")
  default void leavesPortsOut() throws Exception {
    int port = behindAndApart();
    assertOneClient(port, "198.51.100.7", "198.51.100.7:50123", "198.51.100.7:50124");
    assertFresh(
        port,
        "2001:db8:0:1:2:3:4:8080",
        "2001:db8:0:1:2:3:4:8081",
        "2001:db8::1:80",
        "2001:db8::1");
    assertThat(remaining(from(port, "[2001:db8::1]:4711"))).isEqualTo("0");
  }

  @Test
  @DisplayName("IP-12, IP-13, HT-017, HT-018: one address is one client in whatever spelling")
  default void readsEverySpelling() throws Exception {
    int port = behindAndApart();
    assertOneClient(port, "2001:DB8::A", "2001:0db8:0:0:0:0:0:000a", "2001:db8::a");
    assertOneClient(port, "fe80::1%eth0", "fe80::1%1", "fe80::1%25lo");
    assertOneClient(port, "198.51.100.8", "::FFFF:C633:6408", "0:0:0:0:0:ffff:c633:6408");
    assertFresh(port, "::ffff:203.0.113.9");
  }

  @Test
  @DisplayName("IP-14, HT-016, HT-019: a /64 is cut by bits and not by colons")
  default void groupsByBits() throws Exception {
    int port = behind(LimiterKit.inMemory());
    assertFresh(port, "2001:db8::1", "2001:db8:0:1::1", "1::");
    assertThat(remaining(from(port, "2001:db8:0:0:5::1"))).isEqualTo("0");
    assertThat(from(port, "2001:db8::ffff:1").status()).isEqualTo(429);
  }

  @Test
  @DisplayName("OP-2, HT-021: addresses of a translator are IPv6 like any, and apart if told so")
  default void keepsTranslatedAddressesApartIfTold() throws Exception {
    int port = behind(LimiterKit.inMemory());
    assertFresh(port, "64:ff9b::198.51.100.7", "198.51.100.7");
    assertThat(remaining(from(port, "64:ff9b::203.0.113.9"))).isEqualTo("0");
    assertFresh(behindAndApart(), "64:ff9b::198.51.100.7", "64:ff9b::203.0.113.9", "198.51.100.7");
  }

  @Test
  @DisplayName("HT-025: empty elements, blanks and tabs do not count")
  default void skipsEmptyElements() throws Exception {
    int port = behind(LimiterKit.inMemory());
    assertOneClient(port, ", ,198.51.100.7,, ", "\t198.51.100.7 ", "198.51.100.7");
  }

  @Test
  @DisplayName(
      "IP-5, IP-11, HT-023, HT-024: a name, or what only some read as an address, is no hop")
  default void looksNoNameUp() throws Exception {
    // Every machine knows localhost, and the JDK would take each of these for a trusted hop.
    for (String hop :
        List.of("localhost", "127.1", "2130706433", "127.0.0.01", "010.0.0.1", "127.0.0.1 x")) {
      int port = behind(LimiterKit.inMemory());
      assertOneClient(port, "6.6.6.1, " + hop, "6.6.6.2, " + hop, "6.6.6.3, " + hop);
    }
    for (String hop : List.of("_hidden", "unknown:1234", "-", "0x7f.0.0.1", "127.0.0.1.")) {
      int port = behind(LimiterKit.inMemory());
      assertOneClient(port, "6.6.6.1, " + hop, "6.6.6.2, " + hop, "6.6.6.3, " + hop);
    }
  }

  @Test
  @DisplayName("HT-010: with nothing trusted the peer counts, and one line tells whoever forgot it")
  default void hintsAtAForgottenProxy() throws Exception {
    int port = start(app(p()));
    try (KitLog log = new KitLog();
        RawHttp proxy = RawHttp.connect(port)) {
      for (int i = 0; i < 50; i++) {
        Reply reply = proxy.ask("GET", "/", "X-Forwarded-For: 198.51.100." + i);
        assertThat(reply.status()).isEqualTo(i < 2 ? 200 : 429);
      }
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .startsWith("LK004")
          .contains("trusted-proxies")
          .doesNotContain("127.0.0.1", "198.51");
    }
  }
}
