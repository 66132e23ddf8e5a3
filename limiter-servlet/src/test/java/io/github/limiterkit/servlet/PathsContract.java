package io.github.limiterkit.servlet;

import static io.github.limiterkit.servlet.Fixture.policy;
import static io.github.limiterkit.servlet.Fixture.remaining;
import static io.github.limiterkit.testing.RawHttp.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp.Reply;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which requests a route means. */
interface PathsContract extends Fixture {

  @Test
  @DisplayName("PK-1, SE-12, HT-056, HT-057, HT-058, HT-060, HT-061, HT-066: spellings of a path")
  default void cannotBeEvadedBySpelling() throws Exception {
    LimiterKit kit =
        kit(LimiterKit.inMemory().route("/api/login", policy("p", "1/1h")).exempt("/public/*"));
    int port =
        start(
            new App()
                .filter("limits", new RateLimitFilter(kit))
                .servlet("/api/login", hello())
                .servlet("/api/free", (request, response) -> {}));
    assertThat(get(port, "/api/login").status()).isEqualTo(200);
    for (String path :
        List.of(
            "//api/login",
            "/api//login",
            "/api;a=b/login",
            "/api/login;v=1",
            "/api/login;",
            "/api/login;jsessionid=x",
            "/%61pi/login",
            "/api/%6Cogin",
            "/api/%6cogin",
            "/api/./login",
            "/api/x/../login",
            "/api/login?x=1",
            "/api/login?",
            "http://localhost/api/login",
            "http://other.example:8080/api/login",
            "/public/../api/login",
            "/public;/../api/login",
            "/public/..;/api/login",
            "/api/login/",
            "/api%2Flogin",
            "/api%5Clogin",
            "/api/login%00",
            "/api/login%ff",
            "/api/login%c0%ae",
            "/api/%2e/login",
            "/api/x/%2e%2e/login",
            "/api/%2e%2e/api/login",
            "/api//;//login",
            "/;/api/login",
            "/.;/api/login",
            "/api/.;a=b/login",
            "/%2fapi/login",
            "/api/login;%2f",
            "/api/login%3Bv=1",
            "/api/x/..;a=b/login",
            "/public/%2e%2e/api/login",
            "/public/..%2fapi/login",
            "/api/login?%00",
            "/api/login%0d%0a")) {
      Reply reply = get(port, path);
      assertThat(reply.status()).as(path).isNotEqualTo(200).isLessThan(500);
    }
    assertThat(handled()).hasValue(1);
    assertThat(get(port, "/api/free").one("RateLimit")).isNull();
  }

  @Test
  @DisplayName("HT-062: a context path makes no difference")
  default void cannotBeEvadedInAContext() throws Exception {
    LimiterKit kit = kit(LimiterKit.inMemory().route("/api/login", policy("p", "1/1h")));
    int port =
        start(
            new App()
                .contextPath("/ctx")
                .filter("limits", new RateLimitFilter(kit))
                .servlet("/api/login", hello()));
    assertThat(remaining(get(port, "/ctx/api/login"))).isEqualTo("0");
    for (String path :
        List.of("/ctx/api/login", "/ctx//api/login", "//ctx/api/login", "/%63tx/api/login")) {
      assertThat(get(port, path).status()).as(path).isNotEqualTo(200).isLessThan(500);
    }
    assertThat(handled()).hasValue(1);
  }

  @Test
  @DisplayName("HT-082, HT-098, HT-118, HT-149: the policy's own path decides, not the mapping")
  default void saysNothingWhereNoRouteIs() throws Exception {
    LimiterKit kit = kit(LimiterKit.inMemory().route("/api/*", policy("p", "2/1h")));
    RateLimitFilter filter = new RateLimitFilter(kit);
    int port =
        start(
            new App()
                .filter("narrow", filter, "/api/*")
                .filter("wide", new RateLimitFilter(kit))
                .servlet("/*", hello()));
    Reply free = get(port, "/x");
    assertThat(free.status()).isEqualTo(200);
    assertThat(free.headers()).noneMatch(line -> line.startsWith("RateLimit"));
    assertThat(remaining(get(port, "/api/x"))).isEqualTo("1");
    assertThat(get(port, "/apix").one("RateLimit")).isNull();
  }
}
