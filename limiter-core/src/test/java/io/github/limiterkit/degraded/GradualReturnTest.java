package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Scope;
import io.github.limiterkit.Source;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The store is lost, and comes back empty: one of four instances, each with a quarter. */
class GradualReturnTest {

  private static final Policy HUNDRED = Policy.named("hundred").limits("100/1m").build();
  private static final Policy QUICK = Policy.named("quick").limits("100/1s").build();

  private final FakeTicker ticker = new FakeTicker().advance(Duration.ofHours(1));
  private final FakeStore store = new FakeStore(() -> 1_700_000_000_000L + millis());
  private final List<String> decidedHere = new ArrayList<>();
  private final DegradedLimiter limiter =
      DegradedLimiter.over(store)
          .fleetSize(4)
          .ticker(ticker::read)
          .listener(
              new DegradedListener() {
                @Override
                public void decidedHere(boolean allowed, boolean loweredAlone) {
                  decidedHere.add(
                      (allowed ? "allowed" : "refused") + (loweredAlone ? ", lowered alone" : ""));
                }
              })
          .build();

  @BeforeEach
  void storeAnswers() {
    comesBack();
    ticker.advance(Duration.ofSeconds(10));
  }

  @Test
  void whoWasRefusedHereIsRefusedForTwoSecondsMoreWithoutAskingTheStore() {
    isLost();
    assertThat(admitted(HUNDRED, 30)).isEqualTo(25);
    comesBack();
    decidedHere.clear();

    Decision refused = limiter.acquire(Charge.of(HUNDRED, "a"));
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.source()).isEqualTo(Source.LOCAL);
    assertThat(refused.retryAfter()).as("then the store is asked").isEqualTo(Duration.ofSeconds(2));
    LimitUsage usage = refused.usages().get(0);
    assertThat(usage.quota()).as("the one that is in force").isEqualTo(25);
    assertThat(usage.remaining()).isZero();
    assertThat(usage.resetAfterMillis()).isEqualTo(60_000);
    assertThat(limiter.acquire(new Charge(HUNDRED, "a", 75)).retryAfter())
        .isEqualTo(Duration.ofSeconds(2));
    assertThat(limiter.acquire(new Charge(HUNDRED, "a", 76)).allowed()).isFalse();
    assertThat(limiter.acquire(new Charge(HUNDRED, "a", 100)).retryAfter())
        .isEqualTo(Duration.ofSeconds(2));
    assertThat(limiter.acquire(new Charge(HUNDRED, "a", 101)).retryAfter())
        .isEqualTo(Decision.NEVER);
    assertThat(store.calls).isZero();
    assertThat(decidedHere)
        .containsExactly(
            "refused, lowered alone", "refused, lowered alone", "refused", "refused", "refused");

    ticker.advance(Duration.ofMillis(1_999));
    assertThat(limiter.acquire(Charge.of(HUNDRED, "a")).retryAfter())
        .isEqualTo(Duration.ofMillis(1));
    ticker.advance(Duration.ofMillis(1));
    assertThat(admitted(HUNDRED, 100)).as("by the store, above the floor").isEqualTo(75);
  }

  @Test
  void asksTheStoreForWhatTheLoweredLimitHolds() {
    isLost();
    assertThat(admitted(QUICK, 30)).isEqualTo(25);
    ticker.advance(Duration.ofMillis(600));
    comesBack();
    assertThat(limiter.acquire(Charge.of(QUICK, "a")).retryAfter())
        .as("until its own units end")
        .isEqualTo(Duration.ofMillis(400));
    assertThat(limiter.acquire(new Charge(QUICK, "a", 25)).retryAfter())
        .isEqualTo(Duration.ofMillis(400));
    assertThat(limiter.acquire(new Charge(QUICK, "a", 26)).retryAfter())
        .as("more than the lowered limit")
        .isEqualTo(Duration.ofSeconds(2));

    ticker.advance(Duration.ofMillis(400));
    Decision asked = limiter.acquire(Charge.of(QUICK, "a"));
    assertThat(asked.source()).isEqualTo(Source.SHARED);
    assertThat(asked.usages().get(0).quota()).isEqualTo(100);
    assertThat(admitted(QUICK, 100)).isEqualTo(24);
    assertThat(store.calls).isEqualTo(25);
  }

  @Test
  void whoWasNotRefusedAsksTheStoreAtOnce() {
    isLost();
    assertThat(admitted(HUNDRED, 25)).isEqualTo(25);
    comesBack();
    assertThat(limiter.acquire(Charge.of(HUNDRED, "a")).source()).isEqualTo(Source.SHARED);
    assertThat(admitted(HUNDRED, 100)).isEqualTo(74);
  }

  @Test
  void aRefusalFromBeforeTheOutageIsNone() {
    store.fault = StoreFault.TIMEOUT;
    assertThat(admitted(HUNDRED, 30)).as("call by call").isEqualTo(25);
    store.fault = null;
    ticker.advance(Duration.ofMillis(1));
    isLost();
    comesBack();
    assertThat(admitted(HUNDRED, 100)).isEqualTo(75);
  }

  @Test
  void aRefusalOfAnEarlierOutageIsNone() {
    isLost();
    admitted(HUNDRED, 30);
    comesBack();
    ticker.advance(Duration.ofSeconds(3));
    isLost();
    comesBack();
    assertThat(admitted(HUNDRED, 100)).isEqualTo(75);
  }

  @Test
  void aStoreThatIsLostAgainAtOnceIsAnOutageLikeAnyOther() {
    assertThat(admitted(QUICK, 20)).as("by the store").isEqualTo(20);
    isLost();
    comesBack();
    isLost();
    Decision dear = limiter.acquire(new Charge(QUICK, "a", 26));
    assertThat(dear.retryAfter()).isEqualTo(QUICK.retryAfterHint());
    assertThat(limiter.acquire(new Charge(QUICK, "a", 5)).allowed()).isTrue();
    assertThat(limiter.acquire(new Charge(QUICK, "a", 26)).retryAfter())
        .as("not until the two seconds of a return are over, for there was none")
        .isEqualTo(QUICK.retryAfterHint());
  }

  @Test
  void aFullQuotaIsNotLowered() {
    DegradedLimiter alone = DegradedLimiter.over(store).ticker(ticker::read).build();
    open(alone);
    ticker.advance(Duration.ofSeconds(10));
    alone.gate(FakeStore.NODE).sample(Samples.failed(StoreFault.READONLY));
    for (int i = 0; i < 101; i++) {
      alone.acquire(Charge.of(HUNDRED, "a"));
    }
    open(alone);
    Decision refused = alone.acquire(Charge.of(HUNDRED, "a"));
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.source()).as("by the floor").isEqualTo(Source.SHARED);
  }

  @Test
  void looksAskTheStore() {
    isLost();
    admitted(HUNDRED, 30);
    comesBack();
    assertThat(limiter.acquire(new Charge(HUNDRED, "a", 0)).source()).isEqualTo(Source.SHARED);
    assertThat(limiter.usage(HUNDRED, "a").get(0).quota()).isEqualTo(100);
  }

  @Test
  void aRefundAndAResetMakeRoomAtOnce() {
    isLost();
    Decision first = limiter.acquire(new Charge(HUNDRED, "a", 5));
    admitted(HUNDRED, 30);
    comesBack();
    limiter.refund(first, 2);
    assertThat(admitted(HUNDRED, 10)).isEqualTo(2);
    limiter.reset(HUNDRED, "a");
    assertThat(admitted(HUNDRED, 30)).as("nothing is known of it any more").isEqualTo(30);
  }

  @Test
  void otherLimitsOfTheSameNameAreNotConcerned() {
    isLost();
    admitted(HUNDRED, 30);
    comesBack();
    Policy wider = Policy.named("hundred").limits("200/1m").build();
    assertThat(limiter.acquire(Charge.of(wider, "a")).source()).isEqualTo(Source.SHARED);
  }

  @Test
  void refusesAllOrNone() {
    Policy ceiling = Policy.named("ceiling").limits("1000/1m").scope(Scope.INSTANCE).build();
    Policy other = Policy.named("other").limits("100/1m").build();
    isLost();
    admitted(HUNDRED, 30);
    comesBack();

    Decision both = limiter.acquire(List.of(Charge.of(other, "a"), Charge.of(HUNDRED, "a")));
    assertThat(both.allowed()).isFalse();
    Decision withCeiling =
        limiter.acquire(List.of(Charge.of(ceiling, "a"), Charge.of(HUNDRED, "a")));
    assertThat(withCeiling.allowed()).isFalse();
    assertThat(store.calls).isZero();
    assertThat(limiter.usage(ceiling, "a").get(0).remaining()).isEqualTo(1_000);
    assertThat(limiter.usage(other, "a").get(0).remaining()).isEqualTo(100);
  }

  private int admitted(Policy policy, int tries) {
    int admitted = 0;
    for (int i = 0; i < tries; i++) {
      admitted += limiter.acquire(Charge.of(policy, "a")).allowed() ? 1 : 0;
    }
    return admitted;
  }

  private void isLost() {
    limiter.gate(FakeStore.NODE).sample(Samples.failed(StoreFault.READONLY));
  }

  private void comesBack() {
    store.flush();
    open(limiter);
    store.calls = 0;
  }

  private static void open(DegradedLimiter limiter) {
    for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
      limiter.gate(FakeStore.NODE).probed(1, null);
    }
  }

  private long millis() {
    return Duration.ofNanos(ticker.read()).toMillis();
  }
}
