package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Source;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What a fleet may admit while its store is lost and found again, at random. */
class FleetBoundPropertyTest {

  private static final Duration WINDOW = Duration.ofSeconds(10);

  private record Admission(long at, long cost, boolean byStore) {}

  /**
   * In any window at all the store admits at most {@code q} (it forgets nothing here), and the
   * instances at most {@code n · max(1, floor(safety · q / n))} by themselves.
   */
  @Property(tries = 1_000)
  void keepsWithinTheBound(
      @ForAll @IntRange(min = 1, max = 16) int instances,
      @ForAll @IntRange(min = 1, max = 200) int quota,
      @ForAll @IntRange(min = 1, max = 2) int safetyHalves,
      @ForAll long seed) {
    double safety = safetyHalves / 2.0;
    Random random = new Random(seed);
    Policy policy = Policy.named("p").limits(quota + "/10s").safety(safety).build();
    FakeTicker ticker = new FakeTicker();
    FakeStore store = new FakeStore(() -> Duration.ofNanos(ticker.read()).toMillis());
    List<DegradedLimiter> fleet = new ArrayList<>();
    for (int i = 0; i < instances; i++) {
      fleet.add(DegradedLimiter.over(store).fleetSize(instances).ticker(ticker::read).build());
    }
    List<Admission> admissions = new ArrayList<>();
    for (int step = 0; step < 400; step++) {
      ticker.advance(Duration.ofMillis(random.nextInt(200)));
      DegradedLimiter one = fleet.get(random.nextInt(instances));
      if (random.nextInt(10) == 0) {
        turn(one, random.nextBoolean());
      }
      store.fault = random.nextInt(20) == 0 ? StoreFault.TIMEOUT : null;
      store.executesWhatFails = random.nextBoolean();
      long cost = 1L + random.nextInt(random.nextInt(4) == 0 ? quota : 1);
      Decision decision = one.acquire(new Charge(policy, "key", cost));
      if (decision.allowed()) {
        boolean byStore = decision.source() == Source.SHARED;
        admissions.add(new Admission(Duration.ofNanos(ticker.read()).toMillis(), cost, byStore));
      }
    }
    long local = instances * Math.max(1, (long) Math.floor(safety * quota / instances + 1e-9));
    assertThat(mostInAWindow(admissions, true)).isLessThanOrEqualTo(quota);
    assertThat(mostInAWindow(admissions, false)).isLessThanOrEqualTo(local);
  }

  private static void turn(DegradedLimiter instance, boolean open) {
    HealthGate gate = instance.gate(FakeStore.NODE);
    if (open) {
      for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
        gate.probed(1, null);
      }
    } else {
      gate.sample(Samples.failed(StoreFault.READONLY));
    }
  }

  private static long mostInAWindow(List<Admission> admissions, boolean byStore) {
    List<Admission> counted = admissions.stream().filter(a -> a.byStore() == byStore).toList();
    long most = 0;
    long inside = 0;
    int first = 0;
    for (Admission last : counted) {
      inside += last.cost();
      while (counted.get(first).at() + WINDOW.toMillis() <= last.at()) {
        inside -= counted.get(first).cost();
        first++;
      }
      most = Math.max(most, inside);
    }
    return most;
  }
}
