package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Reset;
import io.github.limiterkit.Source;
import io.github.limiterkit.WhenStoreFails;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Starting afresh with one key, and looking at it. */
class ResetAndUsageTest {

  private static final Policy TEN = Policy.named("ten").limits("10/1m, 20/1h").build();

  private final FakeTicker ticker = new FakeTicker();
  private final FakeStore store = new FakeStore(() -> 1_700_000_000_000L + millis());
  private final DegradedLimiter limiter = open();

  @Test
  void startsAfreshInTheStoreAndHere() {
    ask(limiter, 10);
    assertThat(ask(limiter, 1).allowed()).isFalse();
    assertThat(ask(limiter, 1).source()).isEqualTo(Source.DENY_CACHE);
    assertThat(limiter.reset(TEN, "a")).isEqualTo(Reset.DONE);
    ticker.advance(Duration.ofMillis(1));
    assertThat(ask(limiter, 10).allowed()).isTrue();
    assertThat(ask(limiter, 1).allowed()).isFalse();
  }

  @Test
  void otherKeysAreLeftAlone() {
    ask(limiter, 10);
    limiter.reset(TEN, "b");
    assertThat(ask(limiter, 1).allowed()).isFalse();
  }

  @Test
  void startsAfreshHereIfTheStoreIsNotReached() {
    shutGate(limiter);
    ask(limiter, 10);
    assertThat(ask(limiter, 1).allowed()).isFalse();
    assertThat(limiter.reset(TEN, "a")).isEqualTo(Reset.STORE_NOT_REACHED);
    assertThat(ask(limiter, 10).allowed()).isTrue();
    assertThat(store.calls).isZero();
  }

  @Test
  void saysSoIfTheStoreDoesNotAnswer() {
    ask(limiter, 10);
    store.fault = StoreFault.TIMEOUT;
    assertThat(limiter.reset(TEN, "a")).isEqualTo(Reset.STORE_NOT_REACHED);
    store.fault = null;
    assertThat(ask(limiter, 1).allowed()).as("the store goes on counting").isFalse();
  }

  @Test
  void otherInstancesFollowWithTheirNextDecision() {
    DegradedLimiter pinned = open();
    ask(pinned, 10);
    ticker.advance(Duration.ofMillis(1));
    limiter.reset(TEN, "a");
    ticker.advance(Duration.ofMillis(1));
    Decision held = ask(pinned, 1);
    assertThat(held.allowed()).as("by what it admitted itself").isFalse();
    assertThat(held.retryAfterMillis()).as("and knows better by now").isEqualTo(1);
    assertThat(ask(pinned, 10).allowed()).isTrue();
    store.flush();
    assertThat(ask(pinned, 1).allowed()).as("what came after the reset is its floor").isFalse();
  }

  @Test
  void otherInstancesForgetWhatTheyDecidedThemselvesBeforeAndNothingSince() {
    DegradedLimiter pinned = open();
    ask(pinned, 1);
    shutGate(pinned);
    ask(pinned, 4);
    ticker.advance(Duration.ofSeconds(1));
    limiter.reset(TEN, "a");
    ticker.advance(Duration.ofSeconds(1));
    ask(pinned, 3);
    openGate(pinned);
    ask(pinned, 1);
    shutGate(pinned);
    assertThat(pinned.usage(TEN, "a").get(0).remaining()).isEqualTo(6);
  }

  @Test
  void aReceiptOfBeforeIsNoGoodAfterwards() {
    Decision before = ask(limiter, 5);
    ticker.advance(Duration.ofMillis(1));
    limiter.reset(TEN, "a");
    ask(limiter, 5);
    assertThat(limiter.refund(before)).isEqualTo(Refund.NOTHING);
    assertThat(limiter.usage(TEN, "a").get(0).remaining()).isEqualTo(5);
  }

  @Test
  void aLookChargesNothingAndLeavesNoTrace() {
    assertThat(limiter.usage(TEN, "a"))
        .containsExactly(
            new LimitUsage(new Charge(TEN, "a", 0), 0, 10, 10, 0, 0, Source.SHARED),
            new LimitUsage(new Charge(TEN, "a", 0), 1, 20, 20, 0, 0, Source.SHARED));
    assertThat(limiter.keys()).isZero();
    ask(limiter, 3);
    ticker.advance(Duration.ofSeconds(10));
    for (int i = 0; i < 2; i++) {
      assertThat(limiter.usage(TEN, "a"))
          .containsExactly(
              new LimitUsage(new Charge(TEN, "a", 0), 0, 10, 7, 0, 50_000, Source.SHARED),
              new LimitUsage(new Charge(TEN, "a", 0), 1, 20, 17, 0, 3_590_000, Source.SHARED));
    }
  }

  @Test
  void aLookSeesTheLocalRuleWhileTheStoreIsGone() {
    DegradedLimiter ofTwo = DegradedLimiter.over(store).fleetSize(2).ticker(ticker::read).build();
    assertThat(ofTwo.usage(TEN, "a").get(0))
        .isEqualTo(new LimitUsage(new Charge(TEN, "a", 0), 0, 5, 5, 0, 0, Source.LOCAL));
    assertThat(ofTwo.keys()).isZero();
    ask(ofTwo, 2);
    assertThat(ofTwo.usage(TEN, "a").get(0).remaining()).isEqualTo(3);
    assertThat(store.calls).isZero();
  }

  @Test
  void aLookAtWhatIsLetPassUncountedSeesNoLimit() {
    Policy open = Policy.named("open").limits("1/1m").whenStoreFails(WhenStoreFails.OPEN).build();
    shutGate(limiter);
    assertThat(limiter.usage(open, "a")).isEmpty();
  }

  private static Decision ask(DegradedLimiter whom, long cost) {
    return whom.acquire(new Charge(TEN, "a", cost));
  }

  private DegradedLimiter open() {
    DegradedLimiter opened = DegradedLimiter.over(store).ticker(ticker::read).build();
    openGate(opened);
    return opened;
  }

  private static void openGate(DegradedLimiter limiter) {
    for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
      limiter.gate(FakeStore.NODE).probed(1, null);
    }
  }

  private static void shutGate(DegradedLimiter limiter) {
    limiter.gate(FakeStore.NODE).sample(Samples.failed(StoreFault.READONLY));
  }

  private long millis() {
    return Duration.ofNanos(ticker.read()).toMillis();
  }
}
