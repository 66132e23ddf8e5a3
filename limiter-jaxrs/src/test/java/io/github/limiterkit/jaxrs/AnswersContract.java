package io.github.limiterkit.jaxrs;

import static io.github.limiterkit.jaxrs.RestFixture.assertPlain;
import static io.github.limiterkit.jaxrs.RestFixture.policy;
import static io.github.limiterkit.jaxrs.RestFixture.remaining;
import static io.github.limiterkit.testing.RawHttp.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.http.HeaderMode;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp;
import io.github.limiterkit.testing.RawHttp.Reply;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is on the wire. */
interface AnswersContract extends RestFixture {

  @Test
  @DisplayName("JX-2, JX-5, RL-5, RA-7: an annotated method has each field once")
  default void acceptsWithFields() throws Exception {
    int port = start(kit(policies()));
    Reply reply = get(port, "/api/r/lim");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("lim");
    assertThat(reply.one("RateLimit-Policy")).isEqualTo("\"p\";q=2;w=3600");
    assertThat(reply.one("RateLimit")).isEqualTo("\"p\";r=1;t=3600");
    assertThat(reply.one("Retry-After")).isNull();
    assertThat(reply.one("Cache-Control")).isNull();
  }

  @Test
  @DisplayName("JX-4, JX-7, EB-1, HT-121, HT-122: a refusal, byte for byte as in a servlet filter")
  default void refusesByteForByte() throws Exception {
    int port = start(kit(policies()));
    get(port, "/api/r/lim");
    get(port, "/api/r/lim");
    for (String accept : List.of("X: y", "Accept: */*", "Accept: text/plain, application/json")) {
      Reply reply = get(port, "/api/r/lim", accept);

      assertThat(reply.status()).isEqualTo(429);
      assertThat(reply.body()).isEqualTo(BODY);
      assertThat(reply.one("RateLimit-Policy")).isEqualTo("\"p\";q=2;w=3600");
      assertThat(reply.one("RateLimit")).isEqualTo("\"p\";r=0;t=3600");
      assertThat(reply.one("Retry-After")).isEqualTo("3600");
      assertThat(reply.one("Cache-Control")).isEqualTo("no-store");
      assertThat(reply.one("Content-Type")).isEqualTo("application/problem+json");
      assertThat(reply.one("Content-Length")).isEqualTo(Integer.toString(BODY.length()));
    }
    assertThat(get(port, "/api/r/lim", "Accept: text/plain").body()).startsWith("Quota Exceeded\n");
    assertThat(plain().handled).hasValue(2);
  }

  @Test
  @DisplayName("EB-11, HT-068: HEAD is a GET without a body")
  default void answersHead() throws Exception {
    int port = start(kit(policies()));
    try (RawHttp connection = RawHttp.connect(port)) {
      assertThat(connection.ask("GET", "/api/r/lim").status()).isEqualTo(200);
      assertThat(connection.ask("HEAD", "/api/r/lim").status()).isEqualTo(200);
      Reply head = connection.ask("HEAD", "/api/r/lim");
      Reply get = connection.ask("GET", "/api/r/lim");

      assertThat(head.status()).isEqualTo(429);
      assertThat(get.body()).isEqualTo(BODY);
      for (String name :
          List.of("Content-Length", "Content-Type", "Retry-After", "RateLimit", "Cache-Control")) {
        assertThat(head.one(name)).as(name).isEqualTo(get.one(name)).isNotNull();
      }
    }
  }

  @Test
  @DisplayName("HT-140, HT-118: what nobody limits has no fields and takes no unit")
  default void leavesTheRestAlone() throws Exception {
    int port = start(kit(policies()));
    for (int i = 0; i < 5; i++) {
      assertPlain(get(port, "/api/r/free"));
    }
    assertThat(remaining(get(port, "/api/r/lim"))).isEqualTo("1");
  }

  @Test
  @DisplayName("JX-14, HT-139, HT-126: asynchronous and streaming methods, one unit each")
  default void limitsAsynchronousMethods() throws Exception {
    for (String path : List.of("stage", "suspended", "stream")) {
      int port = start(kit(policies()));
      assertThat(remaining(get(port, "/api/r/" + path))).as(path).isEqualTo("1");
      assertThat(remaining(get(port, "/api/r/" + path))).as(path).isEqualTo("0");
      assertThat(get(port, "/api/r/" + path).status()).as(path).isEqualTo(429);
    }
  }

  @Test
  @DisplayName("HT-137: sixteen threads never see one another's numbers")
  default void keepsRequestsApart() throws Exception {
    LimiterKit kit = kit(LimiterKit.inMemory().policy(policy("p", "400/1h")));
    int port = start(new RestApp().with(new RateLimitFeature(kit), new Resources.Meta()));
    Set<Integer> seen = new ConcurrentSkipListSet<>();
    Callable<Void> client =
        () -> {
          try (RawHttp connection = RawHttp.connect(port)) {
            for (int i = 0; i < 25; i++) {
              seen.add(Integer.valueOf(remaining(connection.ask("GET", "/api/m"))));
            }
          }
          return null;
        };
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try {
      for (Future<Void> done : threads.invokeAll(java.util.Collections.nCopies(16, client))) {
        done.get();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(seen).hasSize(400).contains(0, 399);
  }

  @Test
  @DisplayName("JX-4, HT-124: nothing is thrown, so that no mapper makes something else of it")
  default void throwsNothing() throws Exception {
    AtomicInteger mapped = new AtomicInteger();
    ExceptionMapper<Throwable> mapper = new CountingMapper(mapped);
    int port = start(kit(policies().route("/api/r/free", policy("route", "1/1h"))), mapper);
    for (int i = 0; i < 3; i++) {
      get(port, "/api/r/lim");
      get(port, "/api/r/free");
    }
    assertThat(get(port, "/api/r/lim").status()).isEqualTo(429);
    assertThat(get(port, "/api/r/free").status()).isEqualTo(429);
    assertThat(mapped).hasValue(0);
  }

  @Test
  @DisplayName("RL-7: an answer of any status has the fields, but a redirect has none")
  default void setsFieldsOnAnyStatus() throws Exception {
    int port = start(kit(policies()), new CountingMapper(new AtomicInteger()));
    Reply failed = get(port, "/api/r/fails");
    assertThat(failed.status()).isEqualTo(555);
    assertThat(remaining(failed)).isEqualTo("1");
    Reply redirect = get(port, "/api/r/away");
    assertThat(redirect.status()).isEqualTo(303);
    assertPlain(redirect);
    assertThat(get(port, "/api/r/away").status()).isEqualTo(429);
  }

  @Test
  @DisplayName("SF-8, HT-112: what the application says of itself stays")
  default void keepsTheApplicationsFields() throws Exception {
    int port = start(kit(policies()));
    assertThat(get(port, "/api/r/own").one("RateLimit")).isEqualTo("\"app\";r=1, \"p\";r=1;t=3600");
  }

  @Test
  @DisplayName("HT-097, HT-127, ST-6: the body is not read before the decision")
  default void refusesWithoutReadingTheBody() throws Exception {
    int port = start(kit(policies()));
    String head = "POST /api/r/lim HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n";
    for (int i = 0; i < 2; i++) {
      try (RawHttp connection = RawHttp.connect(port)) {
        connection.write(head + "Content-Length: 6\r\n\r\n{{{{{{");
        assertThat(connection.read(false).status()).isEqualTo(200);
      }
    }
    try (RawHttp connection = RawHttp.connect(port)) {
      connection.write(head + "Content-Length: 20000000\r\n\r\n");
      if (readsBodiesItself()) {
        // In the background, because it may also answer before the end, and then hangs up.
        Thread body = new Thread(() -> connection.writeUntilHungUp("x".repeat(20_000_000)));
        body.start();
      }
      assertThat(connection.read(false).body()).isEqualTo(BODY);
    }
  }

  @Test
  @DisplayName("CO-3, HT-072: the fields are named to scripts beside what the application names")
  default void exposesItsFields() throws Exception {
    int port = start(kit(policies().exposeFields(true)));
    Reply accepted = get(port, "/api/r/total", "Origin: https://app.example");
    assertThat(exposed(accepted))
        .containsExactlyInAnyOrder("X-Total", "Retry-After", "RateLimit", "RateLimit-Policy");
    assertThat(exposed(get(port, "/api/r/total"))).containsExactly("X-Total");
    Reply refused = get(port, "/api/r/total", "Origin: https://app.example");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(exposed(refused))
        .containsExactlyInAnyOrder("Retry-After", "RateLimit", "RateLimit-Policy");
  }

  private static List<String> exposed(Reply reply) {
    return List.of(reply.one("Access-Control-Expose-Headers").split(", "));
  }

  @Test
  @DisplayName("RL-8, HT-115: always, on rejection, never; Retry-After in all three")
  default void showsWhatIsToBeShown() throws Exception {
    for (HeaderMode mode : HeaderMode.values()) {
      HttpPolicy policy = HttpPolicy.named("p").limits("1/1h").headers(mode).build();
      LimiterKit kit = kit(LimiterKit.inMemory().policy(policy).limiterSource(true));
      int port = start(new RestApp().with(new RateLimitFeature(kit), new Resources.Meta()));
      Reply accepted = get(port, "/api/m");
      Reply refused = get(port, "/api/m");

      assertThat(accepted.all("RateLimit")).hasSize(mode == HeaderMode.ALWAYS ? 1 : 0);
      assertThat(refused.all("RateLimit")).hasSize(mode == HeaderMode.NEVER ? 0 : 1);
      assertThat(refused.one("Retry-After")).isEqualTo("3600");
      assertThat(accepted.one("Limiter-Source")).isEqualTo("local");
      assertThat(refused.one("Limiter-Source")).isEqualTo("local");
    }
  }

  record CountingMapper(AtomicInteger mapped) implements ExceptionMapper<Throwable> {
    @Override
    public Response toResponse(Throwable exception) {
      mapped.incrementAndGet();
      return Response.status(555).entity("mapped").type("text/plain").build();
    }
  }
}
