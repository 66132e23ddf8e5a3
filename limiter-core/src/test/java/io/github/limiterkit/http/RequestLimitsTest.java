package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Source;
import io.github.limiterkit.setup.LimiterKit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a handler may say of the limits of its request. */
class RequestLimitsTest {

  private static final String CLIENT = "ip:203.0.113.9";

  private final HttpPolicy all = HttpPolicy.named("all").limits("100/1h").build();
  private final HttpPolicy orders = HttpPolicy.named("orders").limits("60/1h").build();
  private final HttpPolicy login = HttpPolicy.named("login").limits("3/1h").countFailures().build();

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

  private LimiterKit kit() {
    return kit(
        LimiterKit.inMemory()
            .route("/*", all)
            .route("/orders", orders)
            .route("/login", login)
            .exempt("/health"));
  }

  private static Verdict check(LimiterKit kit, FakeRequest request) {
    return kit.http().check(request, ResponseView.EMPTY);
  }

  private static RequestLimits limits(LimiterKit kit, FakeRequest request) {
    assertThat(check(kit, request).refused()).isFalse();
    return RequestLimits.of(request::attribute);
  }

  private static long left(LimiterKit kit, String policy) {
    return kit.usage(policy, CLIENT).get(0).remaining();
  }

  @Test
  void tellsWhatWasDecided() {
    LimiterKit kit = kit();
    RequestLimits limits = limits(kit, FakeRequest.get("/orders"));
    assertThat(limits.isLimited()).isTrue();
    assertThat(limits.decisions()).containsOnlyKeys("all", "orders");
    Decision decision = limits.decisions().get("orders");
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.usages().get(0).remaining()).isEqualTo(59);
    assertThat(kit.refund(decision).units()).isEqualTo(1);
    assertThat(left(kit, "orders")).isEqualTo(60);
    assertThat(left(kit, "all")).as("of another policy").isEqualTo(99);
  }

  @Test
  @DisplayName("HT-091: a batch costs what it holds")
  void chargesFurtherUnits() {
    LimiterKit kit = kit();
    assertThat(limits(kit, FakeRequest.get("/orders")).charge("orders", 24).allowed()).isTrue();
    assertThat(left(kit, "orders")).isEqualTo(35);
    assertThat(left(kit, "all")).isEqualTo(99);
    FakeRequest next = FakeRequest.get("/orders");
    RequestLimits limits = limits(kit, next);
    assertThat(limits.decisions().get("orders").usages().get(0).remaining()).isEqualTo(34);
    assertThat(limits.charge("orders", 35).allowed()).as("nothing of it is taken").isFalse();
    assertThat(left(kit, "orders")).isEqualTo(34);
    assertThat(limits.charge("orders", 0).allowed()).isTrue();
    assertThat(limits.charge("orders", 4).allowed()).isTrue();
    assertThat(kit.http().fields(next, ResponseView.EMPTY, 200))
        .as("where fields are written after the handler, they tell of it")
        .contains(new Field("RateLimit", "\"all\";r=98;t=3600, \"orders\";r=30;t=3600"));
  }

  @Test
  @DisplayName("OP-13: a handler says that it failed, whatever the status")
  void countsWhatTheHandlerCallsAFailure() {
    LimiterKit kit = kit();
    for (int i = 0; i < 3; i++) {
      FakeRequest request = FakeRequest.get("/login");
      Reservation reservation = check(kit, request).reservation();
      RequestLimits.of(request::attribute).failed("login");
      reservation.settle(200);
      assertThat(left(kit, "login")).isEqualTo(2 - i);
    }
    assertThat(check(kit, FakeRequest.get("/login")).refused()).isTrue();
  }

  @Test
  void givesBackFurtherUnitsOfASuccessToo() {
    LimiterKit kit = kit();
    FakeRequest request = FakeRequest.get("/login");
    Reservation reservation = check(kit, request).reservation();
    assertThat(RequestLimits.of(request::attribute).charge("login", 2).allowed()).isTrue();
    assertThat(left(kit, "login")).isZero();
    reservation.settle(200);
    assertThat(left(kit, "login")).isEqualTo(3);
  }

  @Test
  @DisplayName("HT-084: gives back once, and no more than was taken")
  void givesBack() {
    LimiterKit kit = kit();
    RequestLimits limits = limits(kit, FakeRequest.get("/orders"));
    limits.charge("orders", 9);
    assertThat(limits.refund("orders", 4).units()).isEqualTo(4);
    assertThat(left(kit, "orders")).isEqualTo(54);
    assertThat(limits.refund("orders").units()).as("what the first did not touch").isEqualTo(1);
    assertThat(limits.refund("orders").units()).isZero();
    assertThat(left(kit, "orders")).isEqualTo(55);
    assertThat(left(kit, "all")).isEqualTo(99);
  }

  @Test
  @DisplayName("HT-084: asks back no more than is wanted, and says if it did not come")
  void asksBackWhatIsWanted() {
    List<Long> asked = new ArrayList<>();
    Set<Long> lost = new HashSet<>();
    RateLimiter limiter =
        new RateLimiter() {
          @Override
          public Decision acquire(List<Charge> charges) {
            return new Decision(true, Source.SHARED, List.of());
          }

          @Override
          public Refund refund(Decision decision, long units) {
            asked.add(units);
            return lost.contains(units)
                ? new Refund(List.of(), false)
                : new Refund(List.of(new Charge(orders.policy(), CLIENT, units)), true);
          }
        };
    FakeRequest request = FakeRequest.get("/");
    HttpRateLimiter http = HttpRateLimiter.over(limiter).route("/*", orders).build();
    assertThat(http.check(request, ResponseView.EMPTY).refused()).isFalse();
    RequestLimits limits = RequestLimits.of(request::attribute);
    limits.charge("orders", 9);

    assertThat(limits.refund("orders", 4).complete()).isTrue();
    assertThat(asked).as("the last decision gave all of it").containsExactly(4L);
    lost.add(5L);
    Refund none = limits.refund("orders", 5);
    assertThat(none.complete()).isFalse();
    assertThat(none.units()).isZero();
    assertThat(asked).containsExactly(4L, 5L, 5L);
  }

  @Test
  void passesUncountedWhereNothingIsLimited() {
    LimiterKit kit = kit();
    LimiterKit off = kit(LimiterKit.inMemory().route("/*", orders).enabled(false));
    for (RequestLimits limits :
        List.of(
            limits(kit, FakeRequest.get("/health")),
            limits(off, FakeRequest.get("/orders")),
            RequestLimits.of(name -> null))) {
      assertThat(limits.isLimited()).isFalse();
      assertThat(limits.decisions()).isEmpty();
      assertThat(limits.charge("orders", 1000).allowed()).isTrue();
      limits.failed("orders");
      assertThat(limits.refund("orders")).isEqualTo(Refund.NOTHING);
    }
    assertThat(left(kit, "orders")).isEqualTo(60);
  }

  @Test
  void saysYesInShadow() {
    HttpPolicy tried = HttpPolicy.named("orders").limits("5/1h").shadow(true).build();
    LimiterKit kit = kit(LimiterKit.inMemory().route("/*", tried));
    RequestLimits limits = limits(kit, FakeRequest.get("/"));
    assertThat(limits.charge("orders", 3).allowed()).isTrue();
    assertThat(limits.charge("orders", 9).allowed()).isTrue();
    assertThat(left(kit, "orders")).isEqualTo(1);
    limits(kit, FakeRequest.get("/"));
    RequestLimits over = limits(kit, FakeRequest.get("/"));
    assertThat(over.decisions().get("orders").allowed()).isTrue();
    assertThat(over.refund("orders")).isEqualTo(Refund.NOTHING);
  }

  @Test
  void teachesWhoNamesAnotherPolicy() {
    RequestLimits limits = limits(kit(), FakeRequest.get("/orders"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limits.charge("order", 1))
        .withMessage("no policy is named \"order\"; did you mean \"orders\"?");
    assertThatIllegalStateException()
        .isThrownBy(() -> limits.failed("login"))
        .withMessageStartingWith("this request was not charged to policy \"login\"; give its path");
    for (long units : new long[] {-1, 4_000_000_001L}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> limits.charge("orders", units))
          .withMessage(units + " units are outside 0 to 4000000000");
      assertThatIllegalArgumentException().isThrownBy(() -> limits.refund("orders", units));
    }
  }
}
