package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Scope;
import io.github.limiterkit.Source;
import io.github.limiterkit.WhenStoreFails;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is given back of what the store or this instance admitted. */
class RefundTest {

  private static final Policy THREE = Policy.named("three").limits("3/1m").build();
  private static final Policy LONG = Policy.named("long").limits("1/1h").build();

  private final FakeTicker ticker = new FakeTicker();
  private final FakeStore store = new FakeStore(() -> 1_700_000_000_000L + millis());
  private final List<StoreFault> faults = new ArrayList<>();
  private final DegradedLimiter limiter = open();

  @Test
  void whatComesBackMayBeUsedAgain() {
    spend(THREE, 2);
    Decision third = ask(THREE, 1);
    assertThat(ask(THREE, 1).allowed()).isFalse();
    assertThat(limiter.refund(third)).isEqualTo(new Refund(List.of(Charge.of(THREE, "a")), true));
    assertThat(ask(THREE, 1).allowed()).as("neither the store nor the floor refuses").isTrue();
    assertThat(ask(THREE, 1).allowed()).isFalse();
  }

  @Test
  void aRefundIsOneCall() {
    Decision decision = ask(THREE, 1);
    long calls = store.calls;
    limiter.refund(decision);
    limiter.refund(decision);
    assertThat(store.calls).isEqualTo(calls + 1);
  }

  @Test
  void nothingComesBackOfWhatWasNotCharged() {
    Policy open = Policy.named("open").limits("1/1m").whenStoreFails(WhenStoreFails.OPEN).build();
    Policy closed =
        Policy.named("closed").limits("1/1m").whenStoreFails(WhenStoreFails.CLOSED).build();
    spend(LONG, 1);
    List<Decision> decisions = new ArrayList<>();
    decisions.add(ask(LONG, 1));
    decisions.add(ask(LONG, 1));
    decisions.add(ask(THREE, 0));
    shutGate();
    decisions.add(ask(open, 1));
    decisions.add(ask(closed, 1));
    decisions.add(ask(LONG, 1));
    assertThat(decisions)
        .extracting(Decision::source)
        .containsExactly(
            Source.SHARED,
            Source.DENY_CACHE,
            Source.SHARED,
            Source.POSTURE,
            Source.POSTURE,
            Source.DENY_CACHE);
    openGate(limiter);
    for (Decision decision : decisions) {
      assertThat(limiter.refund(decision).units()).isZero();
    }
    assertThat(limiter.usage(LONG, "a").get(0).remaining()).isZero();
  }

  @Test
  void nothingComesBackOfWhatHasLeftItsWindow() {
    Decision old = ask(THREE, 1);
    ticker.advance(Duration.ofMinutes(1));
    ask(THREE, 1);
    assertThat(limiter.refund(old)).isEqualTo(Refund.NOTHING);
    assertThat(limiter.usage(THREE, "a").get(0).remaining()).isEqualTo(2);
  }

  @Test
  void nothingIsTakenFromAStoreThatBeganAnew() {
    Decision before = ask(THREE, 1);
    store.flush();
    ticker.advance(Duration.ofMillis(1));
    ask(THREE, 1);
    assertThat(limiter.refund(before)).isEqualTo(Refund.NOTHING);
    assertThat(open().usage(THREE, "a").get(0).remaining()).isEqualTo(2);
  }

  @Test
  void duringAnOutageItComesBackHereAndTheStoreIsNotTold() {
    Policy two = Policy.named("two").limits("2/1m").build();
    Decision first = ask(two, 1);
    Decision second = ask(two, 1);
    shutGate();
    assertThat(ask(two, 1).allowed()).as("spent, as far as is known here").isFalse();
    long calls = store.calls;
    assertThat(limiter.refund(first)).isEqualTo(new Refund(List.of(Charge.of(two, "a")), false));
    assertThat(limiter.refund(second).complete()).isFalse();
    assertThat(ask(two, 1).source()).isEqualTo(Source.LOCAL);
    openGate(limiter);
    assertThat(store.calls).as("and nothing was kept for later").isEqualTo(calls);
    assertThat(limiter.usage(two, "a").get(0).remaining()).isZero();
  }

  @Test
  void whatWasDecidedHereComesBackHere() {
    shutGate();
    Decision local = ask(THREE, 3);
    assertThat(ask(THREE, 1).allowed()).isFalse();
    openGate(limiter);
    long calls = store.calls;
    assertThat(limiter.refund(local))
        .isEqualTo(new Refund(List.of(new Charge(THREE, "a", 3)), true));
    assertThat(store.calls).isEqualTo(calls);
    assertThat(ask(THREE, 3).allowed()).isTrue();
  }

  @Test
  void whatWasDecidedHereIsNotTakenFromTheStore() {
    Decision shared = ask(THREE, 1);
    shutGate();
    Decision local = ask(THREE, 1);
    assertThat(local.source()).isEqualTo(Source.LOCAL);
    assertThat(limiter.refund(local).units()).isEqualTo(1);
    openGate(limiter);
    assertThat(limiter.usage(THREE, "a").get(0).remaining()).isEqualTo(2);
    assertThat(limiter.refund(shared).units()).isEqualTo(1);
    assertThat(limiter.usage(THREE, "a").get(0).remaining()).isEqualTo(3);
  }

  @Test
  void aCallThatFailsIsNotRepeated() {
    Decision decision = ask(THREE, 1);
    long calls = store.calls;
    store.fault = StoreFault.TIMEOUT;
    assertThat(limiter.refund(decision).complete()).isFalse();
    store.fault = null;
    assertThat(limiter.refund(decision)).isEqualTo(Refund.NOTHING);
    assertThat(store.calls).isEqualTo(calls + 1);
    assertThat(faults).containsExactly(StoreFault.TIMEOUT);
    assertThat(limiter.usage(THREE, "a").get(0).remaining()).isEqualTo(2);
  }

  @Test
  void severalChargesComeBackTogether() {
    Charge one = new Charge(THREE, "a", 2);
    Charge other = Charge.of(LONG, "b");
    Decision both = limiter.acquire(List.of(one, other));
    assertThat(limiter.refund(both).givenBack()).containsExactly(one, other);
    assertThat(limiter.acquire(List.of(other, one)).allowed()).isTrue();
  }

  @Test
  @DisplayName("SE-11, HT-084: what is given back is given back once, whoever tries again")
  void aPartComesBackOfEveryCharge() {
    Decision both = limiter.acquire(List.of(new Charge(THREE, "a", 3), Charge.of(LONG, "b")));
    assertThat(limiter.refund(both, 2).givenBack())
        .containsExactly(new Charge(THREE, "a", 2), Charge.of(LONG, "b"));
    assertThat(limiter.refund(both, 1)).as("once").isEqualTo(Refund.NOTHING);
    assertThat(limiter.usage(THREE, "a").get(0).remaining()).isEqualTo(2);
  }

  @Test
  void oneOfSeveralChargesComesBackByItself() {
    Policy two = Policy.named("two").limits("2/1m, 5/1h").build();
    Policy ceiling = Policy.named("ceiling").limits("4/1m").scope(Scope.INSTANCE).build();
    for (boolean lost : new boolean[] {false, true}) {
      String key = lost ? "lost" : "shared";
      if (lost) {
        shutGate();
      }
      List<Charge> charges =
          List.of(Charge.of(ceiling, key), new Charge(THREE, key, 2), new Charge(two, key, 2));
      Decision all = limiter.acquire(charges);
      List<Decision> parts = all.split();
      assertThat(parts).hasSize(3).allMatch(Decision::allowed);
      assertThat(limiter.refund(all)).as("that is up to the parts").isEqualTo(Refund.NOTHING);
      assertThat(limiter.refund(parts.get(2)).givenBack()).containsExactly(charges.get(2));
      assertThat(limiter.refund(parts.get(2))).as("once").isEqualTo(Refund.NOTHING);
      assertThat(left(key, ceiling, THREE, two)).containsExactly(3L, 1L, 2L);
      assertThat(limiter.refund(parts.get(0)).givenBack()).containsExactly(charges.get(0));
      assertThat(limiter.refund(parts.get(1), 1).units()).isEqualTo(1);
      assertThat(left(key, ceiling, THREE, two)).containsExactly(4L, 2L, 2L);
    }
  }

  @Test
  void aDecisionAboutOneChargeIsItsOwnPart() {
    Decision one = ask(THREE, 1);
    assertThat(one.split()).containsExactly(one);
    assertThat(limiter.refund(one.split().get(0)).units()).isEqualTo(1);
    Decision refused =
        limiter.acquire(List.of(new Charge(THREE, "a", 3), new Charge(LONG, "a", 2)));
    assertThat(refused.split()).hasSize(2).noneMatch(Decision::allowed);
    assertThat(limiter.refund(refused.split().get(0))).isEqualTo(Refund.NOTHING);
  }

  private List<Long> left(String key, Policy... policies) {
    return Stream.of(policies)
        .map(policy -> limiter.usage(policy, key).get(0).remaining())
        .toList();
  }

  @Test
  void aRefusalIsNotRememberedAfterARefund() {
    Decision only = ask(LONG, 1);
    ask(LONG, 1);
    assertThat(ask(LONG, 1).source()).isEqualTo(Source.DENY_CACHE);
    limiter.refund(only);
    assertThat(ask(LONG, 1).allowed()).isTrue();
  }

  @Test
  void aRefusalThatARefundOvertookIsNotRemembered() {
    Decision only = ask(LONG, 1);
    boolean[] inside = new boolean[1];
    store.after =
        () -> {
          if (!inside[0]) {
            inside[0] = true;
            limiter.refund(only);
          }
        };
    assertThat(ask(LONG, 1).allowed()).as("the store said no before the refund").isFalse();
    assertThat(ask(LONG, 1).allowed()).isTrue();
  }

  @Test
  void refusalsAreRememberedForOneSecondWhereThereAreRefunds() {
    limiter.refund(ask(LONG, 1));
    ask(LONG, 1);
    ticker.advance(Duration.ofMillis(1));
    ask(LONG, 1);
    ticker.advance(Duration.ofMillis(999));
    assertThat(ask(LONG, 1).source()).isEqualTo(Source.DENY_CACHE);
    ticker.advance(Duration.ofMillis(1));
    assertThat(ask(LONG, 1).source()).isEqualTo(Source.SHARED);
  }

  @Test
  void anotherLimiterGivesNothingBack() {
    Decision decision = ask(THREE, 1);
    DegradedLimiter other = open();
    assertThat(other.refund(decision)).isEqualTo(Refund.NOTHING);
    assertThat(other.usage(THREE, "a").get(0).remaining()).isEqualTo(2);
  }

  private void spend(Policy policy, int units) {
    assertThat(ask(policy, units).allowed()).isTrue();
  }

  private Decision ask(Policy policy, long cost) {
    return limiter.acquire(new Charge(policy, "a", cost));
  }

  private DegradedLimiter open() {
    DegradedListener listener =
        new DegradedListener() {
          @Override
          public void fault(String node, StoreException fault) {
            faults.add(fault.fault());
          }
        };
    DegradedLimiter opened =
        DegradedLimiter.over(store).ticker(ticker::read).listener(listener).build();
    openGate(opened);
    return opened;
  }

  private static void openGate(DegradedLimiter limiter) {
    for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
      limiter.gate(FakeStore.NODE).probed(1, null);
    }
  }

  private void shutGate() {
    limiter.gate(FakeStore.NODE).sample(Samples.failed(StoreFault.READONLY));
  }

  private long millis() {
    return Duration.ofNanos(ticker.read()).toMillis();
  }
}
