package io.github.limiterkit.servlet;

import static io.github.limiterkit.servlet.Fixture.policy;
import static io.github.limiterkit.testing.RawHttp.get;
import static io.github.limiterkit.testing.RawHttp.once;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Keys;
import io.github.limiterkit.http.Phase;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp.Reply;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two filters of one kit, with authentication between them. */
interface PhasesContract extends Fixture {

  /** By address, which is known before the user is. */
  HttpPolicy ADDRESS = policy("address", "5/1h");

  HttpPolicy USER = HttpPolicy.named("user").limits("2/1h").key(Keys.principal()).build();

  /** Knows whoever names himself, and lets nobody else in. */
  private static Filter authentication() {
    return (request, response, chain) -> {
      String user = ((HttpServletRequest) request).getHeader("X-User");
      if (user == null) {
        ((HttpServletResponse) response).setStatus(401);
      } else {
        chain.doFilter(new Known((HttpServletRequest) request, user), response);
      }
    };
  }

  /** A request of a user who is known. */
  final class Known extends HttpServletRequestWrapper {
    private final String user;

    Known(HttpServletRequest request, String user) {
      super(request);
      this.user = user;
    }

    @Override
    public Principal getUserPrincipal() {
      return () -> user;
    }
  }

  private LimiterKit both() {
    return kit(LimiterKit.inMemory().route("/*", ADDRESS, USER));
  }

  private static void limitsBoth(int port) throws Exception {
    Reply first = once(port, "GET", "/", "X-User: ada");
    assertThat(first.one("RateLimit")).isEqualTo("\"address\";r=4;t=3600, \"user\";r=1;t=3600");
    assertThat(first.one("RateLimit-Policy"))
        .isEqualTo("\"address\";q=5;w=3600, \"user\";q=2;w=3600");
    assertThat(once(port, "GET", "/", "X-User: ada").status()).isEqualTo(200);
    Reply refused = once(port, "GET", "/", "X-User: ada");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.one("RateLimit")).isEqualTo("\"user\";r=0;t=3600");
    assertThat(once(port, "GET", "/", "X-User: grace").one("RateLimit"))
        .isEqualTo("\"address\";r=1;t=3600, \"user\";r=1;t=3600");
    Reply unknown = get(port, "/");
    assertThat(unknown.status()).as("a failed log-in counts, too").isEqualTo(401);
    assertThat(unknown.one("RateLimit")).isEqualTo("\"address\";r=0;t=3600");
    assertThat(get(port, "/").status()).isEqualTo(429);
    assertThat(once(port, "GET", "/", "X-User: grace").status()).isEqualTo(429);
  }

  @Test
  @DisplayName(
      "HT-093, HT-094, OP-1: by address before authentication, by user after it, once each")
  default void asksInTwoPhases() throws Exception {
    LimiterKit kit = both();
    limitsBoth(
        start(
            new App()
                .filter("before", new RateLimitFilter(kit, Phase.BEFORE_AUTHENTICATION))
                .filter("authentication", authentication())
                .filter("after", new RateLimitFilter(kit, Phase.AFTER_AUTHENTICATION))
                .servlet("/*", hello())));
  }

  @Test
  @DisplayName("SE-14: registered in code, one in front of all filters and one behind them")
  default void isRegisteredInCode() throws Exception {
    LimiterKit kit = both();
    limitsBoth(
        start(
            new App()
                .onStart(
                    context -> {
                      FilterRegistration.Dynamic known =
                          context.addFilter("authentication", authentication());
                      known.setAsyncSupported(true);
                      known.addMappingForUrlPatterns(
                          EnumSet.of(DispatcherType.REQUEST), true, "/*");
                      RateLimitFilter.register(context, "after", kit, Phase.AFTER_AUTHENTICATION);
                      RateLimitFilter.register(context, "before", kit, Phase.BEFORE_AUTHENTICATION);
                    })
                .servlet("/*", hello())));
  }

  @Test
  @DisplayName("HT-093: two filters in web.xml have one kit, and nobody is warned of them")
  default void sharesAKitByParameters() throws Exception {
    Path file = Files.createTempFile("limiter", ".yaml");
    try (KitLog log = new KitLog()) {
      Files.writeString(
          file,
          """
          policies:
            address: { limits: 5/1h }
            user: { limits: 2/1h, key: principal }
          routes: [{ path: /*, policies: [address, user] }]
          """);
      String config = file.toString();
      App app =
          new App()
              .filter(
                  "before",
                  RateLimitFilter.class,
                  Map.of("config", config, "phase", "before-authentication"))
              .filter("authentication", authentication())
              .filter(
                  "after",
                  RateLimitFilter.class,
                  Map.of("config", config, "phase", " after-authentication "))
              .servlet("/*", hello());
      for (int i = 0; i < 2; i++) {
        try (App.Running running = container().start(app)) {
          limitsBoth(running.port());
        }
      }
      assertThat(log.warnings()).isEmpty();
    } finally {
      Files.delete(file);
    }
  }

  @Test
  @DisplayName("SE-17, HT-093: without the second filter one warning tells that no user is limited")
  default void warnsOfAMissingSecondFilter() throws Exception {
    try (KitLog log = new KitLog()) {
      int port =
          start(
              new App()
                  .filter("before", new RateLimitFilter(both(), Phase.BEFORE_AUTHENTICATION))
                  .filter("authentication", authentication())
                  .servlet("/*", hello()));
      assertThat(get(port, "/").status()).isEqualTo(401);
      assertThat(log.warnings()).as("nobody was let through, so nothing is known").isEmpty();
      for (int i = 0; i < 3; i++) {
        assertThat(get(port, "/", "X-User: ada").one("RateLimit")).startsWith("\"address\";r=");
      }
      awaitOneWarning(log);
    }
  }

  /** What is told after the chain may come after the answer. */
  private static void awaitOneWarning(KitLog log) {
    await().atMost(Duration.ofSeconds(30)).until(() -> !log.warnings().isEmpty());
    assertThat(log.warnings())
        .containsExactly(
            "LK007 filter \"before\" asks before authentication, and nobody has asked after it so"
                + " far: what waits for that is not charged (user); add a filter with the same kit"
                + " and phase after-authentication behind authentication");
  }

  @Test
  @DisplayName("SE-17, HT-093: with the second filter, or with nothing for it to do, no warning")
  default void doesNotWarnOfTwoFilters() throws Exception {
    try (KitLog log = new KitLog()) {
      LimiterKit kit = both();
      int port =
          start(
              new App()
                  .filter("before", new RateLimitFilter(kit, Phase.BEFORE_AUTHENTICATION))
                  .filter("authentication", authentication())
                  .filter("after", new RateLimitFilter(kit, Phase.AFTER_AUTHENTICATION))
                  .servlet("/*", hello()));
      LimiterKit byAddress = kit(LimiterKit.inMemory().route("/*", ADDRESS).route("/in", USER));
      int other =
          start(
              new App()
                  .filter("before", new RateLimitFilter(byAddress, Phase.BEFORE_AUTHENTICATION))
                  .servlet("/*", hello()));
      for (int one : new int[] {port, other}) {
        assertThat(get(one, "/").status()).isLessThan(500);
        assertThat(get(one, "/", "X-User: ada").status()).isEqualTo(200);
      }
      assertThat(log.warnings()).isEmpty();
    }
  }

  @Test
  @DisplayName("SE-15: a mistake in the phase stops the application")
  default void failsOnAMistakeInThePhase() {
    for (Map<String, String> mistake :
        List.of(Map.of("phase", "before"), Map.of("phas", "before-authentication"))) {
      Map<String, String> params = new HashMap<>(mistake);
      params.put("name", "p");
      params.put("limits", "2/1h");
      App app = new App().filter("limits", RateLimitFilter.class, params).servlet("/*", hello());
      try (App.Running running = container().start(app)) {
        assertThat(get(running.port(), "/").status()).isGreaterThanOrEqualTo(500);
      } catch (Exception notStarted) {
        assertThat(notStarted).isNotNull();
      }
      assertThat(handled()).hasValue(0);
    }
  }
}
