package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.limiterkit.http.address.AddressGrouping;
import io.github.limiterkit.http.address.Networks;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an operator can choose where the standards leave it open. */
class OptionsTest {

  private final FixedWindow window = new FixedWindow();

  private static HttpPolicy policy(String name, String limits) {
    return HttpPolicy.named(name).limits(limits).build();
  }

  private static Verdict check(HttpRateLimiter http, FakeRequest request) {
    return http.check(request, ResponseView.EMPTY);
  }

  private static String field(Verdict verdict, String name) {
    return verdict.fields().stream()
        .filter(field -> field.name().equals(name))
        .map(Field::value)
        .findFirst()
        .orElse("none");
  }

  @Test
  @DisplayName("OP-2, HT-021: an address in a network that carries IPv4 is that IPv4 address")
  void unwrapsNat64() {
    AddressGrouping grouping = new AddressGrouping(32, 64, Networks.of("64:ff9b::/96"));
    HttpRateLimiter http =
        HttpRateLimiter.over(window)
            .clientAddress(grouping)
            .route("/*", policy("p", "2/1h"))
            .build();
    check(http, FakeRequest.get("/").from("64:ff9b::198.51.100.7"));
    assertThat(window.keys()).containsExactly("ip:198.51.100.7");
    check(http, FakeRequest.get("/").from("64:ff9b::cb00:7109"));
    assertThat(window.keys()).containsExactly("ip:203.0.113.9");
    check(http, FakeRequest.get("/").from("64:ff9b:1::198.51.100.7"));
    assertThat(window.keys()).containsExactly("ip:64:ff9b:1::/64");
    assertThat(new AddressGrouping(24, 64, Networks.of("2001:db8::/32")).groupOf("2001:db8::1:2"))
        .isEqualTo("0.1.0.0/24");
    for (String network : new String[] {"64:ff9b::/97", "10.0.0.0/8", "loopback"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new AddressGrouping(32, 64, Networks.of(network)))
          .withMessageContaining("cannot carry IPv4; write a network of IPv6 of 96 bits or fewer");
    }
  }

  @Test
  @DisplayName("PK-2: letter case counts, unless it is switched off for routes and exemptions")
  void ignoresLetterCaseIfTold() {
    HttpRateLimiter.Builder builder =
        HttpRateLimiter.over(window)
            .route("/Login/{id}", policy("p", "2/1h"))
            .route("*.CSS", policy("css", "2/1h"))
            .exempt("/Login/Free");
    HttpRateLimiter exact = builder.build();
    HttpRateLimiter folded = builder.ignoreCase(true).build();
    for (String path : new String[] {"/Login/7", "/LOGIN/7", "/login/7", "/a.css", "/A.Css"}) {
      assertThat(check(folded, FakeRequest.get(path)).fields()).as(path).isNotEmpty();
    }
    assertThat(check(folded, FakeRequest.get("/login/7")).refused()).isTrue();
    assertThat(check(folded, FakeRequest.get("/logins/7"))).isEqualTo(Verdict.PASS);
    assertThat(check(folded, FakeRequest.get("/LOGIN/FREE"))).isEqualTo(Verdict.PASS);
    assertThat(check(exact, FakeRequest.get("/Login/Free"))).isEqualTo(Verdict.PASS);
    assertThat(check(exact, FakeRequest.get("/Login/free"))).isNotEqualTo(Verdict.PASS);
    assertThat(check(exact, FakeRequest.get("/login/7"))).isEqualTo(Verdict.PASS);
  }

  @Test
  @DisplayName("RL-5: on demand an accepted client is told of the closest limit only")
  void tellsOfTheClosestOnly() {
    HttpPolicy burst = policy("burst", "5/1m, 4/1s");
    HttpPolicy daily = policy("daily", "3/1d");
    HttpRateLimiter http =
        HttpRateLimiter.over(window).onlyClosest(true).route("/*", burst, daily).build();
    Verdict verdict = check(http, FakeRequest.get("/"));

    assertThat(field(verdict, "RateLimit")).isEqualTo("\"daily\";r=2;t=86400");
    assertThat(field(verdict, "RateLimit-Policy"))
        .isEqualTo("\"burst\";q=5;w=60, \"burst-1s\";q=4;w=1, \"daily\";q=3;w=86400");
    HttpPolicy hidden = HttpPolicy.named("hidden").limits("2/1d").headers(HeaderMode.NEVER).build();
    HttpRateLimiter other =
        HttpRateLimiter.over(window)
            .onlyClosest(true)
            .route("/*", hidden, policy("p", "9/1h"))
            .build();
    assertThat(field(check(other, FakeRequest.get("/")), "RateLimit"))
        .isEqualTo("\"p\";r=8;t=3600");
  }

  @Test
  @DisplayName("CO-1, HT-067: preflights are charged to a policy of their own, and to no other")
  void chargesPreflightsApart() {
    HttpRateLimiter http =
        HttpRateLimiter.over(window)
            .route("/*", policy("p", "9/1h"))
            .exempt("/free")
            .preflight(policy("preflight", "2/1h"))
            .build();
    for (int left = 1; left >= 0; left--) {
      assertThat(field(check(http, preflight("/a")), "RateLimit"))
          .isEqualTo("\"preflight\";r=" + left + ";t=3600");
    }
    assertThat(check(http, preflight("/b")).refusal().status()).isEqualTo(429);
    assertThat(check(http, preflight("/free"))).isEqualTo(Verdict.PASS);
    assertThat(field(check(http, FakeRequest.of("OPTIONS", "/a")), "RateLimit"))
        .isEqualTo("\"p\";r=8;t=3600");

    HttpPolicy byUser = HttpPolicy.named("u").limits("1/1h").key(Keys.principal()).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpRateLimiter.over(window).preflight(byUser))
        .withMessageContaining("policy \"u\" is by principal, and preflights carry no credentials");
  }

  private static FakeRequest preflight(String path) {
    return FakeRequest.of("OPTIONS", path)
        .header("Origin", "https://app.example")
        .header("Access-Control-Request-Method", "POST");
  }
}
