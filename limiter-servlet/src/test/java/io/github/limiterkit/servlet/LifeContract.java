package io.github.limiterkit.servlet;

import static io.github.limiterkit.servlet.Fixture.remaining;
import static io.github.limiterkit.testing.RawHttp.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp.Reply;
import jakarta.servlet.AsyncContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How a filter begins and ends. */
interface LifeContract extends Fixture {

  @Test
  @DisplayName("SE-15, HT-146: web.xml gives init-params, and context-params for what is left out")
  default void readsParameters() throws Exception {
    int port =
        start(
            new App()
                .contextParam("limiterkit.limits", "9/1h")
                .contextParam("limiterkit.name", "from-context")
                .contextParam("name", "of something else")
                .filter(
                    "limits",
                    RateLimitFilter.class,
                    Map.of("limits", "\n      2/1h, 1/10s,\n   ", "key", "client-address"))
                .servlet("/*", hello()));
    assertThat(get(port, "/").one("RateLimit-Policy"))
        .isEqualTo("\"from-context\";q=2;w=3600, \"from-context-10s\";q=1;w=10");
    Reply refused = get(port, "/");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.one("RateLimit")).startsWith("\"from-context-10s\";r=0;t=");
  }

  @Test
  @DisplayName("SE-15, HT-142, HT-144, HT-145, HT-147: a mistake in a parameter, or none, stops it")
  default void failsOnMistakes() {
    for (Map<String, String> params :
        List.of(
            Map.of("name", "p", "limt", "2/1h"),
            Map.of("name", "p", "limits", "2/1h", "trusted-proxys", "10.0.0.0/8"),
            Map.of("name", "p", "limits", "100/mni"),
            Map.of("name", "p", "limits", "0/1h"),
            Map.<String, String>of())) {
      assertThat(worksWithoutLimits(params)).as(params.toString()).isFalse();
    }
  }

  /** Whether the handler runs although the filter could not be built. */
  private boolean worksWithoutLimits(Map<String, String> params) {
    int before = handled().get();
    App app = new App().filter("limits", RateLimitFilter.class, params).servlet("/*", hello());
    try (App.Running running = container().start(app)) {
      return get(running.port(), "/").status() < 500 || handled().get() > before;
    } catch (Exception notStarted) {
      return false;
    }
  }

  @Test
  @DisplayName("SE-15: a filter that was given a kit takes no parameters")
  default void refusesParametersBesideAKit() {
    App app =
        new App()
            .filter("limits", new RateLimitFilter(p()), Map.of("limits", "5/1h"))
            .servlet("/*", hello());
    try (App.Running running = container().start(app)) {
      assertThat(get(running.port(), "/").status()).isGreaterThanOrEqualTo(500);
    } catch (Exception notStarted) {
      assertThat(notStarted).isNotNull();
    }
    assertThat(handled()).hasValue(0);
  }

  @Test
  @DisplayName("OP-1, HT-082, HT-150: two filters with one policy name are warned of, naming both")
  default void warnsOfAPolicyInTwoFilters() throws Exception {
    App twice =
        new App()
            .filter("a", RateLimitFilter.class, Map.of("name", "p", "limits", "9/1h"))
            .filter("b", RateLimitFilter.class, Map.of("name", "p", "limits", "2/1h"))
            .filter("c", RateLimitFilter.class, Map.of("name", "q", "limits", "2/1h"))
            .servlet("/*", hello());
    for (int i = 0; i < 2; i++) {
      try (KitLog log = new KitLog();
          App.Running running = container().start(twice)) {
        assertThat(get(running.port(), "/").one("RateLimit")).contains("\"p\";r=", "\"q\";r=1;");
        List<String> lines = log.warnings();
        assertThat(lines).hasSize(2).allMatch(line -> line.startsWith("LK003 policy p "));
        assertThat(lines.get(0)).contains("filter \"a\"", "filter \"b\"");
        assertThat(lines.get(1)).contains("another kit has charged");
      }
    }
    try (KitLog log = new KitLog();
        App.Running running = container().start(app(p()));
        App.Running other = container().start(app(p()))) {
      assertThat(get(running.port(), "/").status()).isEqualTo(200);
      assertThat(get(other.port(), "/").status()).isEqualTo(200);
      assertThat(log.warnings()).as("of two applications").isEmpty();
    }
  }

  @Test
  @DisplayName("HT-151: start, stop, start; and the caller's kit stays open")
  default void startsAgain() throws Exception {
    LimiterKit kit = p(3);
    for (String left : List.of("2", "1", "0")) {
      try (App.Running running = container().start(app(kit))) {
        assertThat(remaining(get(running.port(), "/"))).isEqualTo(left);
      }
    }
    App own =
        new App()
            .filter("limits", RateLimitFilter.class, Map.of("name", "p", "limits", "2/1h"))
            .servlet("/*", hello());
    for (int i = 0; i < 2; i++) {
      try (App.Running running = container().start(own);
          App.Running other = container().start(own)) {
        assertThat(remaining(get(running.port(), "/"))).isEqualTo("1");
        assertThat(remaining(get(other.port(), "/"))).isEqualTo("1");
      }
    }
  }

  @Test
  @DisplayName("SE-3, SE-14, HT-129: registered in code, with async support; a name is taken once")
  default void registersInCode() throws Exception {
    LimiterKit kit = p();
    List<String> refused = new ArrayList<>();
    int port =
        start(
            new App()
                .onStart(
                    context -> {
                      RateLimitFilter.register(context, "limits", kit);
                      try {
                        RateLimitFilter.register(context, "limits", kit);
                      } catch (IllegalStateException taken) {
                        refused.add(taken.getMessage());
                      }
                    })
                .servlet(
                    "/async",
                    (request, response) -> {
                      AsyncContext async = request.startAsync();
                      async.start(async::complete);
                    }));
    assertThat(refused)
        .containsExactly("there is a filter named \"limits\" already; give this one another name");
    assertThat(remaining(get(port, "/async"))).isEqualTo("1");
    assertThat(get(port, "/async").status()).isEqualTo(200);
    assertThat(get(port, "/async").status()).isEqualTo(429);
  }

  @Test
  @DisplayName("HT-151: what the filter starts ends with it")
  default void leavesNoThread() throws Exception {
    Set<Thread> before = threads();
    Set<Thread> started;
    App app =
        new App()
            .filter("limits", RateLimitFilter.class, Map.of("name", "p", "limits", "2/1h"))
            .servlet("/*", hello());
    try (App.Running running = container().start(app)) {
      assertThat(get(running.port(), "/").status()).isEqualTo(200);
      started = threads();
      started.removeAll(before);
      assertThat(started).isNotEmpty();
    }
    assertThat(started).noneMatch(Thread::isAlive);
  }

  @Test
  @DisplayName("HT-147: what is in force is told once")
  default void tellsWhatIsInForce() throws Exception {
    App app =
        new App()
            .filter("limits", RateLimitFilter.class, Map.of("name", "p", "limits", "2/1h"))
            .servlet("/*", hello());
    try (KitLog log = new KitLog();
        App.Running running = container().start(app)) {
      for (int i = 0; i < 3; i++) {
        get(running.port(), "/");
      }
      assertThat(log.infos())
          .filteredOn(told -> told.lines().anyMatch(line -> line.matches(" *p +2/1h .*")))
          .hasSize(1);
    }
  }

  @Test
  @DisplayName("HT-153: two filters on one registry, again and again, and nothing is left in it")
  default void publishesFiguresAndTakesThemBack() throws Exception {
    MetricRegistry registry = new MetricRegistry();
    List<Set<String>> names = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      try (LimiterKit first = published("p", registry);
          LimiterKit second = published("q", registry);
          App.Running running =
              container()
                  .start(
                      new App()
                          .filter("first", new RateLimitFilter(first))
                          .filter("second", new RateLimitFilter(second))
                          .servlet("/*", hello()))) {
        assertThat(get(running.port(), "/").status()).isEqualTo(200);
        assertThat(registry.counter("limiterkit.decisions.p.local.allowed").getCount()).isOne();
        assertThat(registry.counter("limiterkit-2.decisions.q.local.allowed").getCount()).isOne();
        names.add(registry.getNames());
      }
      assertThat(registry.getNames()).isEmpty();
    }
    assertThat(names.get(1)).isEqualTo(names.get(0));
  }

  private static LimiterKit published(String policy, MetricRegistry registry) {
    return LimiterKit.inMemory()
        .route("/*", Fixture.policy(policy, "2/1h"))
        .metrics(DropwizardMetrics.on(registry))
        .build();
  }

  /** The threads of kits. */
  private static Set<Thread> threads() {
    Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    threads.removeIf(thread -> !thread.getName().startsWith("limiterkit-"));
    return threads;
  }
}
