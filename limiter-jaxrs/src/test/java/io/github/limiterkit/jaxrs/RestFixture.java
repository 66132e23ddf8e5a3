package io.github.limiterkit.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Keys;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp.Reply;

/** What the tests of one implementation share. */
interface RestFixture {

  /** The body of a refusal by policy p for an hour. */
  String BODY =
      "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
          + "\"title\":\"Quota Exceeded\",\"status\":429,"
          + "\"detail\":\"Quota for policy 'p' is exhausted. Retry in 3600 seconds.\","
          + "\"violated-policies\":[\"p\"],\"retry_after\":3600}";

  /** The implementation that is meant. */
  RestApp.Server server();

  /** Starts an application, to be stopped after the test, and tells its port. */
  int start(RestApp app) throws Exception;

  /** A kit whose clock stands still, to be closed after the test. */
  LimiterKit kit(LimiterKit.Builder builder);

  /** A resource that counts how often its methods run. */
  Resources.Plain plain();

  /** Whether the implementation reads a body of some megabytes before it sends any answer. */
  default boolean readsBodiesItself() {
    return false;
  }

  /** Whether a second feature, which another feature brings, runs beside the first. */
  default boolean runsASecondFeature() {
    return false;
  }

  /** The plain resource and others, with the feature. */
  default int start(LimiterKit kit, Object... more) throws Exception {
    return start(new RestApp().with(new RateLimitFeature(kit), plain()).with(more));
  }

  /** All policies that the resources name, and no route. */
  default LimiterKit.Builder policies() {
    return LimiterKit.inMemory()
        .policy(
            policy("p", "2/1h"),
            policy("a", "5/1h"),
            policy("b", "2/1h"),
            policy("class", "9/1h"),
            HttpPolicy.named("user").limits("2/1h").key(Keys.principal()).build());
  }

  static HttpPolicy policy(String name, String limits) {
    return HttpPolicy.named(name).limits(limits).build();
  }

  /** What is left as of the first member; null if there is no field. */
  static String remaining(Reply reply) {
    String field = reply.one("RateLimit");
    return field == null ? null : field.replaceAll(".*;r=([0-9]+).*", "$1");
  }

  static void assertPlain(Reply reply) {
    assertThat(reply.headers()).noneMatch(line -> line.startsWith("RateLimit"));
  }

  /** The messages of an exception and its causes. */
  static String messages(Throwable thrown) {
    StringBuilder messages = new StringBuilder();
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      messages.append(t.getMessage()).append('\n');
    }
    return messages.toString();
  }
}
