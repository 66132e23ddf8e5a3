package io.github.limiterkit.servlet;

import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp.Reply;
import jakarta.servlet.DispatcherType;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** What the tests of one container share. */
interface Fixture {

  /** Every dispatcher type, although only REQUEST is to be mapped. */
  Set<DispatcherType> ALL = EnumSet.allOf(DispatcherType.class);

  /** The body of a refusal by policy p for an hour. */
  String BODY =
      "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
          + "\"title\":\"Quota Exceeded\",\"status\":429,"
          + "\"detail\":\"Quota for policy 'p' is exhausted. Retry in 3600 seconds.\","
          + "\"violated-policies\":[\"p\"],\"retry_after\":3600}";

  /** The container that is meant. */
  App.Container container();

  /** Starts an application, to be stopped after the test, and tells its port. */
  int start(App app) throws Exception;

  /** A kit whose clock the test moves, to be closed after the test. */
  LimiterKit kit(LimiterKit.Builder builder);

  /** Moves the clock of all kits. */
  void advance(Duration time);

  /** How often the handler ran. */
  AtomicInteger handled();

  /** Says hello, and counts how often. */
  default App.Handler hello() {
    return (request, response) -> {
      handled().incrementAndGet();
      response.setContentType("text/plain");
      response.getWriter().write("hello");
    };
  }

  /** One policy p, so many per hour by address, on everything. */
  default LimiterKit p(int limit) {
    return kit(LimiterKit.inMemory().route("/*", policy("p", limit + "/1h")));
  }

  /** One policy p, 2 per hour by address, on everything. */
  default LimiterKit p() {
    return p(2);
  }

  /** The filter in front of a handler that says hello. */
  default App app(LimiterKit kit) {
    return new App().filter("limits", new RateLimitFilter(kit)).servlet("/*", hello());
  }

  static HttpPolicy policy(String name, String limits) {
    return HttpPolicy.named(name).limits(limits).build();
  }

  /** What is left as of the first member; null if there is no field. */
  static String remaining(Reply reply) {
    String field = reply.one("RateLimit");
    return field == null ? null : field.replaceAll(".*;r=([0-9]+).*", "$1");
  }
}
