package io.github.limiterkit.jaxrs;

import static io.github.limiterkit.jaxrs.RestFixture.assertPlain;
import static io.github.limiterkit.jaxrs.RestFixture.messages;
import static io.github.limiterkit.jaxrs.RestFixture.policy;
import static io.github.limiterkit.jaxrs.RestFixture.remaining;
import static io.github.limiterkit.testing.RawHttp.get;
import static io.github.limiterkit.testing.RawHttp.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Keys;
import io.github.limiterkit.servlet.RateLimitFilter;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp;
import io.github.limiterkit.testing.RawHttp.Reply;
import jakarta.annotation.Priority;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which requests count, and on whose account. */
interface ChargingContract extends RestFixture {

  @Test
  @DisplayName("JX-11, HT-136: 404, 405 and OPTIONS are answered as without the filters")
  default void toleratesRequestsWithoutAMethod() throws Exception {
    int port = start(kit(policies()));
    assertThat(get(port, "/api/nope").status()).isEqualTo(404);
    assertThat(once(port, "DELETE", "/api/r/lim").status()).isEqualTo(405);
    Reply options = once(port, "OPTIONS", "/api/r/lim");
    assertThat(options.status()).isBetween(200, 204);
    assertPlain(options);
  }

  @Test
  @DisplayName("JX-1, HT-096: a route by address counts 404, 405, 406 and 415 too")
  default void countsBeforeMatching() throws Exception {
    LimiterKit kit = kit(policies().route("/*", policy("all", "9/1h")));
    int port = start(kit);
    assertThat(remaining(get(port, "/api/nope"))).isEqualTo("8");
    assertThat(remaining(once(port, "DELETE", "/api/r/lim"))).isEqualTo("7");
    assertThat(remaining(get(port, "/api/r/lim", "Accept: image/png"))).isEqualTo("6");
    Reply wrongType =
        once(port, "POST", "/api/r/lim", "Content-Type: text/css", "Content-Length: 0");
    assertThat(wrongType.status()).isEqualTo(415);
    assertThat(remaining(wrongType)).isEqualTo("5");
    for (int i = 0; i < 5; i++) {
      get(port, "/api/nope");
    }
    Reply refused = get(port, "/api/r/free", "Accept: image/png");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.one("Content-Type")).isEqualTo("application/problem+json");
    assertThat(refused.one("Retry-After")).isEqualTo("3600");
  }

  @Test
  @DisplayName("JX-2, JX-9, HT-033, HT-093: users after authentication, else the address")
  default void countsUsers() throws Exception {
    int port = start(kit(policies()), new Authentication());
    assertThat(remaining(get(port, "/api/r/user", "X-User: a"))).isEqualTo("1");
    assertThat(remaining(get(port, "/api/r/user", "X-User: b"))).isEqualTo("1");
    assertThat(remaining(get(port, "/api/r/user"))).isEqualTo("1");
    assertThat(remaining(get(port, "/api/r/user", "X-User: a"))).isEqualTo("0");
    assertThat(get(port, "/api/r/user", "X-User: a").status()).isEqualTo(429);
    assertThat(get(port, "/api/r/user").status()).isEqualTo(200);
    assertThat(get(port, "/api/r/user").status()).isEqualTo(429);
  }

  @Test
  @DisplayName("JX-1, JX-5, HT-094: failed authentication counts by address, and has the fields")
  default void countsFailedAuthentication() throws Exception {
    HttpPolicy user = HttpPolicy.named("by-user").limits("9/1h").key(Keys.principal()).build();
    LimiterKit kit = kit(policies().route("/*", policy("all", "5/1h"), user));
    int port = start(kit, new Authentication());
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Reply reply = get(port, "/api/r/free", "X-User: nobody");
      statuses.add(reply.status());
      assertThat(reply.one("RateLimit")).startsWith("\"all\";r=").doesNotContain("by-user");
    }
    assertThat(statuses).containsExactly(401, 401, 401, 401, 401, 429, 429, 429, 429, 429);
  }

  @Test
  @DisplayName("JX-6, SF-8, OP-1, HT-112: together with the servlet filter, on one kit or two")
  default void meetsTheServletFilter() throws Exception {
    LimiterKit edge = kit(LimiterKit.inMemory().route("/*", policy("edge", "5/1m")));
    Filter foreign =
        (request, response, chain) -> {
          ((HttpServletResponse) response).setHeader("RateLimit", "\"foreign\";r=3");
          chain.doFilter(request, response);
        };
    int port =
        start(
            new RestApp()
                .behind(foreign)
                .behind(new RateLimitFilter(edge))
                .with(new RateLimitFeature(kit(policies())), plain()));
    Reply both = get(port, "/api/r/lim");
    assertThat(both.one("RateLimit-Policy")).isEqualTo("\"edge\";q=5;w=60, \"p\";q=2;w=3600");
    assertThat(both.one("RateLimit"))
        .isEqualTo("\"foreign\";r=3, \"edge\";r=4;t=60, \"p\";r=1;t=3600");
    assertThat(get(port, "/api/r/free").one("RateLimit"))
        .isEqualTo("\"foreign\";r=3, \"edge\";r=3;t=60");
    assertThat(get(port, "/api/r/own").one("RateLimit"))
        .isEqualTo("\"foreign\";r=3, \"app\";r=1, \"edge\";r=2;t=60, \"p\";r=0;t=3600");
    Reply refused = get(port, "/api/r/lim");
    assertThat(refused.one("RateLimit-Policy")).isEqualTo("\"edge\";q=5;w=60, \"p\";q=2;w=3600");
    assertThat(refused.one("RateLimit")).isEqualTo("\"foreign\";r=3, \"p\";r=0;t=3600");
    assertThat(refused.one("Retry-After")).isEqualTo("3600");

    LimiterKit one = kit(policies().route("/*", policy("all", "9/1h")));
    int other =
        start(
            new RestApp()
                .behind(new RateLimitFilter(one))
                .with(new RateLimitFeature(one), plain()));
    assertThat(get(other, "/api/r/free").one("RateLimit")).isEqualTo("\"all\";r=8;t=3600");
    assertThat(get(other, "/api/r/lim").one("RateLimit"))
        .isEqualTo("\"all\";r=7;t=3600, \"p\";r=1;t=3600");
  }

  @Test
  @DisplayName("JX-8, HT-059, HT-060, PK-1: spellings of a path reach the same method or none")
  default void cannotBeEvadedBySpelling() throws Exception {
    LimiterKit kit = kit(policies().route("/api/r/free", policy("route", "1/1h")));
    int port = start(kit);
    assertThat(get(port, "/api/r/lim").status()).isEqualTo(200);
    assertThat(remaining(get(port, "/api/r/lim/"))).isEqualTo("0");
    for (String path : List.of("/api/r/lim", "/api/r/lim/", "/api/r/lim?x=1", "/api/r;a=b/lim")) {
      assertThat(get(port, path).status()).as(path).isEqualTo(429);
    }
    assertThat(plain().handled).hasValue(2);
    get(port, "/api/r/free");
    for (String path :
        List.of(
            "/api/r/free",
            "/api/r/free/",
            "/api/r/free;x=1",
            "/api/r;x=1/free",
            "/api/r/fre%65",
            "/api/x/../r/free",
            "/api//r/free",
            "/api/r/free?q")) {
      assertThat(get(port, path).status()).as(path).isNotEqualTo(200).isLessThan(500);
    }
  }

  @Test
  @DisplayName("HT-067, HT-069: preflights are free, overriding the method is not believed")
  default void countsMethodsAsSent() throws Exception {
    LimiterKit kit = kit(policies().route("POST /*", policy("post", "2/1h")));
    int port = start(kit);
    for (int i = 0; i < 3; i++) {
      Reply reply =
          once(
              port,
              "POST",
              "/api/r/lim",
              "X-HTTP-Method-Override: GET",
              "Content-Type: application/json",
              "Content-Length: 0");
      assertThat(reply.status()).isEqualTo(i < 2 ? 200 : 429);
    }
    LimiterKit all = kit(policies().route("/*", policy("all", "2/1h")));
    int other = start(all);
    for (int i = 0; i < 5; i++) {
      assertPlain(
          once(
              other,
              "OPTIONS",
              "/api/r/free",
              "Origin: https://app.example",
              "Access-Control-Request-Method: POST"));
    }
    assertThat(remaining(get(other, "/api/r/free"))).isEqualTo("1");
  }

  @Test
  @DisplayName("JX-10, IP-12, OP-3, HT-020, HT-039: addresses and headers as the server sees them")
  default void countsAddressesAndHeaders() throws Exception {
    HttpPolicy key = HttpPolicy.named("p").limits("2/1h").key(Keys.header("X-API-Key")).build();
    LimiterKit kit = kit(LimiterKit.inMemory().policy(key));
    int port = start(new RestApp().with(new RateLimitFeature(kit), new Resources.Meta()));
    assertThat(remaining(get(port, "/api/m", "X-Api-Key: a"))).isEqualTo("1");
    assertThat(remaining(get(port, "/api/m", "X-API-KEY: b"))).isEqualTo("1");
    assertThat(remaining(get(port, "/api/m", "X-Api-Key: a", "X-Api-Key: b"))).isEqualTo("1");
    assertThat(remaining(get(port, "/api/m", "X-Api-Key: 1", "X-API-KEY: a"))).isEqualTo("0");
    assertThat(get(port, "/api/m").status()).isEqualTo(429);
    try (RawHttp neighbour = RawHttp.connect("127.0.0.3", "127.0.0.1", port);
        RawHttp ipv6 = RawHttp.connect("::1", "::1", port)) {
      assertThat(remaining(neighbour.ask("GET", "/api/m"))).isEqualTo("1");
      assertThat(remaining(ipv6.ask("GET", "/api/m"))).isEqualTo("1");
    }
  }

  @Test
  @DisplayName("OP-1, HT-078: registered twice, it counts once or does not start")
  default void countsOnceIfRegisteredTwice() throws Exception {
    LimiterKit kit = kit(policies().route("/*", policy("all", "9/1h")));
    RestApp app = new RestApp().with(new RateLimitFeature(kit), new RateLimitFeature(kit), plain());
    int port;
    try {
      port = start(app);
    } catch (Exception refusesToStart) {
      assertThat(messages(refusesToStart)).contains("More than one instance");
      return;
    }
    assertThat(get(port, "/api/r/lim").one("RateLimit"))
        .isEqualTo("\"all\";r=8;t=3600, \"p\";r=1;t=3600");
  }

  @Test
  @DisplayName("OP-1, HT-078: registered by another feature, too, it counts once")
  default void countsOnceIfAnotherFeatureRegistersIt() throws Exception {
    LimiterKit kit = kit(policies().route("/*", policy("all", "9/1h")));
    int port = start(kit, new Outer(kit));
    assertThat(get(port, "/api/r/lim").one("RateLimit"))
        .isEqualTo("\"all\";r=8;t=3600, \"p\";r=1;t=3600");
  }

  @Test
  @DisplayName("OP-1: a second feature with another kit, as the user guide tells it")
  default void doesWithASecondKitWhatTheGuideSays() throws Exception {
    LimiterKit kit = kit(policies().route("/*", policy("all", "9/1h")));
    LimiterKit second = kit(policies().route("/*", policy("more", "7/1h")));
    int port = start(kit, new Outer(second));
    String field = get(port, "/api/r/lim").one("RateLimit");

    assertThat(field).contains("\"all\";r=8;t=3600");
    assertThat(field.contains("\"more\";r=6;t=3600")).isEqualTo(runsASecondFeature());
  }

  /** Knows whoever names himself, and answers 401 to whoever calls himself nobody. */
  @Priority(Priorities.AUTHENTICATION)
  final class Authentication implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext request) {
      String user = request.getHeaderString("X-User");
      if ("nobody".equals(user)) {
        request.abortWith(Response.status(401).entity("who?").type("text/plain").build());
      } else if (user != null) {
        request.setSecurityContext(new Known(() -> user));
      }
    }
  }

  record Known(Principal getUserPrincipal) implements SecurityContext {
    @Override
    public Principal getUserPrincipal() {
      return getUserPrincipal;
    }

    @Override
    public boolean isUserInRole(String role) {
      return false;
    }

    @Override
    public boolean isSecure() {
      return false;
    }

    @Override
    public String getAuthenticationScheme() {
      return "test";
    }
  }

  /** Brings the feature along, as a library of an application does. */
  record Outer(LimiterKit kit) implements Feature {
    @Override
    public boolean configure(FeatureContext context) {
      context.register(new RateLimitFeature(kit));
      return true;
    }
  }
}
