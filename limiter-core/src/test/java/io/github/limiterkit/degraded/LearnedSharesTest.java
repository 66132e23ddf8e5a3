package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Source;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A client that is pinned to one of four instances, and every reason to divide equally all the
 * same.
 */
class LearnedSharesTest {

  private static final Policy POLICY = Policy.named("p").limits("100/5s").build();
  private static final Charge PINNED = Charge.of(POLICY, "pinned");
  private static final int PER_EPOCH = 60;

  /** {@code ½·λ + (1 - ½·λ)/4} of 100, where {@code λ = 60/70}. */
  private static final long LEARNED = 57;

  private static final long EQUAL = 25;

  private final FakeTicker ticker = new FakeTicker();
  private final SimulatedStore store =
      new SimulatedStore(() -> Duration.ofNanos(ticker.read()).toMillis() + 1_000_000);
  private final List<DegradedLimiter> fleet = new ArrayList<>();
  private final List<SimulatedStore.Link> links = new ArrayList<>();
  private DegradedLimiter home;

  @BeforeEach
  void aFleetThatHasBeenUpForAWhile() {
    for (int i = 0; i < 4; i++) {
      links.add(store.new Link());
      fleet.add(DegradedLimiter.over(links.get(i)).fleetSize(4).ticker(ticker::read).build());
      open(fleet.get(i));
    }
    home = fleet.get(0);
    seconds(15);
  }

  @Test
  void aPinnedClientKeepsMostOfWhatItIsUsedTo() {
    shut();
    assertThat(quotaHere()).isEqualTo(LEARNED);
  }

  @Test
  void whoHadNothingOfAKeyHasAnEqualShare() {
    DegradedLimiter other = fleet.get(1);
    other.gate(SimulatedStore.NODE).sample(Samples.failed(StoreFault.READONLY));
    assertThat(other.acquire(PINNED).usages().get(0).quota()).isEqualTo(EQUAL);
  }

  @Test
  void whoHadALittleHasLessThanAnEqualShare() {
    DegradedLimiter other = fleet.get(1);
    assertThat(other.acquire(new Charge(POLICY, "pinned", 1)).source()).isEqualTo(Source.SHARED);
    other.gate(SimulatedStore.NODE).sample(Samples.failed(StoreFault.READONLY));
    assertThat(other.acquire(PINNED).usages().get(0).quota())
        .as("½·λ·0 + (1 - ½·λ)/4 of 100")
        .isEqualTo(14);
  }

  @Test
  void theShareDoesNotChangeWhileTheStoreIsLost() {
    shut();
    ticker.advance(Duration.ofMinutes(59));
    assertThat(quotaHere()).isEqualTo(LEARNED);
    ticker.advance(Duration.ofMinutes(1));
    assertThat(quotaHere()).as("an hour later nobody knows").isEqualTo(EQUAL);
  }

  @Test
  void whatWasAdmittedBeforeCountsAgainstAllThatIsItsDue() {
    shut();
    int admitted = 0;
    for (int i = 0; i < 100; i++) {
      admitted += home.acquire(PINNED).allowed() ? 1 : 0;
    }
    assertThat(admitted).as("of 100, 60 were admitted by the store in this window").isEqualTo(40);
  }

  @Test
  void oneCallThatFailsIsALossToo() {
    links.get(0).cut = true;
    assertThat(quotaHere()).isEqualTo(LEARNED);
  }

  @Test
  void dividesEquallyIfSomebodyWasMissing() {
    fleet.remove(3);
    seconds(4);
    shut();
    assertThat(home.missingInstances()).isEqualTo(1);
    assertThat(quotaHere()).isEqualTo(EQUAL);
  }

  @Test
  void dividesEquallyForAWhileAfterSomebodyWasMissing() {
    DegradedLimiter away = fleet.remove(3);
    seconds(4);
    fleet.add(away);
    seconds(4);
    assertThat(home.missingInstances()).isZero();
    shut();
    assertThat(quotaHere()).isEqualTo(EQUAL);
  }

  @Test
  void dividesEquallyIfTheLastHeartbeatIsOld() {
    ticker.advance(Duration.ofMillis(1_951));
    home.acquire(PINNED);
    shut();
    assertThat(quotaHere()).isEqualTo(EQUAL);
  }

  @Test
  void dividesEquallyIfTheStoreForgot() {
    store.flush();
    home.acquire(PINNED);
    shut();
    assertThat(quotaHere()).isEqualTo(EQUAL);
  }

  @Test
  void dividesEquallyIfNoReplyCameInTheEpochOfTheLoss() {
    ticker.advance(Duration.ofSeconds(1));
    fleet.forEach(each -> each.heartbeat(SimulatedStore.NODE));
    shut();
    assertThat(quotaHere()).isEqualTo(EQUAL);
  }

  @Test
  void dividesEquallyAfterTheLimitsHaveChanged() {
    shut();
    Policy other = Policy.named("p").limits("100/6s").build();
    assertThat(home.acquire(Charge.of(other, "pinned")).usages().get(0).quota()).isEqualTo(EQUAL);
  }

  /** Ends one second before an epoch does: 12 requests a second, and a heartbeat of all. */
  private void seconds(int seconds) {
    for (int s = 0; s < seconds; s++) {
      for (int i = 0; i < PER_EPOCH / 5; i++) {
        assertThat(home.acquire(PINNED).source()).isEqualTo(Source.SHARED);
      }
      if (s < seconds - 1) {
        ticker.advance(Duration.ofSeconds(1));
      }
      fleet.forEach(each -> each.heartbeat(SimulatedStore.NODE));
    }
  }

  private long quotaHere() {
    return home.acquire(PINNED).usages().get(0).quota();
  }

  private void shut() {
    home.gate(SimulatedStore.NODE).sample(Samples.failed(StoreFault.READONLY));
  }

  private static void open(DegradedLimiter limiter) {
    for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
      limiter.gate(SimulatedStore.NODE).probed(1, null);
    }
  }
}
