package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
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

  /** What was admitted, and what of it has not been given back. */
  private static final class Admission {
    final DegradedLimiter by;
    final Decision decision;
    final long at;
    long used;

    Admission(DegradedLimiter by, Decision decision, long at, long cost) {
      this.by = by;
      this.decision = decision;
      this.at = at;
      this.used = cost;
    }

    boolean isFrom(Source source) {
      return decision.source() == source;
    }
  }

  /**
   * In any window at all the store admits at most {@code q} (it forgets nothing here), and the
   * instances at most {@code n · max(1, floor(safety · q / n))} by themselves; units that were
   * given back make room for others, and for no more than that.
   */
  @Property(tries = 1_000)
  void keepsWithinTheBound(
      @ForAll @IntRange(min = 1, max = 16) int instances,
      @ForAll @IntRange(min = 1, max = 200) int quota,
      @ForAll @IntRange(min = 1, max = 2) int safetyHalves,
      @ForAll @IntRange(min = 0, max = 2) int refundsOfThree,
      @ForAll long seed) {
    double safety = safetyHalves / 2.0;
    Random random = new Random(seed);
    Policy policy = Policy.named("p").limits(quota + "/10s").safety(safety).build();
    long local = instances * Math.max(1, (long) Math.floor(safety * quota / instances + 1e-9));
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
      RateLimiter asked = random.nextInt(8) == 0 ? one.alone() : one;
      Decision decision = asked.acquire(new Charge(policy, "key", cost));
      if (decision.allowed()) {
        long now = Duration.ofNanos(ticker.read()).toMillis();
        admissions.add(new Admission(one, decision, now, cost));
        assertThat(usedInTheWindowBefore(now, admissions, Source.SHARED))
            .isLessThanOrEqualTo(quota);
        assertThat(usedInTheWindowBefore(now, admissions, Source.LOCAL)).isLessThanOrEqualTo(local);
      }
      if (!admissions.isEmpty() && random.nextInt(3) < refundsOfThree) {
        refund(admissions.get(random.nextInt(admissions.size())));
      }
    }
  }

  private static void refund(Admission some) {
    some.used -= some.by.refund(some.decision).units();
    assertThat(some.used).isNotNegative();
  }

  /** Every window that holds most ends with an admission. */
  private static long usedInTheWindowBefore(long now, List<Admission> admissions, Source source) {
    long used = 0;
    for (int i = admissions.size() - 1; i >= 0; i--) {
      Admission admission = admissions.get(i);
      if (admission.at + WINDOW.toMillis() <= now) {
        break;
      }
      used += admission.isFrom(source) ? admission.used : 0;
    }
    return used;
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
}
