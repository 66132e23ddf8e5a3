package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.OperatorSwitch;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Reset;
import io.github.limiterkit.Scope;
import io.github.limiterkit.Source;
import io.github.limiterkit.WhenStoreFails;
import io.github.limiterkit.setup.LogCapture;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OperatorOverrideTest {

  private static final Policy TWELVE = Policy.named("twelve").limits("12/1m").build();
  private static final Duration QUARTER = Duration.ofMinutes(15);

  private final FakeTicker ticker = new FakeTicker();
  private final FakeStore store =
      new FakeStore(() -> 1_700_000_000_000L + Duration.ofNanos(ticker.read()).toMillis());
  private final OperatorOverride override = new OperatorOverride(ticker::read);
  private final DegradedLimiter degraded =
      DegradedLimiter.over(store).fleetSize(4).ticker(ticker::read).build();
  private final RateLimiter limiter = new OverridingLimiter(degraded, degraded.alone(), override);

  @BeforeEach
  void storeAnswers() {
    for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
      degraded.gate(FakeStore.NODE).probed(1, null);
    }
  }

  @Test
  void letsEverythingPassAndBooksItNowhere() {
    override.set(OperatorSwitch.ALLOW_ALL, QUARTER, "INC-1", "a test");
    for (int i = 0; i < 50; i++) {
      Decision decision = limiter.acquire(Charge.of(TWELVE, "a"));
      assertThat(decision.allowed()).isTrue();
      assertThat(decision.source()).isEqualTo(Source.OVERRIDE);
      assertThat(decision.usages()).isEmpty();
      assertThat(limiter.refund(decision)).isEqualTo(Refund.NOTHING);
    }
    assertThat(store.calls).isZero();
    assertThat(degraded.keys()).isZero();
    assertThat(limiter.usage(TWELVE, "a").get(0).remaining())
        .as("a look says how the key really stands")
        .isEqualTo(12);

    override.set(OperatorSwitch.NORMAL, Duration.ZERO, "over", "a test");

    assertThat(admitted(50)).as("nothing of it comes back as refusals").isEqualTo(12);
  }

  @Test
  void liftsCeilingsAndClosedPoliciesToo() {
    Policy ceiling = Policy.named("ceiling").limits("1/1m").scope(Scope.INSTANCE).build();
    Policy closed =
        Policy.named("closed").limits("1/1m").whenStoreFails(WhenStoreFails.CLOSED).build();
    override.set(OperatorSwitch.ALLOW_ALL, QUARTER, "INC-1", "a test");
    for (int i = 0; i < 5; i++) {
      assertThat(limiter.acquire(Charge.of(ceiling, "all")).allowed()).isTrue();
      assertThat(limiter.acquire(Charge.of(closed, "a")).allowed()).isTrue();
    }
  }

  @Test
  void limitsHereAloneAsIfTheStoreWereLost() {
    Decision before = limiter.acquire(Charge.of(TWELVE, "a"));
    store.calls = 0;

    override.set(OperatorSwitch.LOCAL_ONLY, QUARTER, "INC-1", "a test");

    Decision decision = limiter.acquire(Charge.of(TWELVE, "b"));
    assertThat(decision.source()).isEqualTo(Source.LOCAL);
    assertThat(decision.usages().get(0).quota()).as("a quarter").isEqualTo(3);
    assertThat(admitted(20)).as("with what it had before").isEqualTo(2);
    assertThat(limiter.usage(TWELVE, "b").get(0).remaining()).isEqualTo(2);
    assertThat(limiter.reset(TWELVE, "b")).isEqualTo(Reset.STORE_NOT_REACHED);
    assertThat(limiter.refund(before).complete()).isFalse();
    assertThat(store.calls).as("no request reaches the store").isZero();

    ticker.advance(QUARTER);

    assertThat(limiter.acquire(Charge.of(TWELVE, "c")).source()).isEqualTo(Source.SHARED);
  }

  @Test
  void doesWhatThePolicySaysWhileItLimitsAlone() {
    Policy closed =
        Policy.named("closed").limits("9/1m").whenStoreFails(WhenStoreFails.CLOSED).build();
    Policy open = Policy.named("open").limits("1/1m").whenStoreFails(WhenStoreFails.OPEN).build();
    override.set(OperatorSwitch.LOCAL_ONLY, QUARTER, "INC-1", "a test");

    assertThat(limiter.acquire(Charge.of(closed, "a")).allowed()).isFalse();
    assertThat(limiter.acquire(Charge.of(open, "a")).allowed()).isTrue();
    assertThat(limiter.acquire(Charge.of(open, "a")).source()).isEqualTo(Source.POSTURE);
  }

  @Test
  void endsByItself() {
    override.set(OperatorSwitch.ALLOW_ALL, QUARTER, "INC-1", "a test");
    ticker.advance(QUARTER.minusNanos(1));
    assertThat(override.position()).isEqualTo(OperatorSwitch.ALLOW_ALL);
    ticker.advance(Duration.ofNanos(1));
    assertThat(override.position()).isEqualTo(OperatorSwitch.NORMAL);
    assertThat(limiter.acquire(Charge.of(TWELVE, "a")).source()).isEqualTo(Source.SHARED);
    assertThat(override.standing()).isNull();
  }

  @Test
  void tellsItsBeginningAndItsEndOnce() {
    try (LogCapture log = new LogCapture()) {
      override.set(OperatorSwitch.ALLOW_ALL, QUARTER, "INC-1: paid\r\nfor", "JMX");
      for (int i = 0; i < 1_234; i++) {
        limiter.acquire(Charge.of(TWELVE, "user:ada"));
      }
      ticker.advance(QUARTER);
      override.endIfDue();
      override.endIfDue();

      assertThat(log.at(Level.WARN))
          .containsExactly(
              "override allow-all begins, for 15 min at most, set through JMX: INC-1: paid  for;"
                  + " no limit is in force on this instance",
              "override allow-all ended after 15 min (its time is up); 1,234 decisions let pass"
                  + " meanwhile, uncounted");
    }
  }

  @Test
  void isReplacedByTheNext() {
    try (LogCapture log = new LogCapture()) {
      override.set(OperatorSwitch.ALLOW_ALL, QUARTER, "INC-1", "JMX");
      ticker.advance(Duration.ofSeconds(90));
      override.set(OperatorSwitch.LOCAL_ONLY, Duration.ofSeconds(10), "INC-2", "the API");
      limiter.acquire(Charge.of(TWELVE, "a"));
      assertThat(override.standing())
          .isEqualTo(
              new OperatorOverride.Standing(
                  OperatorSwitch.LOCAL_ONLY, Duration.ofSeconds(10), "INC-2"));
      override.set(OperatorSwitch.NORMAL, QUARTER, "mended", "the API");
      override.set(OperatorSwitch.NORMAL, QUARTER, "mended", "the API");

      assertThat(log.at(Level.WARN))
          .containsExactly(
              "override allow-all begins, for 15 min at most, set through JMX: INC-1;"
                  + " no limit is in force on this instance",
              "override allow-all ended after 90 s (another takes its place); 0 decisions let pass"
                  + " meanwhile, uncounted",
              "override local-only begins, for 10 s at most, set through the API: INC-2;"
                  + " this instance limits alone, as if the store were lost",
              "override local-only ended after 0 s (set to normal through the API: mended);"
                  + " 1 decided here meanwhile");
    }
  }

  @Test
  void refusesWhatHasNoEndOrNoReason() {
    assertThatThrownBy(
            () -> override.set(OperatorSwitch.ALLOW_ALL, Duration.ofDays(2), "INC-1", "a test"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT48H is outside 1s to 24h");
    assertThatThrownBy(
            () -> override.set(OperatorSwitch.LOCAL_ONLY, Duration.ZERO, "INC-1", "a test"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT0S is outside 1s to 24h");
    assertThatThrownBy(() -> override.set(OperatorSwitch.ALLOW_ALL, QUARTER, " \n", "a test"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("needs a reason of 1 to 200 characters");
    assertThatThrownBy(
            () -> override.set(OperatorSwitch.ALLOW_ALL, QUARTER, "x".repeat(201), "a test"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("this one has 201");
    assertThat(override.position()).isEqualTo(OperatorSwitch.NORMAL);
  }

  @Test
  void endsForGoodWhenItIsClosed() {
    override.set(OperatorSwitch.ALLOW_ALL, QUARTER, "INC-1", "a test");
    override.close();
    assertThat(override.position()).isEqualTo(OperatorSwitch.NORMAL);
    assertThatThrownBy(() -> override.set(OperatorSwitch.ALLOW_ALL, QUARTER, "INC-1", "a test"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  private int admitted(int tries) {
    int admitted = 0;
    for (int i = 0; i < tries; i++) {
      admitted += limiter.acquire(Charge.of(TWELVE, "a")).allowed() ? 1 : 0;
    }
    return admitted;
  }
}
