package io.github.limiterkit.servlet;

import static io.github.limiterkit.servlet.Fixture.policy;
import static io.github.limiterkit.servlet.Fixture.remaining;
import static io.github.limiterkit.testing.RawHttp.get;
import static io.github.limiterkit.testing.RawHttp.once;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import com.codahale.metrics.MetricRegistry;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Keys;
import io.github.limiterkit.http.RequestLimits;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.setup.LogCapture;
import io.github.limiterkit.testing.RawHttp;
import io.github.limiterkit.testing.RawHttp.Reply;
import io.github.limiterkit.testing.RedisServer;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which bucket a request is taken from, and how much, in what was seen to go wrong elsewhere. */
interface CountsContract extends Fixture {

  @Test
  @DisplayName("HT-040: neither User-Agent nor a cookie of the client's own makes a new client")
  default void ignoresWhatAClientChooses() throws Exception {
    int port = start(app(p()));
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Reply reply = get(port, "/", "User-Agent: robot/" + i, "Cookie: id=" + i);
      assertThat(reply.all("Set-Cookie")).isEmpty();
      statuses.add(reply.status());
    }
    assertThat(statuses).containsExactly(200, 200, 429);
  }

  @Test
  @DisplayName("HT-038: one credential is one key, however its scheme is spelt")
  default void readsCredentialsInOneSpelling() throws Exception {
    HttpPolicy token =
        HttpPolicy.named("p").limits("2/1h").key(Keys.header("Authorization")).build();
    int port = start(app(kit(LimiterKit.inMemory().route("/*", token))));
    List<Integer> statuses = new ArrayList<>();
    for (String value : List.of("Bearer abc", "bearer abc", "BEARER   abc")) {
      statuses.add(get(port, "/", "Authorization: " + value).status());
    }
    assertThat(statuses).containsExactly(200, 200, 429);
    for (String other : List.of("Bearer abd", "Bearer ABC", "Basic abc", "Bearerabc", "abc")) {
      assertThat(remaining(get(port, "/", "authorization: " + other))).as(other).isEqualTo("1");
    }
  }

  @Test
  @DisplayName("HT-044: by user and address together, nobody can lock another's account")
  default void keepsAttackersFromLockingOthersOut() throws Exception {
    Filter authentication =
        (request, response, chain) ->
            chain.doFilter(
                new HttpServletRequestWrapper((HttpServletRequest) request) {
                  @Override
                  public Principal getUserPrincipal() {
                    return () -> "bob";
                  }
                },
                response);
    HttpPolicy login =
        HttpPolicy.named("p").limits("2/1h").key("principal + client-address").build();
    int port =
        start(
            new App()
                .filter("authentication", authentication)
                .filter(
                    "limits", new RateLimitFilter(kit(LimiterKit.inMemory().route("/*", login))))
                .servlet("/*", hello()));
    try (RawHttp attacker = RawHttp.connect("127.0.0.2", "127.0.0.1", port);
        RawHttp owner = RawHttp.connect("127.0.0.3", "127.0.0.1", port)) {
      for (int i = 0; i < 3; i++) {
        assertThat(attacker.ask("GET", "/").status()).isEqualTo(i < 2 ? 200 : 429);
      }
      assertThat(remaining(owner.ask("GET", "/"))).isEqualTo("1");
    }
  }

  @Test
  @DisplayName("HT-049: two filters over one Redis are apart by policy name, and by namespace")
  default void sharesAStoreWithoutSpendingOthersUnits() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      LimiterKit a = over(redis, "shop", "a");
      LimiterKit b = over(redis, "shop", "b");
      LimiterKit elsewhere = over(redis, "forum", "a");
      int port =
          start(
              new App()
                  .filter("a", new RateLimitFilter(a), "/a/*")
                  .filter("b", new RateLimitFilter(b), "/b/*")
                  .filter("elsewhere", new RateLimitFilter(elsewhere), "/elsewhere/*")
                  .servlet("/*", hello()));
      for (int i = 0; i < 2; i++) {
        assertThat(get(port, "/a/x").status()).isEqualTo(200);
      }
      assertThat(get(port, "/a/x").status()).isEqualTo(429);
      assertThat(get(port, "/b/x").one("RateLimit")).startsWith("\"b\";r=1;");
      assertThat(get(port, "/elsewhere/x").one("RateLimit")).startsWith("\"a\";r=1;");
    }
  }

  private LimiterKit over(RedisServer redis, String namespace, String policy) {
    RedisStore store =
        RedisStore.at(redis.url()).namespace(namespace).deadline(Duration.ofSeconds(5));
    return kit(LimiterKit.builder().store(store).fleetSize(1).route("/*", policy(policy, "2/1h")));
  }

  @Test
  @DisplayName(
      "HT-050: a key of any length is hashed whole, so that its end still tells clients apart")
  default void cutsNoKey() throws Exception {
    HttpPolicy page =
        HttpPolicy.named("p")
            .limits("2/1h")
            .key(
                Keys.custom(
                    "page", request -> request.path() + Keys.clientAddress().resolve(request)))
            .build();
    int port = start(app(kit(LimiterKit.inMemory().route("/*", page))));
    String path = "/" + "a".repeat(5000);
    try (RawHttp one = RawHttp.connect("127.0.0.2", "127.0.0.1", port);
        RawHttp other = RawHttp.connect("127.0.0.3", "127.0.0.1", port)) {
      assertThat(remaining(one.ask("GET", path))).isEqualTo("1");
      assertThat(remaining(other.ask("GET", path))).isEqualTo("1");
      assertThat(remaining(one.ask("GET", path))).isEqualTo("0");
      assertThat(remaining(one.ask("GET", path + "b"))).isEqualTo("1");
    }
  }

  @Test
  @DisplayName("HT-053: with all room taken, new keys do not give a spent bucket back")
  default void survivesAFloodOfKeys() throws Exception {
    HttpPolicy byKey = HttpPolicy.named("p").limits("2/1h").key(Keys.header("X-Key")).build();
    int port = start(app(kit(LimiterKit.inMemory().maxKeys(100).route("/*", byKey))));
    for (int i = 0; i < 3; i++) {
      assertThat(get(port, "/", "X-Key: spent").status()).isEqualTo(i < 2 ? 200 : 429);
    }
    for (int flood = 0; flood < 4; flood++) {
      try (RawHttp connection = RawHttp.connect(port)) { // Tomcat ends one after 100 requests
        for (int i = 0; i < 50; i++) {
          connection.ask("GET", "/", "X-Key: " + flood + "-" + i);
        }
      }
    }
    assertThat(get(port, "/", "X-Key: spent").status()).isEqualTo(429);
  }

  @Test
  @DisplayName("PK-5, HT-054, HT-154: names of metrics and buckets do not grow with paths and keys")
  default void growsWithNothingAClientSends() throws Exception {
    MetricRegistry registry = new MetricRegistry();
    HttpPolicy users = HttpPolicy.named("p").limits("1000/1h").key("path-template").build();
    int port =
        start(
            app(
                kit(
                    LimiterKit.inMemory()
                        .metrics(DropwizardMetrics.on(registry))
                        .route("/users/{id}", users))));
    try (RawHttp connection = RawHttp.connect(port)) {
      connection.ask("GET", "/users/0");
      int names = registry.getNames().size();
      for (int i = 1; i < 80; i++) {
        Reply reply = connection.ask("GET", "/users/" + i, "X-Key: " + i);
        assertThat(remaining(reply)).isEqualTo(Integer.toString(999 - i));
      }
      assertThat(registry.getNames()).hasSize(names);
    }
  }

  @Test
  @DisplayName("OP-10, HT-065: every route that matches applies, and the strictest refuses")
  default void appliesEveryRoute() throws Exception {
    LimiterKit kit =
        kit(
            LimiterKit.inMemory()
                .route("/api/*", policy("all", "10/1h"))
                .route("/api/login", policy("login", "2/1h")));
    int port = start(app(kit));
    for (int i = 0; i < 2; i++) {
      assertThat(get(port, "/api/login").one("RateLimit")).contains("\"all\";r=", "\"login\";r=");
    }
    Reply refused = get(port, "/api/login");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.body()).contains("\"violated-policies\":[\"login\"]");
    assertThat(get(port, "/api/x").one("RateLimit")).isEqualTo("\"all\";r=7;t=3600");
  }

  @Test
  @DisplayName("HT-037: a limit by address behind a key that clients choose")
  default void limitsByAddressBehindAChosenKey() throws Exception {
    HttpPolicy key = HttpPolicy.named("key").limits("2/1h").key(Keys.header("X-API-Key")).build();
    int port = start(app(kit(LimiterKit.inMemory().route("/*", key, policy("ip", "5/1h")))));
    for (int i = 1; i <= 6; i++) {
      Reply reply = get(port, "/", "X-API-Key: " + i);
      assertThat(reply.status()).isEqualTo(i <= 5 ? 200 : 429);
      if (i == 6) {
        assertThat(reply.body()).contains("\"violated-policies\":[\"ip\"]");
      }
    }
  }

  @Test
  @DisplayName("HT-084: what a handler gives back is never more than was taken")
  default void givesBackNoMoreThanWasTaken() throws Exception {
    LimiterKit kit = p(5);
    int port =
        start(
            new App()
                .filter("limits", new RateLimitFilter(kit), ALL)
                .servlet("/kept", hello())
                .servlet(
                    "/twice",
                    (request, response) -> {
                      RequestLimits limits = RequestLimits.of(request::getAttribute);
                      limits.refund("p");
                      limits.refund("p");
                      throw new IllegalStateException("on purpose");
                    })
                .servlet(
                    "/later",
                    (request, response) -> {
                      RequestLimits limits = RequestLimits.of(request::getAttribute);
                      request
                          .startAsync()
                          .start(
                              () -> {
                                limits.refund("p");
                                limits.refund("p");
                                request.getAsyncContext().complete();
                              });
                    }));
    assertThat(remaining(get(port, "/kept"))).isEqualTo("4");
    for (String path : List.of("/twice", "/later", "/twice", "/later")) {
      get(port, path);
      await(path).until(() -> kit.usage("p", "ip:127.0.0.1").get(0).remaining() == 4);
    }
    assertThat(remaining(get(port, "/kept"))).isEqualTo("3");
  }

  @Test
  @DisplayName("HT-087, HT-089: neither a refusal nor a success gives back what failures took")
  default void forgivesNoFailure() throws Exception {
    HttpPolicy login = HttpPolicy.named("p").limits("5/1h").countFailures().build();
    LimiterKit kit = kit(LimiterKit.inMemory().route("/*", login));
    int port =
        start(
            new App()
                .filter("limits", new RateLimitFilter(kit))
                .servlet(
                    "/*",
                    (request, response) ->
                        response.setStatus(Integer.parseInt(request.getQueryString()))));
    long left = 5;
    for (int status : new int[] {401, 401, 401, 401, 200, 401}) {
      assertThat(get(port, "/?" + status).status()).isEqualTo(status);
      left -= status == 401 ? 1 : 0;
      long expected = left;
      await().until(() -> kit.usage("p", "ip:127.0.0.1").get(0).remaining() == expected);
    }
    try (RawHttp connection = RawHttp.connect(port)) {
      for (int i = 0; i < 30; i++) {
        assertThat(connection.ask("GET", "/?200").status()).isEqualTo(429);
      }
    }
  }

  @Test
  @DisplayName("HT-092: a request costs what the function says, 0 and a refusal take nothing")
  default void chargesTheCost() throws Exception {
    HttpPolicy batch =
        HttpPolicy.named("p")
            .limits("60/1h")
            .cost(request -> Long.parseLong(request.headers("X-Cost").get(0)))
            .build();
    int port = start(app(kit(LimiterKit.inMemory().route("/*", batch))));
    assertThat(remaining(get(port, "/", "X-Cost: 0"))).isEqualTo("60");
    assertThat(remaining(get(port, "/", "X-Cost: 1"))).isEqualTo("59");
    assertThat(get(port, "/", "X-Cost: 60").status()).isEqualTo(429);
    assertThat(remaining(get(port, "/", "X-Cost: 59"))).isEqualTo("0");
    assertThat(get(port, "/", "X-Cost: 2").status()).isEqualTo(429);
  }

  @Test
  @DisplayName(
      "OP-12, HT-095, HT-156: a resolver that throws is a missing key, and no flood of lines")
  default void survivesAResolverThatThrows() throws Exception {
    HttpPolicy broken =
        HttpPolicy.named("p")
            .limits("2/1h")
            .key(
                Keys.custom(
                    "broken",
                    request -> {
                      throw new IllegalStateException("SECRET");
                    }))
            .build();
    LimiterKit kit = kit(LimiterKit.inMemory().route("/*", broken));
    int port = start(app(kit));
    try (LogCapture log = new LogCapture();
        RawHttp connection = RawHttp.connect(port)) {
      for (int i = 0; i < 80; i++) {
        Reply reply = connection.ask("GET", "/");
        assertThat(reply.status()).isEqualTo(i < 2 ? 200 : 429);
        assertThat(reply.body()).doesNotContain("SECRET", "IllegalState");
      }
      List<String> lines = new ArrayList<>();
      for (Level level : List.of(Level.ERROR, Level.WARN, Level.INFO)) {
        lines.addAll(log.at(level));
      }
      assertThat(lines).hasSizeBetween(1, 10).noneMatch(line -> line.contains("SECRET"));
    }
    assertThat(kit.http().resolverFailures()).isEqualTo(80);
    assertThat(handled()).hasValue(2);
  }

  @Test
  @DisplayName("HT-097, HT-070: what the application calls malformed has been counted")
  default void countsBrokenBodies() throws Exception {
    int port =
        start(
            new App()
                .filter("limits", new RateLimitFilter(p()))
                .servlet(
                    "/*",
                    (request, response) -> {
                      handled().incrementAndGet();
                      response.sendError(request.getInputStream().read() == '{' ? 400 : 415);
                    }));
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      statuses.add(once(port, "POST", "/", "Content-Type: x/y", "Content-Length: 0").status());
    }
    assertThat(statuses).containsExactly(415, 415, 429);
    assertThat(handled()).hasValue(2);
  }

  @Test
  @DisplayName("HT-063, HT-098: forty assets leave the limit of the API full, and have no fields")
  default void leavesAssetsAlone() throws Exception {
    LimiterKit kit =
        kit(
            LimiterKit.inMemory()
                .exempt("*.css")
                .route("/api/*", policy("p", "2/1h"))
                .route("/page", policy("page", "2/1h")));
    int port = start(app(kit));
    try (RawHttp connection = RawHttp.connect(port)) {
      for (int i = 0; i < 40; i++) {
        Reply asset = connection.ask("GET", i % 2 == 0 ? "/assets/" + i : "/api/" + i + ".css");
        assertThat(asset.status()).isEqualTo(200);
        assertThat(asset.headers()).noneMatch(line -> line.startsWith("RateLimit"));
      }
      for (String other : List.of("/apibar", "/api.x", "/x/api", "/page/x")) {
        assertThat(connection.ask("GET", other).one("RateLimit")).as(other).isNull();
      }
      assertThat(remaining(connection.ask("GET", "/api"))).isEqualTo("1");
      assertThat(remaining(connection.ask("GET", "/api/"))).isEqualTo("0");
      assertThat(connection.ask("GET", "/api/x").status()).isEqualTo(429);
      assertThat(remaining(connection.ask("GET", "/page"))).isEqualTo("1");
    }
  }
}
