package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Refund;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What goes wrong in an application is told once a minute, with how often it was kept back. */
class LogLinesTest {

  private final Logger logger = (Logger) LoggerFactory.getLogger("limiterkit");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final AtomicLong nanos = new AtomicLong();

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
  }

  private static HttpPolicy.Builder policy(String name) {
    return HttpPolicy.named(name).limits("1000/1h");
  }

  private HttpRateLimiter.Builder over(RateLimiter limiter) {
    return HttpRateLimiter.over(limiter).ticker(nanos::get);
  }

  private static IllegalStateException broken() {
    return new IllegalStateException("SECRET");
  }

  /** Three times at once, and once more after a minute. */
  private void assertToldOnceAMinute(Runnable mistake, String line) {
    for (int i = 0; i < 3; i++) {
      mistake.run();
    }
    assertThat(messages()).singleElement().asString().startsWith(line).contains("(0 more since");
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
    mistake.run();
    assertThat(messages())
        .hasSize(2)
        .last()
        .asString()
        .contains("(2 more since the last such line)");
    assertThat(messages()).noneMatch(message -> message.contains("SECRET"));
  }

  private List<String> messages() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  private static Runnable asking(HttpRateLimiter http) {
    return () -> http.check(FakeRequest.get("/"), ResponseView.EMPTY);
  }

  @Test
  @DisplayName("OP-4: a name that no policy has")
  void tellsOfUnknownNames() {
    HttpRateLimiter http = over(new FixedWindow()).policy(policy("orders").build()).build();
    assertToldOnceAMinute(
        () -> http.check(FakeRequest.get("/"), ResponseView.EMPTY, List.of("order")),
        "no policy is named \"order\"; did you mean \"orders\"?");
  }

  @Test
  @DisplayName("OP-1: another kit's policy of the same name")
  void tellsOfTwins() {
    HttpRateLimiter one = over(new FixedWindow()).route("/*", policy("p").build()).build();
    HttpRateLimiter two = over(new FixedWindow()).route("/*", policy("p").build()).build();
    assertToldOnceAMinute(
        () -> {
          FakeRequest request = FakeRequest.get("/");
          int before = messages().size();
          one.check(request, ResponseView.EMPTY);
          one.check(request, ResponseView.EMPTY);
          assertThat(messages()).as("its own policy is no twin").hasSize(before);
          two.check(request, ResponseView.EMPTY);
        },
        "LK003 policy p of this kit was not charged");
  }

  @Test
  @DisplayName("HT-092: a cost that throws, and one that is negative")
  void tellsOfCosts() {
    HttpPolicy throwing =
        policy("t")
            .cost(
                request -> {
                  throw broken();
                })
            .build();
    assertToldOnceAMinute(
        asking(over(new FixedWindow()).route("/*", throwing).build()),
        "the cost of policy t threw java.lang.IllegalStateException; the request costs 1");
    lines.list.clear();
    HttpPolicy negative = policy("n").cost(request -> -1).build();
    assertToldOnceAMinute(
        asking(over(new FixedWindow()).route("/*", negative).build()),
        "the cost of policy n is negative; the request costs 1");
  }

  @Test
  void tellsOfTiers() {
    HttpPolicy tiers =
        policy("t")
            .tier("gold", "9/1h")
            .tierFrom(
                request -> {
                  throw broken();
                })
            .build();
    assertToldOnceAMinute(
        asking(over(new FixedWindow()).route("/*", tiers).build()),
        "the tier of policy t threw java.lang.IllegalStateException; the policy's own limits count");
  }

  @Test
  @DisplayName("OP-12: a resolver that throws")
  void tellsOfResolvers() {
    HttpPolicy policy =
        policy("p")
            .key(
                Keys.custom(
                    "own",
                    request -> {
                      throw broken();
                    }))
            .build();
    assertToldOnceAMinute(
        asking(over(new FixedWindow()).route("/*", policy).build()),
        "the key own of policy p threw");
  }

  @Test
  @DisplayName("HT-095: a limiter that throws")
  void tellsOfALimiter() {
    RateLimiter broken =
        new RateLimiter() {
          @Override
          public Decision acquire(List<Charge> charges) {
            throw new IllegalStateException("on purpose");
          }
        };
    assertToldOnceAMinute(
        asking(over(broken).route("/*", policy("p").build()).build()),
        "the limiter threw; the request");
  }

  @Test
  void tellsOfRefunds() {
    RateLimiter broken =
        new RateLimiter() {
          @Override
          public Decision acquire(List<Charge> charges) {
            return new FixedWindow().acquire(charges);
          }

          @Override
          public Refund refund(Decision decision, long units) {
            throw new IllegalStateException("on purpose");
          }
        };
    HttpRateLimiter http = over(broken).route("/*", policy("p").countFailures().build()).build();
    assertToldOnceAMinute(
        () -> http.check(FakeRequest.get("/"), ResponseView.EMPTY).reservation().settle(200),
        "the limiter threw; what a request was charged stays counted");
  }

  @Test
  void tellsOfBodies() {
    HttpRateLimiter http =
        over(new FixedWindow())
            .route("/*", HttpPolicy.named("p").limits("1/1h").build())
            .refusalBody(
                (request, facts) -> {
                  throw broken();
                })
            .build();
    http.check(FakeRequest.get("/"), ResponseView.EMPTY);
    assertToldOnceAMinute(
        asking(http), "the writer of bodies threw java.lang.IllegalStateException; the kit's own");
  }

  @Test
  @DisplayName("IP-15: a client without an address, once")
  void tellsOnceOfAMissingAddress() {
    HttpRateLimiter http = over(new FixedWindow()).route("/*", policy("p").build()).build();
    http.check(FakeRequest.get("/"), ResponseView.EMPTY);
    assertThat(messages()).isEmpty();
    for (int i = 0; i < 3; i++) {
      http.check(FakeRequest.get("/").from(""), ResponseView.EMPTY);
    }
    assertThat(messages()).singleElement().asString().contains("policy p", "\"unknown\"");
  }

  @Test
  @DisplayName("HT-093: nobody who asks after authentication, once")
  void tellsOfAMissingSecondPhase() {
    HttpPolicy user = policy("user").key(Keys.principal()).build();
    HttpPolicy address = policy("address").build();
    HttpRateLimiter http =
        over(new FixedWindow())
            .route("/in/*", address, user)
            .route("/*", address)
            .exempt("/in/free")
            .build();
    assertThat(http.awaitsSecondPhase(FakeRequest.get("/out"))).isFalse();
    assertThat(http.awaitsSecondPhase(FakeRequest.get("/in/free"))).isFalse();
    assertThat(http.awaitsSecondPhase(FakeRequest.get("/in/x"))).isTrue();
    http.checkBeforeAuthentication(FakeRequest.get("/in/x"), ResponseView.EMPTY);
    assertThat(http.awaitsSecondPhase(FakeRequest.get("/in/x"))).isTrue();
    http.missedSecondPhase("filter \"a\"");
    http.missedSecondPhase("filter \"a\"");
    assertThat(messages())
        .containsExactly(
            "LK007 filter \"a\" asks before authentication, and nobody has asked after it so far:"
                + " what waits for that is not charged (user); add a filter with the same kit and"
                + " phase after-authentication behind authentication");
    assertThat(http.awaitsSecondPhase(FakeRequest.get("/in/x"))).isFalse();
  }

  @Test
  @DisplayName("CO-1: a preflight that has policies of its own waits for no others")
  void awaitsNoSecondPhaseOfPreflights() {
    HttpPolicy user = policy("user").key(Keys.principal()).build();
    HttpRateLimiter http =
        over(new FixedWindow()).route("/*", user).preflight(policy("preflight").build()).build();
    FakeRequest preflight =
        FakeRequest.of("OPTIONS", "/")
            .header("Origin", "https://app.example")
            .header("Access-Control-Request-Method", "POST");
    assertThat(http.awaitsSecondPhase(preflight)).isFalse();
    assertThat(http.awaitsSecondPhase(FakeRequest.get("/"))).isTrue();
  }

  @Test
  @DisplayName("HT-093: whoever asks after authentication, or starts to, is enough")
  void saysNothingOfASecondPhaseThatIsThere() {
    HttpPolicy user = policy("user").key(Keys.principal()).build();
    HttpRateLimiter asked = over(new FixedWindow()).route("/*", user).build();
    asked.check(FakeRequest.get("/"), ResponseView.EMPTY, Phase.AFTER_AUTHENTICATION);
    HttpRateLimiter started = over(new FixedWindow()).route("/*", user).build();
    started.startSecondPhase();
    HttpRateLimiter needless =
        over(new FixedWindow()).route("/*", policy("address").build()).build();
    HttpRateLimiter off = over(new FixedWindow()).route("/*", user).enabled(false).build();
    for (HttpRateLimiter http : List.of(asked, started, needless, off)) {
      assertThat(http.awaitsSecondPhase(FakeRequest.get("/"))).isFalse();
    }
    asked.missedSecondPhase("filter");
    started.missedSecondPhase("filter");
    needless.missedSecondPhase("filter");
    assertThat(messages()).isEmpty();
  }
}
