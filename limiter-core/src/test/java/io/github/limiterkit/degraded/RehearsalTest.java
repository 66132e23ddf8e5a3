package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import io.github.limiterkit.WhenStoreFails;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the local rule would have said while the store decides, and refusals by the floor. */
class RehearsalTest {

  private static final Policy EIGHT = Policy.named("eight").limits("8/1m").build();

  private final FakeTicker ticker = new FakeTicker();
  private final FakeStore store =
      new FakeStore(() -> Duration.ofNanos(ticker.read()).toMillis() + 1_000);
  private int stricter;
  private int laxer;
  private int byFloor;
  private final DegradedLimiter limiter =
      instance(
          new DegradedListener() {
            @Override
            public void rehearsedStricter() {
              stricter++;
            }

            @Override
            public void rehearsedLaxer() {
              laxer++;
            }

            @Override
            public void floorRefusal() {
              byFloor++;
            }
          });

  @BeforeEach
  void storeAnswers() {
    open(limiter);
  }

  @Test
  void isStricterOnceAnInstanceIsAboveItsShare() {
    ask(EIGHT, 2);
    assertThat(stricter).as("2 are a quarter of 8").isZero();
    ask(EIGHT, 6);
    assertThat(stricter).isEqualTo(6);
    assertThat(laxer).isZero();
  }

  @Test
  void isLaxerWhereOthersUsedUpTheQuota() {
    DegradedLimiter other = instance(DegradedListener.NONE);
    open(other);
    other.acquire(new Charge(EIGHT, "a", 8));
    ask(EIGHT, 1);
    assertThat(laxer).isEqualTo(1);
    assertThat(stricter).isZero();
  }

  @Test
  void followsThePosture() {
    ask(Policy.named("open").limits("1/1m").whenStoreFails(WhenStoreFails.OPEN).build(), 2);
    assertThat(laxer).as("the second would pass").isEqualTo(1);
    ask(Policy.named("closed").limits("1/1m").whenStoreFails(WhenStoreFails.CLOSED).build(), 1);
    assertThat(stricter).isEqualTo(1);
  }

  @Test
  void aLookIsNoRehearsal() {
    ask(EIGHT, 8);
    int before = stricter;
    limiter.acquire(new Charge(EIGHT, "a", 0));
    assertThat(stricter).isEqualTo(before);
  }

  @Test
  void countsWhatOnlyTheFloorRefused() {
    ask(EIGHT, 8);
    store.flush();
    ask(EIGHT, 1);
    assertThat(byFloor).isEqualTo(1);
  }

  private void ask(Policy policy, int times) {
    for (int i = 0; i < times; i++) {
      limiter.acquire(Charge.of(policy, "a"));
    }
  }

  private DegradedLimiter instance(DegradedListener listener) {
    return DegradedLimiter.over(store).fleetSize(4).ticker(ticker::read).listener(listener).build();
  }

  private static void open(DegradedLimiter limiter) {
    for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
      limiter.gate(FakeStore.NODE).probed(1, null);
    }
  }
}
