package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import io.github.limiterkit.store.Fleet;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetSizeTest {

  private final FakeTicker ticker = new FakeTicker();
  private final FleetSize size = new FleetSize(3, this::millis, 50);

  @Test
  void isAsConfiguredBeforeAnythingIsKnown() {
    assertThat(size.size()).isEqualTo(3);
    assertThat(size.rule().share()).isEqualTo(1.0 / 3);
    assertThat(size.lastHeard().missing()).isZero();
  }

  @Test
  void isNeverBelowWhatWasConfigured() {
    assertThat(hear(alive(1))).isFalse();
    assertThat(size.size()).isEqualTo(3);
  }

  @Test
  void followsTheFleetUp() {
    assertThat(hear(alive(5))).isTrue();
    assertThat(size.size()).isEqualTo(5);
    assertThat(size.rule().share()).isEqualTo(1.0 / 5);
  }

  @Test
  void remembersForAnHourHowManyThereWere() {
    hear(alive(5));
    ticker.advance(Duration.ofMinutes(60));
    hear(alive(2));
    assertThat(size.size()).isEqualTo(5);
    ticker.advance(Duration.ofMinutes(1));
    assertThat(hear(alive(2))).isTrue();
    assertThat(size.size()).isEqualTo(3);
  }

  @Test
  void staysAsItIsWhileNothingIsHeard() {
    hear(alive(5));
    ticker.advance(Duration.ofHours(9));
    assertThat(size.size()).isEqualTo(5);
  }

  @Test
  void takesTheStoresWordForWhatItHasNotSeenItself() {
    hear(new Fleet(2, 0, 7));
    assertThat(size.size()).isEqualTo(7);
  }

  @Test
  void remembersWhatTheStoreHasForgotten() {
    hear(new Fleet(6, 0, 6));
    hear(new Fleet(1, 0, 1));
    assertThat(size.size()).isEqualTo(6);
  }

  @Test
  void doesNotCountTheMissingTwice() {
    hear(new Fleet(4, 3, 4));
    assertThat(size.size()).isEqualTo(4);
    assertThat(size.lastHeard().missing()).isEqualTo(3);
  }

  @Test
  void theLimiterDividesByIt() {
    FakeStore store = new FakeStore(() -> 1_000);
    DegradedLimiter limiter = DegradedLimiter.over(store).ticker(ticker::read).build();
    Policy policy = Policy.named("p").limits("100/1m").build();
    store.fleet = new Fleet(4, 0, 4);
    limiter.heartbeat(FakeStore.NODE);
    assertThat(limiter.fleetSize()).isEqualTo(4);
    assertThat(limiter.acquire(Charge.of(policy, "a")).usages().get(0).quota()).isEqualTo(25);
  }

  @Test
  void aLargerFleetProbesLessOften() {
    FakeStore store = new FakeStore(() -> 1_000);
    DegradedLimiter limiter = DegradedLimiter.over(store).ticker(ticker::read).build();
    store.fleet = new Fleet(2_000, 0, 2_000);
    limiter.heartbeat(FakeStore.NODE);
    HealthGate gate = limiter.gate(FakeStore.NODE);
    gate.probed(1, Samples.failed(StoreFault.TIMEOUT).fault());
    long longest = 0;
    for (int i = 0; i < 20; i++) {
      longest = Math.max(longest, gate.nextProbeNanos());
    }
    assertThat(Duration.ofNanos(longest)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
  }

  @Test
  void tellsWhatBecameOfEachHeartbeat() {
    FakeStore store = new FakeStore(() -> 1_000);
    List<Object> told = new ArrayList<>();
    DegradedLimiter limiter =
        DegradedLimiter.over(store)
            .listener(
                new DegradedListener() {
                  @Override
                  public void heartbeat(String node, Fleet fleet) {
                    told.add(fleet);
                  }

                  @Override
                  public void heartbeatFailed(String node, StoreException failure) {
                    told.add(failure.fault());
                  }
                })
            .build();
    limiter.heartbeat(FakeStore.NODE);
    store.fault = StoreFault.PERMISSION;
    limiter.heartbeat(FakeStore.NODE);
    assertThat(told).containsExactly(store.fleet, StoreFault.PERMISSION);
  }

  @Test
  void leavesOnlyIfTheStoreIsInUse() {
    FakeStore shut = new FakeStore(() -> 1_000);
    DegradedLimiter.over(shut).build().close();
    assertThat(shut.left).isFalse();

    FakeStore open = new FakeStore(() -> 1_000);
    DegradedLimiter limiter = DegradedLimiter.over(open).build();
    for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
      limiter.gate(FakeStore.NODE).probed(1, null);
    }
    limiter.close();
    assertThat(open.left).isTrue();
  }

  @Test
  void wasWholeIfNobodyWasMissingForAWhile() {
    beatEverySecond(13, 0);
    assertThat(size.wasWhole(millis(), 10_000)).isTrue();
    assertThat(size.wasWhole(millis(), 10_001)).as("12 s are not 12.001").isFalse();
  }

  @Test
  void wasNotWholeIfSomebodyWasMissingBefore() {
    beatEverySecond(13, 0);
    beatEverySecond(1, 1);
    assertThat(size.wasWhole(millis(), 5_000)).isFalse();
    beatEverySecond(7, 0);
    assertThat(size.wasWhole(millis(), 5_000)).isFalse();
    beatEverySecond(1, 0);
    assertThat(size.wasWhole(millis(), 5_000)).isTrue();
  }

  @Test
  void knowsNothingOfTheFleetAfterASilenceOfItsOwn() {
    beatEverySecond(13, 0);
    ticker.advance(Duration.ofMillis(1_950));
    assertThat(size.wasWhole(millis(), 5_000)).isTrue();
    ticker.advance(Duration.ofMillis(1));
    assertThat(size.wasWhole(millis(), 5_000)).as("too old").isFalse();
    hear(alive(1));
    assertThat(size.wasWhole(millis(), 5_000)).as("who knows what was in between").isFalse();
  }

  @Test
  void bearsASilenceThatIsNoLongerThanMayBe() {
    beatEverySecond(13, 0);
    ticker.advance(Duration.ofMillis(1_950));
    hear(alive(3));
    assertThat(size.wasWhole(millis(), 5_000)).isTrue();
  }

  @Test
  void remembersForAnHourAtAnyTime() {
    ticker.advance(Duration.ofHours(5));
    hear(alive(6));
    ticker.advance(Duration.ofMinutes(60));
    hear(new Fleet(1, 0, 1));
    assertThat(size.size()).isEqualTo(6);
    ticker.advance(Duration.ofMinutes(1));
    hear(new Fleet(1, 0, 1));
    assertThat(size.size()).isLessThan(6);
  }

  @Test
  void wasNeverWholeBeforeTheFirstHeartbeat() {
    assertThat(size.wasWhole(millis(), 0)).isFalse();
  }

  private void beatEverySecond(int times, int missing) {
    for (int i = 0; i < times; i++) {
      ticker.advance(Duration.ofSeconds(1));
      hear(new Fleet(3, missing, 3));
    }
  }

  private long millis() {
    return Duration.ofNanos(ticker.read()).toMillis();
  }

  private boolean hear(Fleet fleet) {
    return size.hear(fleet, millis());
  }

  private static Fleet alive(int instances) {
    return new Fleet(instances, 0, instances);
  }
}
