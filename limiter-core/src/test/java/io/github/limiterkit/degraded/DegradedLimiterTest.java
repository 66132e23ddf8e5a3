package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Scope;
import io.github.limiterkit.Source;
import io.github.limiterkit.WhenStoreFails;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DegradedLimiterTest {

  private static final Policy HUNDRED = Policy.named("hundred").limits("100/1m").build();

  private final FakeTicker ticker = new FakeTicker();
  private final FakeStore store = new FakeStore(() -> 1_700_000_000_000L + millis());
  private final List<StoreFault> faults = new ArrayList<>();
  private final List<String> decidedHere = new ArrayList<>();
  private final DegradedLimiter limiter = instance(4);

  @BeforeEach
  void storeAnswers() {
    openGate(limiter);
  }

  @Test
  void asksTheStoreWhileTheGateIsOpen() {
    Decision decision = limiter.acquire(Charge.of(HUNDRED, "a"));
    assertThat(decision.source()).isEqualTo(Source.SHARED);
    assertThat(decision.usages().get(0).quota()).isEqualTo(100);
    assertThat(decision.usages().get(0).remaining()).isEqualTo(99);
    assertThat(limiter.mode()).isEqualTo(Mode.SHARED);
  }

  @Test
  void asksNobodyWhileTheGateIsShut() {
    shutGate();
    assertThat(limiter.acquire(Charge.of(HUNDRED, "a")).source()).isEqualTo(Source.LOCAL);
    assertThat(store.calls).isZero();
    assertThat(limiter.mode()).isEqualTo(Mode.DEGRADED);
  }

  @Test
  void decidesHereAtOnceWhenOneCallFails() {
    store.fault = StoreFault.TIMEOUT;
    Decision decision = limiter.acquire(Charge.of(HUNDRED, "a"));
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.source()).isEqualTo(Source.LOCAL);
    assertThat(store.calls).as("never asked again").isEqualTo(1);
    assertThat(faults).containsExactly(StoreFault.TIMEOUT);
  }

  @Test
  @DisplayName("ST-079: of a fleet of 4 each gives out a quarter, and says so")
  void givesOutItsShare() {
    shutGate();
    Decision first = limiter.acquire(Charge.of(HUNDRED, "a"));
    assertThat(first.usages().get(0).quota()).isEqualTo(25);
    assertThat(first.usages().get(0).remaining()).isEqualTo(24);
    assertThat(1 + admitted(HUNDRED, 100)).isEqualTo(25);
  }

  @Test
  @DisplayName("ST-079: a share is never less than one")
  void givesOutOneAtLeast() {
    shutGate();
    assertThat(admitted(Policy.named("three").limits("3/1m").build(), 10)).isEqualTo(1);
  }

  @Test
  void refusesWhoSpentTheQuotaBeforeTheStoreWasLost() {
    assertThat(admitted(HUNDRED, 100)).isEqualTo(100);
    shutGate();
    assertThat(admitted(HUNDRED, 100)).isZero();
    advance(Duration.ofMinutes(1));
    assertThat(admitted(HUNDRED, 100)).isEqualTo(25);
  }

  @Test
  void tellsWhichRefusalsAreForTheLoweredLimitAlone() {
    admitted(HUNDRED, 70);
    assertThat(decidedHere).as("the store decided").isEmpty();
    shutGate();
    advance(Duration.ofSeconds(30));

    assertThat(limiter.acquire(Charge.of(HUNDRED, "a")).allowed()).isFalse();
    assertThat(limiter.acquire(new Charge(HUNDRED, "a", 31)).allowed()).isFalse();
    assertThat(limiter.acquire(Charge.of(HUNDRED, "b")).allowed()).isTrue();
    limiter.acquire(new Charge(HUNDRED, "a", 0));
    limiter.usage(HUNDRED, "a");

    assertThat(decidedHere)
        .as("71 of 100 would have room, 101 would not; looks count nothing")
        .containsExactly("refused, lowered alone", "refused", "allowed");
  }

  @Test
  void tellsOfTheLastUnitThatTheWholeQuotaWouldHaveHad() {
    shutGate();
    admitted(HUNDRED, 25);
    decidedHere.clear();
    limiter.acquire(new Charge(HUNDRED, "a", 75));
    limiter.acquire(new Charge(HUNDRED, "a", 76));
    assertThat(decidedHere).containsExactly("refused, lowered alone", "refused");
  }

  @Test
  void aCostOfTheWholeQuotaIsNotHopeless() {
    shutGate();
    Policy one = Policy.named("one").limits("1/1m").build();
    assertThat(admitted(one, 1)).isEqualTo(1);
    assertThat(limiter.acquire(Charge.of(one, "a")).usages().get(0).retryAfterMillis())
        .isEqualTo(60_000);
  }

  @Test
  void tellsNothingOfCeilingsAndOfPoliciesThatAreClosed() {
    shutGate();
    Policy ceiling = Policy.named("ceiling").limits("1/1m").scope(Scope.INSTANCE).build();
    Policy closed =
        Policy.named("closed").limits("9/1m").whenStoreFails(WhenStoreFails.CLOSED).build();
    admitted(ceiling, 3);
    admitted(closed, 3);
    assertThat(decidedHere).isEmpty();

    limiter.acquire(List.of(Charge.of(HUNDRED, "a"), Charge.of(closed, "a")));
    assertThat(decidedHere).containsExactly("refused");
  }

  @Test
  void safetyLowersWhatIsGivenOut() {
    shutGate();
    Policy careful = Policy.named("careful").limits("100/1m").safety(0.5).build();
    assertThat(admitted(careful, 100)).isEqualTo(12);
  }

  @Test
  void safetyDoesNotRefuseWhoUsedTheStoreNormallyAtASingleTimeout() {
    Policy careful = Policy.named("careful").limits("100/1m").safety(0.5).build();
    assertThat(admitted(careful, 20)).isEqualTo(20);
    store.fault = StoreFault.TIMEOUT;
    assertThat(limiter.acquire(Charge.of(careful, "a")).allowed()).isTrue();
  }

  @Test
  void tellsAnHonestWait() {
    shutGate();
    advance(Duration.ofSeconds(1));
    admitted(HUNDRED, 10);
    advance(Duration.ofSeconds(10));
    admitted(HUNDRED, 15);
    Decision refused = limiter.acquire(new Charge(HUNDRED, "a", 12));
    assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(60));
    Decision one = limiter.acquire(Charge.of(HUNDRED, "a"));
    assertThat(one.retryAfter()).isEqualTo(Duration.ofSeconds(50));
    advance(one.retryAfter().minusMillis(1));
    assertThat(limiter.acquire(Charge.of(HUNDRED, "a")).allowed()).isFalse();
    advance(Duration.ofMillis(1));
    assertThat(limiter.acquire(Charge.of(HUNDRED, "a")).allowed()).isTrue();
  }

  @Test
  void tellsAnHonestWaitWhenUnitsOfBothKindsExpire() {
    admitted(HUNDRED, 20);
    advance(Duration.ofSeconds(20));
    shutGate();
    admitted(HUNDRED, 5);
    Decision refused = limiter.acquire(Charge.of(HUNDRED, "a"));
    assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(40));
    advance(Duration.ofMillis(39_999));
    assertThat(limiter.acquire(Charge.of(HUNDRED, "a")).allowed()).isFalse();
    advance(Duration.ofMillis(1));
    assertThat(limiter.acquire(Charge.of(HUNDRED, "a")).allowed()).isTrue();
  }

  @Test
  void whatOnlyTheLoweredLimitCannotHoldIsToldTheHint() {
    shutGate();
    Decision refused = limiter.acquire(new Charge(HUNDRED, "a", 26));
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.retryAfter()).isEqualTo(HUNDRED.retryAfterHint());
  }

  @Test
  @DisplayName("ST-058: what the limit itself cannot hold is never told a wait")
  void whatTheLimitCannotHoldIsNeverToldAWait() {
    assertThat(limiter.acquire(new Charge(HUNDRED, "a", 101)).retryAfter())
        .isEqualTo(Decision.NEVER);
    shutGate();
    assertThat(limiter.acquire(new Charge(HUNDRED, "a", 101)).retryAfter())
        .isEqualTo(Decision.NEVER);
  }

  @Test
  void letsPassWhatIsOpenWithoutCountingIt() {
    Policy open = Policy.named("open").limits("1/1m").whenStoreFails(WhenStoreFails.OPEN).build();
    shutGate();
    for (int i = 0; i < 10; i++) {
      Decision decision = limiter.acquire(Charge.of(open, "a"));
      assertThat(decision.allowed()).isTrue();
      assertThat(decision.source()).isEqualTo(Source.POSTURE);
      assertThat(decision.usages()).isEmpty();
    }
    openGate(limiter);
    assertThat(limiter.acquire(Charge.of(open, "a")).allowed())
        .as("what was let through does not come back as a refusal")
        .isTrue();
  }

  @Test
  void refusesWhatIsClosed() {
    Policy closed =
        Policy.named("closed").limits("9/1m").whenStoreFails(WhenStoreFails.CLOSED).build();
    shutGate();
    Decision decision = limiter.acquire(Charge.of(closed, "a"));
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.source()).isEqualTo(Source.POSTURE);
    assertThat(decision.retryAfter()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void chargesAllOrNoneHereToo() {
    Policy four = Policy.named("four").limits("4/1m").build();
    shutGate();
    List<Charge> both = List.of(Charge.of(HUNDRED, "a"), Charge.of(four, "a"));
    assertThat(limiter.acquire(both).allowed()).isTrue();
    assertThat(limiter.acquire(both).allowed()).isFalse();
    assertThat(admitted(HUNDRED, 100)).isEqualTo(24);
  }

  @Test
  void looksWithoutCharging() {
    shutGate();
    assertThat(limiter.acquire(new Charge(HUNDRED, "a", 0)).allowed()).isTrue();
    assertThat(limiter.keys()).isZero();
    assertThat(admitted(HUNDRED, 100)).isEqualTo(25);
  }

  @Test
  void goesOnCountingWhatItAdmittedWhenTheStoreForgot() {
    assertThat(admitted(HUNDRED, 100)).isEqualTo(100);
    store.flush();
    Decision refused = limiter.acquire(Charge.of(HUNDRED, "a"));
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.source()).isEqualTo(Source.SHARED);
    assertThat(refused.retryAfter()).isEqualTo(Duration.ofMinutes(1));
    advance(Duration.ofMinutes(1));
    assertThat(limiter.acquire(Charge.of(HUNDRED, "a")).allowed()).isTrue();
  }

  @Test
  void countsWhatItDecidedHereWhenTheStoreIsBack() {
    shutGate();
    assertThat(admitted(HUNDRED, 100)).isEqualTo(25);
    openGate(limiter);
    advance(Duration.ofSeconds(2));
    assertThat(admitted(HUNDRED, 100)).as("the store knows of none of the 25").isEqualTo(75);
  }

  @Test
  @DisplayName("ST-004: a call that timed out but ran costs one permit more, and no more")
  void aCallThatRanAllTheSameIsNotCountedTwiceHere() {
    store.fault = StoreFault.TIMEOUT;
    store.executesWhatFails = true;
    assertThat(limiter.acquire(Charge.of(HUNDRED, "a")).allowed()).isTrue();
    store.fault = null;
    assertThat(limiter.acquire(Charge.of(HUNDRED, "a")).usages().get(0).remaining()).isEqualTo(98);
  }

  @Test
  void answersHereWhoeverFindsTooManyWaiting() {
    int[] shed = new int[1];
    DegradedListener counting =
        new DegradedListener() {
          @Override
          public void shed() {
            shed[0]++;
          }
        };
    DegradedLimiter[] holder = new DegradedLimiter[1];
    List<Source> inner = new ArrayList<>();
    // While one caller is inside the store, another comes.
    FakeStore busy =
        new FakeStore(
            () -> {
              if (inner.isEmpty()) {
                inner.add(Source.SHARED);
                inner.set(0, holder[0].acquire(Charge.of(HUNDRED, "b")).source());
              }
              return 0;
            });
    holder[0] =
        DegradedLimiter.over(busy).maxInFlight(1).ticker(ticker::read).listener(counting).build();
    openGate(holder[0]);
    assertThat(holder[0].acquire(Charge.of(HUNDRED, "a")).source()).isEqualTo(Source.SHARED);
    assertThat(inner).containsExactly(Source.LOCAL);
    assertThat(shed[0]).isEqualTo(1);
    assertThat(holder[0].inFlight()).isZero();
  }

  @Test
  void goesOnWhenAListenerThrows() {
    DegradedListener broken =
        new DegradedListener() {
          @Override
          public void transition(Transition transition) {
            throw new IllegalStateException("metrics are down");
          }

          @Override
          public void fault(String node, StoreException failure) {
            throw new IllegalStateException("metrics are down");
          }
        };
    DegradedLimiter told = DegradedLimiter.over(store).listener(broken).build();
    openGate(told);
    assertThat(told.acquire(Charge.of(HUNDRED, "a")).source()).isEqualTo(Source.SHARED);
    store.fault = StoreFault.TIMEOUT;
    assertThat(told.acquire(Charge.of(HUNDRED, "a")).source()).isEqualTo(Source.LOCAL);
    told.gate(FakeStore.NODE).sample(Samples.failed(StoreFault.READONLY));
    assertThat(told.mode()).isEqualTo(Mode.DEGRADED);
  }

  @Test
  void forgetsWhatIsNoLongerLive() {
    admitted(HUNDRED, 3);
    assertThat(limiter.keys()).isEqualTo(1);
    advance(Duration.ofSeconds(61));
    assertThat(limiter.sweep()).isEqualTo(1);
    assertThat(limiter.keys()).isZero();
    assertThat(limiter.forgottenUnits()).isZero();
  }

  @Test
  void decidesHereAndSaysSoOnceItIsClosed() {
    assertThat(admitted(HUNDRED, 10)).isEqualTo(10);
    store.calls = 0;

    limiter.close();
    limiter.close();

    assertThat(store.left).isTrue();
    assertThat(limiter.mode()).isEqualTo(Mode.DEGRADED);
    openGate(limiter);
    assertThat(limiter.mode())
        .as("a trial that was on its way opens nothing")
        .isEqualTo(Mode.DEGRADED);
    assertThat(admitted(HUNDRED, 100)).as("a quarter, with what it had").isEqualTo(15);
    assertThat(store.calls).isZero();
    assertThat(faults).isEmpty();
  }

  @Test
  void refusesSettingsOutOfRange() {
    assertThatThrownBy(() -> DegradedLimiter.over(store).fleetSize(0))
        .hasMessage("fleet size 0 is outside 1 to 100000");
    assertThatThrownBy(() -> DegradedLimiter.over(store).maxInFlight(0))
        .hasMessageContaining("max-in-flight 0");
    assertThatThrownBy(() -> DegradedLimiter.over(store).maxKeys(-1))
        .hasMessageContaining("max-keys -1");
    assertThatThrownBy(() -> limiter.acquire(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> limiter.mode("elsewhere")).hasMessageContaining("elsewhere");
  }

  private DegradedLimiter instance(int fleetSize) {
    DegradedListener listener =
        new DegradedListener() {
          @Override
          public void fault(String node, StoreException failure) {
            faults.add(failure.fault());
          }

          @Override
          public void decidedHere(boolean allowed, boolean loweredAlone) {
            decidedHere.add(
                (allowed ? "allowed" : "refused") + (loweredAlone ? ", lowered alone" : ""));
          }
        };
    return DegradedLimiter.over(store)
        .fleetSize(fleetSize)
        .ticker(ticker::read)
        .listener(listener)
        .build();
  }

  private int admitted(Policy policy, int tries) {
    int admitted = 0;
    for (int i = 0; i < tries; i++) {
      if (limiter.acquire(Charge.of(policy, "a")).allowed()) {
        admitted++;
      }
    }
    return admitted;
  }

  private void shutGate() {
    limiter.gate(FakeStore.NODE).sample(Samples.failed(StoreFault.READONLY));
  }

  private static void openGate(DegradedLimiter limiter) {
    for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
      limiter.gate(FakeStore.NODE).probed(1, null);
    }
  }

  private void advance(Duration by) {
    ticker.advance(by);
  }

  private long millis() {
    return Duration.ofNanos(ticker.read()).toMillis();
  }
}
