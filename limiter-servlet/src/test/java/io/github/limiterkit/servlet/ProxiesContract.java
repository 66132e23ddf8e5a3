package io.github.limiterkit.servlet;

import static io.github.limiterkit.servlet.Fixture.policy;
import static io.github.limiterkit.servlet.Fixture.remaining;
import static io.github.limiterkit.testing.RawHttp.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.http.address.Networks;
import io.github.limiterkit.http.address.TrustedProxies;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Clients behind proxies, and clients by their addresses. */
interface ProxiesContract extends Fixture {

  /** Policy p, 2 per hour, behind proxies. */
  private int behind(TrustedProxies proxies) throws Exception {
    return start(
        app(kit(LimiterKit.inMemory().trustedProxies(proxies).route("/*", policy("p", "2/1h")))));
  }

  private static TrustedProxies xff(String... networks) {
    return TrustedProxies.header("X-Forwarded-For").networks(networks);
  }

  @Test
  @DisplayName("IP-2: where the container has read the header, the kit does not read it again")
  default void takesWhatTheContainerMadeOfIt() throws Exception {
    Filter valve =
        (request, response, chain) ->
            chain.doFilter(
                new HttpServletRequestWrapper((HttpServletRequest) request) {
                  @Override
                  public String getRemoteAddr() {
                    return "203.0.113.9";
                  }
                },
                response);
    int port =
        start(
            new App()
                .filter("valve", valve)
                .filter("limits", new RateLimitFilter(p()))
                .servlet("/*", hello()));
    List<Integer> statuses = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      statuses.add(get(port, "/", "X-Forwarded-For: 6.6.6." + i + ", 203.0.113.9").status());
    }
    assertThat(statuses).containsExactly(200, 200, 429);
  }

  @Test
  @DisplayName("IP-3, IP-4, HT-002, HT-005: from the right, over all lines")
  default void walksFromTheRight() throws Exception {
    int port = behind(xff("127.0.0.0/8", "10.0.0.0/8"));
    List<Integer> statuses = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      statuses.add(
          get(port, "/", "X-Forwarded-For: 6.6.6." + i + ", 198.51.100.7, 10.0.0.5").status());
    }
    assertThat(statuses).containsExactly(200, 200, 429);
    assertThat(remaining(get(port, "/", "X-Forwarded-For: 6.6.6.1, 198.51.100.8, 10.0.0.5")))
        .isEqualTo("1");
    String line = "x-forwarded-for: 203.0.113.9";
    assertThat(remaining(get(port, "/", "X-Forwarded-For: 6.6.6.1", line))).isEqualTo("1");
    assertThat(remaining(get(port, "/", "X-Forwarded-For: 6.6.6.2", line))).isEqualTo("0");
    assertThat(get(port, "/", "X-Forwarded-For: 6.6.6.3", line).status()).isEqualTo(429);
    assertThat(remaining(get(port, "/", line, "X-Forwarded-For: 6.6.6.3"))).isEqualTo("1");
  }

  @Test
  @DisplayName("HT-006, HT-007, HT-008, HT-009: one header, and only from whom it is believed")
  default void believesOneHeaderOfThoseItTrusts() throws Exception {
    int port = behind(xff("10.0.0.0/8"));
    try (RawHttp attacker = RawHttp.connect("127.0.0.2", "127.0.0.1", port);
        RawHttp victim = RawHttp.connect("127.0.0.3", "127.0.0.1", port)) {
      for (int i = 0; i < 10; i++) {
        attacker.ask("GET", "/", "X-Forwarded-For: 127.0.0.3", "X-Real-IP: 7.7.7." + i);
      }
      assertThat(remaining(victim.ask("GET", "/"))).isEqualTo("1");
    }
    int other = behind(TrustedProxies.header("Forwarded").networks("loopback"));
    for (int i = 1; i <= 2; i++) {
      get(other, "/", "Forwarded: for=198.51.100.7", "X-Forwarded-For: 9.9.9." + i);
    }
    assertThat(get(other, "/", "Forwarded: for=198.51.100.7", "X-Forwarded-For: 9.9.9.3").status())
        .isEqualTo(429);
    assertThat(remaining(get(other, "/", "X-Forwarded-For: 9.9.9.3"))).isEqualTo("1");
    int vendor = behind(TrustedProxies.header("CF-Connecting-IP").networks("loopback"));
    for (int i = 1; i <= 3; i++) {
      assertThat(remaining(get(vendor, "/", "CF-Connecting-IP: 1.1.1." + i))).isEqualTo("1");
    }
  }

  @Test
  @DisplayName("HT-004: hops")
  default void countsHops() throws Exception {
    int port = behind(TrustedProxies.header("X-Forwarded-For").hops(2));
    List<Integer> statuses = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      statuses.add(get(port, "/", "X-Forwarded-For: 6.6.6." + i).status());
    }
    assertThat(statuses).containsExactly(200, 200, 429);
  }

  @Test
  @DisplayName("IP-5, HT-022, HT-023, HT-024: what is no address ends the walk, and is never a 500")
  default void survivesGarbage() throws Exception {
    int port = behind(xff("loopback"));
    List<Integer> statuses = new ArrayList<>();
    for (String value :
        List.of("6.6.6.1, {${print(1)}}", "6.6.6.2, unknown", "9".repeat(300), "6.6.6.3, x.test")) {
      statuses.add(get(port, "/", "X-Forwarded-For: " + value).status());
    }
    assertThat(statuses).containsExactly(200, 200, 429, 429);
  }

  @Test
  @DisplayName("IP-12, IP-13, HT-011, HT-016, HT-017, HT-020: IPv6, as peer and as client")
  default void understandsIpv6() throws Exception {
    int port = behind(xff("loopback"));
    try (RawHttp connection = RawHttp.connect("::1", "::1", port)) {
      assertThat(remaining(connection.ask("GET", "/", "X-Forwarded-For: 2001:db8:1:2::1")))
          .isEqualTo("1");
      assertThat(remaining(connection.ask("GET", "/", "X-Forwarded-For: 2001:db8:1:2:ffff::9")))
          .isEqualTo("0");
      assertThat(remaining(connection.ask("GET", "/", "X-Forwarded-For: 2001:db8:1:3::1")))
          .isEqualTo("1");
      assertThat(remaining(connection.ask("GET", "/", "X-Forwarded-For: ::ffff:198.51.100.7")))
          .isEqualTo("1");
      assertThat(remaining(connection.ask("GET", "/", "X-Forwarded-For: 198.51.100.7:81")))
          .isEqualTo("0");
    }
  }

  @Test
  @DisplayName("OP-16, HT-026, HT-032: allow and deny by address")
  default void allowsAndDenies() throws Exception {
    int port =
        start(
            app(
                kit(
                    LimiterKit.inMemory()
                        .allow(Networks.of("127.0.0.2"))
                        .deny(Networks.of("127.0.0.3"))
                        .route("/*", policy("p", "2/1h")))));
    try (RawHttp free = RawHttp.connect("127.0.0.2", "127.0.0.1", port);
        RawHttp denied = RawHttp.connect("127.0.0.3", "127.0.0.1", port);
        RawHttp ipv6 = RawHttp.connect("::1", "::1", port)) {
      for (int i = 0; i < 5; i++) {
        RawHttp.Reply reply = free.ask("GET", "/");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.one("RateLimit")).isNull();
      }
      int before = handled().get();
      RawHttp.Reply reply = denied.ask("GET", "/");
      assertThat(reply.status()).isEqualTo(403);
      assertThat(reply.body())
          .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Forbidden\",\"status\":403}");
      assertThat(reply.one("RateLimit")).isNull();
      assertThat(handled()).hasValue(before);
      assertThat(remaining(ipv6.ask("GET", "/"))).as("::1 is not 127.0.0.2").isEqualTo("1");
    }
  }

  @Test
  @DisplayName("IP-1: told in web.xml")
  default void isToldByParameters() throws Exception {
    int port =
        start(
            new App()
                .filter(
                    "limits",
                    RateLimitFilter.class,
                    Map.of(
                        "name", "p",
                        "limits", "2/1h",
                        "trusted-proxies", "loopback,\n 10.0.0.0/8,",
                        "trusted-proxies-header", "X-Forwarded-For",
                        "ipv4-prefix", "24",
                        "allow", "203.0.113.0/24"))
                .servlet("/*", hello()));
    assertThat(remaining(get(port, "/", "X-Forwarded-For: 198.51.100.7"))).isEqualTo("1");
    assertThat(remaining(get(port, "/", "X-Forwarded-For: 198.51.100.8, 10.0.0.1"))).isEqualTo("0");
    assertThat(get(port, "/", "X-Forwarded-For: 203.0.113.9").one("RateLimit")).isNull();
  }
}
