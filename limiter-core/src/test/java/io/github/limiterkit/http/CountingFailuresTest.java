package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Refund;
import io.github.limiterkit.setup.LimiterKit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies that count what the application says has failed. */
class CountingFailuresTest {

  private static final String CLIENT = "ip:203.0.113.9";

  private final List<LimiterKit> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(LimiterKit::close);
  }

  private LimiterKit kit(LimiterKit.Builder builder) {
    LimiterKit kit = builder.ticker(() -> 0).build();
    open.add(kit);
    return kit;
  }

  private LimiterKit login(String limits) {
    return kit(LimiterKit.inMemory().route("/login", failures(limits)));
  }

  private static HttpPolicy failures(String limits) {
    return HttpPolicy.named("login").limits(limits).countFailures().build();
  }

  private static Verdict check(LimiterKit kit, FakeRequest request) {
    return kit.http().check(request, ResponseView.EMPTY);
  }

  /** The application's answer, or 429 if it is not asked. */
  private static int attempt(LimiterKit kit, int answer) {
    Verdict verdict = check(kit, FakeRequest.get("/login"));
    if (verdict.refused()) {
      return verdict.refusal().status();
    }
    verdict.reservation().settle(answer);
    return answer;
  }

  private static long left(LimiterKit kit, String policy) {
    return kit.usage(policy, CLIENT).get(0).remaining();
  }

  @Test
  @DisplayName("HT-088: successes leave the limit full, failures take one each")
  void countsFailuresOnly() {
    LimiterKit kit = login("3/1h");
    for (int i = 0; i < 10; i++) {
      assertThat(attempt(kit, 200)).isEqualTo(200);
    }
    assertThat(left(kit, "login")).isEqualTo(3);
    assertThat(List.of(attempt(kit, 401), attempt(kit, 403), attempt(kit, 401), attempt(kit, 200)))
        .containsExactly(401, 403, 401, 429);
  }

  @Test
  @DisplayName("HT-089: a success gives back its own unit and no other")
  void doesNotForgiveForASuccess() {
    LimiterKit kit = login("5/1h");
    for (int answer : new int[] {401, 401, 401, 401, 200, 401}) {
      assertThat(attempt(kit, answer)).isEqualTo(answer);
    }
    assertThat(attempt(kit, 200)).isEqualTo(429);
  }

  @Test
  @DisplayName("HT-087, OP-13: the kit's own refusals give nothing back")
  void isNotRefilledByRefusals() {
    LimiterKit kit = login("2/1h");
    attempt(kit, 401);
    attempt(kit, 401);
    for (int i = 0; i < 100; i++) {
      Verdict refused = check(kit, FakeRequest.get("/login"));
      assertThat(refused.refused()).isTrue();
      assertThat(refused.reservation()).isNull();
    }
    assertThat(left(kit, "login")).isZero();
  }

  @Test
  @DisplayName("OP-13: attempts at the same time do not get past the limit")
  void reservesBeforeTheApplicationIsAsked() {
    LimiterKit kit = login("5/1h");
    List<Verdict> together = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      together.add(check(kit, FakeRequest.get("/login")));
    }
    assertThat(together.stream().filter(verdict -> !verdict.refused())).hasSize(5);
    together.stream()
        .filter(verdict -> !verdict.refused())
        .forEach(verdict -> verdict.reservation().settle(200));
    assertThat(left(kit, "login")).isEqualTo(5);
  }

  @Test
  @DisplayName("HT-084: given back once, however often the end is told")
  void settlesOnce() {
    LimiterKit kit = login("5/1h");
    attempt(kit, 401);
    Reservation reservation = check(kit, FakeRequest.get("/login")).reservation();
    reservation.settle(200);
    reservation.settle(200);
    assertThat(left(kit, "login")).isEqualTo(4);
    Reservation failed = check(kit, FakeRequest.get("/login")).reservation();
    failed.settle(401);
    failed.settle(200);
    assertThat(left(kit, "login")).isEqualTo(3);
  }

  @Test
  void givesBackNothingOfWhatOthersCount() {
    HttpPolicy all = HttpPolicy.named("all").limits("9/1h, 9/1m").build();
    HttpPolicy other =
        HttpPolicy.named("other").limits("9/1h, 7/1m").countFailures(404, 500).build();
    LimiterKit kit =
        kit(LimiterKit.inMemory().route("/*", all).route("/login", failures("5/1h"), other));
    attempt(kit, 200);
    assertThat(List.of(left(kit, "all"), left(kit, "login"), left(kit, "other")))
        .containsExactly(8L, 5L, 9L);
    attempt(kit, 404);
    assertThat(List.of(left(kit, "all"), left(kit, "login"), left(kit, "other")))
        .containsExactly(7L, 5L, 8L);
    assertThat(kit.usage("other", CLIENT))
        .extracting(LimitUsage::remaining)
        .containsExactly(8L, 6L);
    attempt(kit, 401);
    assertThat(List.of(left(kit, "all"), left(kit, "login"), left(kit, "other")))
        .containsExactly(6L, 4L, 8L);
  }

  @Test
  void countsInShadowAsItWouldInEarnest() {
    HttpPolicy tried =
        HttpPolicy.named("login").limits("2/1h").countFailures().shadow(true).build();
    LimiterKit kit = kit(LimiterKit.inMemory().route("/login", tried));
    for (int i = 0; i < 5; i++) {
      assertThat(attempt(kit, 200)).isEqualTo(200);
    }
    assertThat(left(kit, "login")).isEqualTo(2);
    for (int i = 0; i < 5; i++) {
      assertThat(attempt(kit, 401)).isEqualTo(401);
    }
    assertThat(left(kit, "login")).isZero();
  }

  @Test
  @DisplayName("OP-13: a refusal by another policy of the kit is no failure")
  void givesBackIfTheKitRefusesLater() {
    HttpPolicy byUser = HttpPolicy.named("user").limits("1/1h").key(Keys.principal()).build();
    HttpPolicy login = HttpPolicy.named("login").limits("5/1h").countFailures(401, 429).build();
    LimiterKit kit = kit(LimiterKit.inMemory().route("/login", login, byUser));
    for (int i = 0; i < 2; i++) {
      FakeRequest request = FakeRequest.get("/login");
      Verdict before = kit.http().checkBeforeAuthentication(request, ResponseView.EMPTY);
      Verdict after = check(kit, request.user("ada"));
      assertThat(after.refused()).isEqualTo(i == 1);
      before.reservation().settle(after.refused() ? 429 : 200);
      assertThat(left(kit, "login")).isEqualTo(5);
    }
  }

  @Test
  @DisplayName("HT-125: after the application has answered, nothing is thrown")
  void neverThrowsWhenItGivesBack() {
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
    HttpRateLimiter http = HttpRateLimiter.over(broken).route("/*", failures("5/1h")).build();
    Verdict verdict = http.check(FakeRequest.get("/"), ResponseView.EMPTY);
    assertThatCode(() -> verdict.reservation().settle(200)).doesNotThrowAnyException();
  }

  @Test
  void reservesNothingWhereEveryRequestCounts() {
    LimiterKit kit =
        kit(LimiterKit.inMemory().route("/*", HttpPolicy.named("p").limits("2/1h").build()));
    assertThat(check(kit, FakeRequest.get("/")).reservation()).isNull();
    assertThat(check(kit, FakeRequest.get("/")).reservation()).isNull();
    assertThat(check(kit, FakeRequest.get("/")).refused()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          failures      | 401 403
          requests      |
          401, 403,404  | 401 403 404
          503           | 503
          """)
  void readsWords(String words, String statuses) {
    HttpPolicy policy = HttpPolicy.named("p").limits("1/1s").count(words).build();
    String[] expected = statuses == null ? new String[0] : statuses.split(" ", -1);
    assertThat(policy.failures()).extracting(String::valueOf).containsExactly(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 99, 199, 600, 1000})
  void refusesWhatIsNoStatusOfAnAnswer(int status) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpPolicy.named("p").countFailures(401, status))
        .withMessage("policy \"p\": count: status " + status + " is outside 200 to 599");
  }

  @Test
  void takesEveryStatusOfAnAnswer() {
    assertThat(HttpPolicy.named("p").limits("1/1s").countFailures(200, 599).build().failures())
        .containsExactly(200, 599);
  }

  @Test
  void refusesNoStatusAtAll() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpPolicy.named("p").countFailures(new int[0]))
        .withMessage("policy \"p\": count: there is no status; write at least one, as in 401");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpPolicy.named("p").count("failurs"))
        .withMessageContaining("there is no \"failurs\"; did you mean \"failures\"?");
  }
}
