package io.github.limiterkit.jaxrs;

import static io.github.limiterkit.jaxrs.RestFixture.policy;
import static io.github.limiterkit.jaxrs.RestFixture.remaining;
import static io.github.limiterkit.testing.RawHttp.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Decision;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.RequestLimits;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp.Reply;
import jakarta.annotation.Priority;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Policies that count what a resource answers with a failure. */
interface FailuresContract extends RestFixture {

  private static HttpPolicy failures(String name, int limit) {
    return HttpPolicy.named(name).limits(limit + "/1h").countFailures().build();
  }

  private static void awaitLeft(LimiterKit kit, String policy, long left) {
    await(policy)
        .atMost(Duration.ofSeconds(30))
        .until(() -> kit.usage(policy, "ip:127.0.0.1").get(0).remaining() == left);
  }

  @Test
  @DisplayName("HT-088, HT-090: only failures count, by route and by annotation")
  default void countsFailures() throws Exception {
    LimiterKit kit =
        kit(policies().route("/api/try/*", failures("routed", 4)).policy(failures("named", 9)));
    int port = start(kit, new Attempts());
    for (String path : List.of("/answer", "/thrown", "/later")) {
      assertThat(get(port, "/api/try" + path + "?status=200").status()).isEqualTo(200);
      awaitLeft(kit, "routed", 4);
      awaitLeft(kit, "named", 9);
    }
    long left = 4;
    for (String path : List.of("/answer", "/thrown", "/later")) {
      assertThat(get(port, "/api/try" + path + "?status=401").status()).isEqualTo(401);
      awaitLeft(kit, "routed", --left);
      awaitLeft(kit, "named", left + 5);
    }
    assertThat(get(port, "/api/try/nowhere").status()).isEqualTo(404);
    awaitLeft(kit, "routed", 1);
    assertThat(get(port, "/api/try/answer?status=403").status()).isEqualTo(403);
    assertThat(get(port, "/api/try/answer?status=200").status()).isEqualTo(429);
    awaitLeft(kit, "named", 5);
  }

  @Test
  @DisplayName("HT-091, OP-13: a resource charges more, and says that it failed")
  default void listensToTheResource() throws Exception {
    LimiterKit kit = kit(policies().policy(policy("more", "60/1h"), failures("named", 9)));
    int port = start(kit, new Knowing(), new Batches());
    Reply batch = get(port, "/api/knows/batch");
    assertThat(batch.one("RateLimit")).as("written after it").isEqualTo("\"more\";r=35;t=3600");
    assertThat(remaining(get(port, "/api/knows/batch"))).isEqualTo("10");
    assertThat(get(port, "/api/knows/form").status()).isEqualTo(200);
    awaitLeft(kit, "named", 8);
  }

  @Test
  @DisplayName(
      "OP-13: an exception that nothing maps counts as a failure, also with another after it")
  default void countsUnmappedExceptions() throws Exception {
    HttpPolicy broken = HttpPolicy.named("named").limits("2/1h").countFailures(500).build();
    LimiterKit kit = kit(policies().policy(broken));
    int port = start(kit, new Breaking());
    assertThat(failed(port, "/api/breaks/thrown")).isTrue();
    awaitLeft(kit, "named", 1);
    assertThat(get(port, "/api/breaks/well").status()).isEqualTo(200);
    awaitLeft(kit, "named", 1);
    assertThat(failed(port, "/api/breaks/later")).isTrue();
    awaitLeft(kit, "named", 0);
    assertThat(get(port, "/api/breaks/well").status()).isEqualTo(429);
  }

  /** Whether the answer is a 500, or the connection is cut in the place of one. */
  private static boolean failed(int port, String path) {
    try {
      return get(port, path).status() == 500;
    } catch (UncheckedIOException cut) {
      return true;
    }
  }

  /** Knows better than the filter. */
  @Path("knows")
  final class Knowing {

    @GET
    @Path("batch")
    @RateLimited("more")
    public String batch() {
      return "batch";
    }

    @GET
    @Path("form")
    @RateLimited("named")
    public String form(@Context HttpServletRequest request) {
      RequestLimits.of(request::getAttribute).failed("named");
      return "wrong password";
    }
  }

  /** Knows what a batch costs. */
  @Priority(Priorities.USER)
  final class Batches implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext request) {
      if (request.getUriInfo().getPath().endsWith("batch")) {
        assertThat(RequestLimits.of(request::getProperty).charge("more", 24))
            .matches(Decision::allowed);
      }
    }
  }

  /** Throws what no mapper knows. */
  @Path("breaks")
  @RateLimited("named")
  final class Breaking {

    @GET
    @Path("well")
    public String well() {
      return "well";
    }

    @GET
    @Path("thrown")
    public String thrown() {
      throw new IllegalStateException("on purpose");
    }

    @GET
    @Path("later")
    public void later(@Suspended AsyncResponse response) {
      new Thread(() -> response.resume(new IllegalStateException("on purpose"))).start();
    }
  }

  /** Answers with the status that is asked for. */
  @Path("try")
  @RateLimited("named")
  final class Attempts {

    @GET
    @Path("answer")
    public Response answer(@QueryParam("status") int status) {
      return Response.status(status).build();
    }

    @GET
    @Path("thrown")
    public String thrown(@QueryParam("status") int status) {
      throw new WebApplicationException(status);
    }

    @GET
    @Path("later")
    public void later(@QueryParam("status") int status, @Suspended AsyncResponse response) {
      new Thread(() -> response.resume(Response.status(status).build())).start();
    }
  }
}
