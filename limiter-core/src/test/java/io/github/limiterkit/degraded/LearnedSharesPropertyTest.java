package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Policy;
import io.github.limiterkit.degraded.SimulatedFleet.Admission;
import io.github.limiterkit.degraded.SimulatedFleet.Outage;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * The bounds of {@link DegradedLimiter} on fleets of 1 to 16 instances: full and partial
 * partitions, staggered losses, pinned and re-routed clients, flapping, restarts, flushes, and an
 * operator who lets some or all limit alone; any limit, any cost.
 */
class LearnedSharesPropertyTest {

  private static final AtomicLong UNEQUAL = new AtomicLong();

  @BeforeContainer
  static void forget() {
    UNEQUAL.set(0);
  }

  /** Else all of this would hold for equal shares only. */
  @AfterContainer
  static void sharesWereLearned() {
    assertThat(UNEQUAL.get()).as("decisions with more than an equal share").isPositive();
  }

  @Property(tries = 150)
  void keepsWithinTheBounds(
      @ForAll @IntRange(min = 1, max = 16) int size,
      @ForAll @IntRange(min = 1, max = 400) int quota,
      @ForAll @IntRange(min = 1, max = 2) int safetyHalves,
      @ForAll @IntRange(min = 0, max = 2) int windowKind,
      @ForAll long seed) {
    check(size, quota, safetyHalves, windowKind, seed, 300);
  }

  @Property(tries = 1_000)
  @Tag("deep")
  void keepsWithinTheBoundsInLongRuns(
      @ForAll @IntRange(min = 1, max = 16) int size,
      @ForAll @IntRange(min = 1, max = 400) int quota,
      @ForAll @IntRange(min = 1, max = 2) int safetyHalves,
      @ForAll @IntRange(min = 0, max = 2) int windowKind,
      @ForAll long seed) {
    check(size, quota, safetyHalves, windowKind, seed, 1_500);
  }

  private static void check(
      int size, int quota, int safetyHalves, int windowKind, long seed, int steps) {
    Random random = new Random(seed);
    long window = new long[] {1_000, 5_000, 20_000}[windowKind];
    double safety = safetyHalves / 2.0;
    Policy policy = Policy.named("p").limits(quota + "/" + window + "ms").safety(safety).build();
    SimulatedFleet fleet = new SimulatedFleet(size, policy, random);
    fleet.pass(3 * Math.max(window, 5_000) + 4_000);
    for (int step = 0; step < steps; step++) {
      happen(fleet, quota, window, random);
      for (int i = random.nextInt(6); i >= 0; i--) {
        fleet.request(1 + random.nextInt(random.nextInt(6) == 0 ? quota : 1 + quota / 20));
        fleet.pass(random.nextInt((int) Math.max(2, window / 20)));
      }
    }
    fleet.end();
    UNEQUAL.addAndGet(fleet.unequal);
    holds(fleet, size, quota, safety, window);
  }

  private static void happen(SimulatedFleet fleet, int quota, long window, Random random) {
    switch (random.nextInt(60)) {
      case 0 -> {
        fleet.cutAll();
        fleet.storm(quota);
      }
      case 1 -> fleet.cutSome();
      case 12, 13 -> fleet.storm(quota);
      case 2, 3, 4, 5 -> fleet.turnOne();
      case 6, 7 -> fleet.mendAll();
      case 8 -> fleet.restartOne();
      case 9 -> fleet.flush();
      case 10 -> fleet.pass(random.nextInt((int) (2 * window)));
      case 11 -> {
        // As long as it takes to be whole again.
        fleet.mendAll();
        fleet.pass(Math.max(window, 5_000) + 3_000);
      }
      case 14 -> fleet.letOneLimitAlone();
      case 15 -> fleet.letAllLimitAlone();
      case 16, 17 -> fleet.letNobodyLimitAlone();
      default -> {}
    }
  }

  private static void holds(SimulatedFleet fleet, int size, int quota, double safety, long window) {
    List<Admission> all = fleet.admissions;
    long byStore = 0;
    long here = 0;
    int first = 0;
    for (Admission last : all) {
      for (; all.get(first).at() + window <= last.at(); first++) {
        if (all.get(first).byStore()) {
          byStore -= all.get(first).cost();
        } else {
          here -= all.get(first).cost();
        }
      }
      if (last.byStore()) {
        byStore += last.cost();
      } else {
        here += last.cost();
      }
      Predicate<Long> inWindow = at -> at > last.at() - window && at <= last.at();
      long flushes = fleet.flushes.stream().filter(inWindow).count();
      double started = (safety * quota / size + 1) * fleet.starts.stream().filter(inWindow).count();
      assertThat(byStore).as("by the store").isLessThanOrEqualTo(quota * (1 + flushes));
      assertThat((double) here)
          .as("in any window")
          .isLessThanOrEqualTo(2.5 * safety * quota + size + started);
      for (Outage outage : fleet.outages) {
        if (outage.from() <= last.at() - window && last.at() <= outage.to()) {
          double most = outage.inOneEpoch() ? 1.5 : 2;
          assertThat((double) here)
              .as("wholly in an outage, %s", Duration.ofMillis(window))
              .isLessThanOrEqualTo(most * safety * quota + size + started);
        }
      }
    }
  }
}
