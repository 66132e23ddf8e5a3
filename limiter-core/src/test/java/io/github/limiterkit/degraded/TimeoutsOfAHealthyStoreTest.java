package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Source;
import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A store that is well, but one in a hundred of its calls times out, decided by it or not. A client
 * that uses 800 of its 1,000 in ten seconds is decided here for once, and must not be refused for
 * it: not where it always comes to the same instance, and not where it comes to all four.
 */
class TimeoutsOfAHealthyStoreTest {

  private static final int INSTANCES = 4;
  private static final Policy POLICY = Policy.named("p").limits("1000/10s").build();
  private static final Duration BETWEEN = Duration.ofMillis(10_000 / 800);

  /** Until a whole epoch has been seen. */
  private static final Duration WARM = Duration.ofSeconds(30);

  private final FakeTicker ticker = new FakeTicker();
  private final SimulatedStore store = new SimulatedStore(this::millis);
  private final List<SimulatedStore.Link> links = new ArrayList<>();
  private final List<DegradedLimiter> fleet = new ArrayList<>();
  private final long[] nextBeat = new long[INSTANCES];
  private final boolean[] heardBefore = new boolean[INSTANCES];
  private long blips;
  private long refused;

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 2", "4, 3", "4, 4"})
  void refuseNobodyWhoKeepsToTheLimit(int instancesOfClient, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < INSTANCES; i++) {
      links.add(store.new Link());
      fleet.add(
          DegradedLimiter.over(links.get(i)).fleetSize(INSTANCES).ticker(ticker::read).build());
      open(fleet.get(i));
    }
    long end = millis() + WARM.toMillis() + Duration.ofMinutes(20).toMillis();
    long warm = millis() + WARM.toMillis();
    while (millis() < end) {
      ticker.advance(BETWEEN);
      for (int i = 0; i < INSTANCES; i++) {
        if (millis() >= nextBeat[i]) {
          heartbeat(i, random);
        }
      }
      ask(random.nextInt(instancesOfClient), random, millis() >= warm);
    }
    assertThat(blips).as("calls that timed out").isBetween(700L, 1_300L);
    assertThat(refused).as("of %d refused", blips).isLessThan(blips / 100);
  }

  private void ask(int instance, Random random, boolean counts) {
    boolean fails = timesOut(instance, random);
    Decision decision = fleet.get(instance).acquire(Charge.of(POLICY, "client"));
    if (decision.source() == Source.LOCAL && counts) {
      blips++;
      refused += decision.allowed() ? 0 : 1;
    } else if (counts) {
      assertThat(decision.allowed()).as("by the store").isTrue();
    }
    sample(instance, fails);
  }

  private void heartbeat(int instance, Random random) {
    boolean fails = timesOut(instance, random);
    boolean heard = fleet.get(instance).heartbeat(SimulatedStore.NODE);
    sample(instance, fails);
    Duration deadline = links.get(instance).deadline();
    long rest = Prober.restNanos(heardBefore[instance], heard, deadline);
    heardBefore[instance] = heard;
    nextBeat[instance] =
        millis() + Duration.ofNanos(rest).toMillis() + (fails ? deadline.toMillis() : 0);
  }

  private boolean timesOut(int instance, Random random) {
    boolean fails = random.nextInt(100) == 0;
    links.get(instance).failsOnce = fails;
    links.get(instance).executesWhatFails = random.nextBoolean();
    return fails;
  }

  private void sample(int instance, boolean failed) {
    StoreException fault = failed ? new StoreException(StoreFault.TIMEOUT, "in a test") : null;
    HealthGate gate = fleet.get(instance).gate(SimulatedStore.NODE);
    gate.sample(new Sample(SimulatedStore.NODE, 1_000_000, fault, false));
    assertThat(gate.isOpen()).as("a store that is well").isTrue();
  }

  private long millis() {
    return 1_700_000_000_000L + Duration.ofNanos(ticker.read()).toMillis();
  }

  private static void open(DegradedLimiter limiter) {
    for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
      limiter.gate(SimulatedStore.NODE).probed(1, null);
    }
  }
}
