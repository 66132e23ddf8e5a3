package io.github.limiterkit.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Reset;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What can be given back of what was counted in memory, and what can be forgotten. */
class LocalLimiterRefundTest {

  private static final Policy COARSE = Policy.named("coarse").limits("1000/1m").build();

  private final AtomicLong nanos = new AtomicLong();
  private final LocalLimiter limiter = new LocalLimiter(nanos::get, 2);

  @Test
  void aReceiptIsNoGoodForLogsThatTookThePlaceOfItsOwn() {
    Decision evicted = limiter.acquire(new Charge(COARSE, "a", 2));
    limiter.acquire(new Charge(COARSE, "b", 500));
    limiter.acquire(new Charge(COARSE, "c", 500));
    assertThat(remaining("a")).as("the least used key made room").isEqualTo(1_000);
    limiter.acquire(new Charge(COARSE, "a", 700));
    assertThat(limiter.refund(evicted)).isEqualTo(Refund.NOTHING);
    assertThat(remaining("a")).isEqualTo(300);
  }

  @Test
  void aReceiptOfBeforeAResetIsNoGoodAfterIt() {
    Decision before = limiter.acquire(new Charge(COARSE, "a", 5));
    assertThat(limiter.reset(COARSE, "a")).isEqualTo(Reset.DONE);
    assertThat(remaining("a")).isEqualTo(1_000);
    limiter.acquire(new Charge(COARSE, "a", 5));
    assertThat(limiter.refund(before)).isEqualTo(Refund.NOTHING);
    assertThat(remaining("a")).isEqualTo(995);
  }

  @Test
  void aResetOfAKeyThatNobodyKnowsMakesNoRoomForIt() {
    assertThat(limiter.reset(COARSE, "a")).isEqualTo(Reset.DONE);
    assertThat(limiter.size()).isZero();
  }

  @Test
  void aLookPushesNobodyOut() {
    limiter.acquire(new Charge(COARSE, "a", 5));
    limiter.acquire(new Charge(COARSE, "b", 5));
    assertThat(limiter.usage(COARSE, "c").get(0).remaining()).isEqualTo(1_000);
    assertThat(remaining("a")).isEqualTo(995);
    assertThat(remaining("b")).isEqualTo(995);
    assertThat(limiter.forgottenUnits()).isZero();
  }

  @Test
  void aKeyWhoseUnitsAllCameBackIsDropped() {
    limiter.refund(limiter.acquire(new Charge(COARSE, "a", 5)));
    assertThat(limiter.sweep()).isEqualTo(1);
    assertThat(limiter.forgottenUnits()).isZero();
  }

  @Test
  void anotherLimiterGivesNothingBack() {
    LocalLimiter other = new LocalLimiter(nanos::get, 2);
    other.acquire(new Charge(COARSE, "a", 5));
    assertThat(other.refund(limiter.acquire(new Charge(COARSE, "a", 5)))).isEqualTo(Refund.NOTHING);
    assertThat(other.usage(COARSE, "a").get(0).remaining()).isEqualTo(995);
  }

  @Test
  void aWindowThatThePolicyNoLongerHasGetsItsUnitsBackToo() {
    Policy before = Policy.named("p").limits("10/1h, 5/1m").build();
    Policy after = Policy.named("p").limits("10/1h").build();
    Decision decision = limiter.acquire(Charge.of(before, "a"));
    limiter.acquire(Charge.of(after, "a"));
    assertThat(limiter.refund(decision).units()).isEqualTo(1);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(limiter.usage(before, "a"))
        .extracting(usage -> usage.quota() - usage.remaining())
        .containsExactly(1L, 0L);
  }

  @Test
  void refusesUnitsOutOfRange() {
    Decision decision = limiter.acquire(Charge.of(COARSE, "a"));
    assertThatThrownBy(() -> limiter.refund(decision, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a refund of -1 units is outside 0 to 4000000000");
    assertThat(limiter.refund(decision, 0)).isEqualTo(Refund.NOTHING);
    assertThat(limiter.refund(decision).givenBack()).isEqualTo(List.of(Charge.of(COARSE, "a")));
  }

  private long remaining(String key) {
    return limiter.usage(COARSE, key).get(0).remaining();
  }
}
