package io.github.limiterkit.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** What the sliding window promises, on random sequences of arrivals; on how many, say others. */
abstract class SlidingLogProperties {

  /**
   * One arrival.
   *
   * @param pause what really passes before it, in thousandths of the window, and milliseconds more
   * @param more milliseconds more
   * @param step what the clock steps by on top of that, in thousandths of the window
   * @param cost in thousandths of the quota, or if negative, units
   * @param quota which of the quotas is in force
   */
  record Arrival(int pause, int more, int step, int cost, int quota) {}

  /** A window, the quotas that rule in turn, and arrivals. */
  record Scenario(long window, List<Long> quotas, long epoch, List<Arrival> arrivals) {

    /** The longest that two units of one entry may be apart, and one. */
    long grain() {
      boolean exact = quotas.stream().allMatch(quota -> quota <= 120);
      return exact ? 1 : (window + 59) / 60;
    }

    Run start() {
      return new Run(this);
    }
  }

  /** A clock and what arrives. */
  private static final class Run {
    final Scenario scenario;
    final SlidingLog log;
    long now;

    /** Time that has passed, and steps forward, which no clock can tell from it. */
    long elapsed;

    long cost;
    long quota;

    Run(Scenario scenario) {
      this.scenario = scenario;
      this.log = new SlidingLog(scenario.window());
      this.now = scenario.epoch();
    }

    void next(Arrival arrival) {
      long window = scenario.window();
      long pause = Math.max(0, window * arrival.pause() / 1_000 + arrival.more());
      long step = window * arrival.step() / 1_000;
      now += pause + step;
      elapsed += pause + Math.max(0, step);
      quota = scenario.quotas().get(arrival.quota() % scenario.quotas().size());
      cost =
          arrival.cost() < 0
              ? Math.min(-arrival.cost(), Limit.MAX_PERMITS)
              : Math.min(quota * arrival.cost() / 1_000, Limit.MAX_PERMITS);
    }

    boolean charge() {
      if (cost > 0) {
        log.clamp(now, quota);
      }
      if (!log.admits(now, cost, quota)) {
        return false;
      }
      log.add(now, cost, quota);
      return true;
    }
  }

  @Property
  @Label("1: never more than the quota in any interval, also when the clock steps")
  void neverAdmitsMoreThanTheQuotaInAnyInterval(@ForAll("scenarios") Scenario scenario) {
    Run run = scenario.start();
    List<long[]> admitted = new ArrayList<>();
    for (Arrival arrival : scenario.arrivals()) {
      run.next(arrival);
      if (run.charge() && run.cost > 0) {
        admitted.add(new long[] {run.elapsed, run.cost});
        // Every interval that holds most ends with an admission.
        long inWindow = 0;
        for (long[] admission : admitted) {
          inWindow += admission[0] > run.elapsed - scenario.window() ? admission[1] : 0;
        }
        assertThat(inWindow).isLessThanOrEqualTo(run.quota);
      }
    }
  }

  @Property
  @Label("2: equal to an exact log, field for field, where every millisecond has its own entry")
  void equalsAnExactLogWhereEveryMillisecondHasItsOwnEntry(
      @ForAll("exactScenarios") Scenario scenario) {
    Run run = scenario.start();
    ExactLog exact = new ExactLog(scenario.window());
    for (Arrival arrival : scenario.arrivals()) {
      run.next(arrival);
      long now = run.now;
      long quota = run.quota;
      assertThat(run.log.total(now)).isEqualTo(exact.total(now));
      assertThat(run.log.retryAfter(now, run.cost, quota))
          .isEqualTo(exact.retryAfter(now, run.cost, quota));
      assertThat(run.log.resetAfter(now, quota)).isEqualTo(exact.resetAfter(now));
      assertThat(run.charge()).isEqualTo(exact.charge(now, run.cost, quota));
      assertThat(run.log.total(now)).isEqualTo(exact.total(now));
      assertThat(run.log.isLive(now)).isEqualTo(exact.total(now) > 0);
      assertThat(run.log.remaining(now, quota)).isEqualTo(exact.remaining(now, quota));
      assertThat(run.log.retryAfter(now, run.cost, quota))
          .isEqualTo(exact.retryAfter(now, run.cost, quota));
      assertThat(run.log.resetAfter(now, quota)).isEqualTo(exact.resetAfter(now));
    }
  }

  @Property
  @Label("3: refuses only what an exact log with a window of one grain more would refuse too")
  void refusesNobodyWhoKeepsToALittleLongerWindow(@ForAll("scenarios") Scenario scenario) {
    Run run = scenario.start();
    ExactLog own = new ExactLog(scenario.window() + scenario.grain() - 1);
    for (Arrival arrival : scenario.arrivals()) {
      run.next(arrival);
      if (run.cost > 0) {
        own.clamp(run.now);
      }
      if (run.charge()) {
        if (run.cost > 0) {
          own.record(run.now, run.cost);
        }
      } else {
        assertThat(own.admits(run.now, run.cost, run.quota)).isFalse();
      }
    }
  }

  @Property
  @Label(
      "3: with unit costs admits at least what an exact log with a window of one grain more does")
  void admitsAtLeastWhatALittleLongerWindowAdmits(@ForAll("steadyScenarios") Scenario scenario) {
    Run run = scenario.start();
    ExactLog longer = new ExactLog(scenario.window() + scenario.grain() - 1);
    long admitted = 0;
    long admittedByLonger = 0;
    for (Arrival arrival : scenario.arrivals()) {
      run.next(arrival);
      for (int i = 0; i < 1 + arrival.cost() / 20; i++) {
        run.cost = 1;
        admitted += run.charge() ? 1 : 0;
        admittedByLonger += longer.charge(run.now, 1, run.quota) ? 1 : 0;
        assertThat(admitted).isGreaterThanOrEqualTo(admittedByLonger);
      }
    }
  }

  @Property
  @Label("4: the announced wait is enough, and a millisecond less is not")
  void announcesTheExactWait(@ForAll("scenarios") Scenario scenario) {
    Run run = scenario.start();
    for (Arrival arrival : scenario.arrivals()) {
      run.next(arrival);
      boolean charged = run.charge();
      SlidingLog log = run.log;
      long now = run.now;
      assertThat(log.remaining(now, run.quota)).isBetween(0L, run.quota);
      assertThat(log.resetAfter(now, run.quota)).isBetween(0L, scenario.window());
      if (!charged && run.cost > 0) {
        long wait = log.retryAfter(now, run.cost, run.quota);
        if (run.cost > run.quota) {
          assertThat(wait).isEqualTo(LimitUsage.NEVER);
        } else {
          assertThat(wait).isBetween(1L, scenario.window());
          assertThat(log.admits(now + wait, run.cost, run.quota)).isTrue();
          assertThat(log.admits(now + wait - 1, run.cost, run.quota)).isFalse();
        }
      }
      long reset = run.cost > 0 ? log.resetAfter(now, run.quota) : 0;
      if (reset > 0) {
        assertThat(log.total(now + reset)).isLessThan(log.total(now + reset - 1));
        assertThat(log.total(now + reset - 1)).isEqualTo(log.total(now));
      }
    }
  }

  /** What was admitted, and what of it has been given back. */
  private static final class Admitted {
    final long elapsed;
    final long stamp;
    final long cost;
    final int birth;
    long used;

    Admitted(Run run, int birth) {
      this.elapsed = run.elapsed;
      this.stamp = run.now;
      this.cost = run.cost;
      this.used = run.cost;
      this.birth = birth;
    }

    /** A receipt is good once, and for the state that it was written for. */
    long refund(Run run, int bornNow) {
      long taken = 0;
      if (used == cost && birth == bornNow) {
        taken = run.log.refund(run.now, stamp, cost, run.quota);
        used -= taken;
      }
      return taken;
    }
  }

  @Property
  @Label("1: never more than the quota is used in any interval, with refunds, when the clock steps")
  void neverMoreIsUsedThanTheQuotaInAnyInterval(@ForAll("scenarios") Scenario scenario) {
    Run run = scenario.start();
    List<Admitted> all = new ArrayList<>();
    int birth = 0;
    long newest = Long.MIN_VALUE;
    for (Arrival arrival : scenario.arrivals()) {
      run.next(arrival);
      if (run.cost > 0 && run.now < newest) {
        birth++; // it clamps
        newest = run.now;
      }
      if (run.charge() && run.cost > 0) {
        newest = run.now;
        all.add(new Admitted(run, birth));
        long inWindow = 0;
        for (Admitted one : all) {
          inWindow += one.elapsed > run.elapsed - scenario.window() ? one.used : 0;
        }
        assertThat(inWindow).isLessThanOrEqualTo(run.quota);
      }
      if (!all.isEmpty() && arrival.more() > 0) {
        Admitted one = all.get(Math.abs(arrival.step() + arrival.cost()) % all.size());
        long taken = one.refund(run, birth);
        assertThat(taken).isBetween(0L, one.cost);
        assertThat(run.log.total(run.now)).isNotNegative();
      }
    }
  }

  @Property
  @Label("1: gives all of a charge back until its window has ended, and nothing afterwards")
  void givesBackAllOfWhatIsLive(@ForAll("steadyScenarios") Scenario scenario) {
    Run run = scenario.start();
    List<Admitted> all = new ArrayList<>();
    for (Arrival arrival : scenario.arrivals()) {
      run.next(arrival);
      if (run.charge() && run.cost > 0) {
        all.add(new Admitted(run, 0));
      }
      if (!all.isEmpty() && arrival.more() > 0) {
        Admitted one = all.get(arrival.cost() % all.size());
        boolean live = one.used == one.cost && one.stamp + scenario.window() > run.now;
        long before = run.log.total(run.now);
        assertThat(one.refund(run, 0)).isEqualTo(live ? one.cost : 0);
        assertThat(run.log.total(run.now)).isEqualTo(before - (live ? one.cost : 0));
      }
    }
  }

  @Property
  @Label("2: equal to an exact log, with refunds, where every millisecond has its own entry")
  void equalsAnExactLogWithRefunds(@ForAll("exactScenarios") Scenario scenario) {
    Run run = scenario.start();
    ExactLog exact = new ExactLog(scenario.window());
    List<Admitted> all = new ArrayList<>();
    for (Arrival arrival : scenario.arrivals()) {
      run.next(arrival);
      long now = run.now;
      boolean charged = run.charge();
      assertThat(charged).isEqualTo(exact.charge(now, run.cost, run.quota));
      if (charged && run.cost > 0) {
        all.add(new Admitted(run, 0));
      }
      if (!all.isEmpty() && arrival.more() > 0) {
        Admitted one = all.get(Math.abs(arrival.step() + arrival.cost()) % all.size());
        boolean first = one.used == one.cost;
        long taken = one.refund(run, 0);
        assertThat(taken).isEqualTo(first ? exact.refund(now, one.stamp, one.cost) : 0);
      }
      assertThat(run.log.total(now)).isEqualTo(exact.total(now));
      assertThat(run.log.isLive(now)).isEqualTo(exact.total(now) > 0);
      assertThat(run.log.retryAfter(now, run.cost, run.quota))
          .isEqualTo(exact.retryAfter(now, run.cost, run.quota));
      assertThat(run.log.resetAfter(now, run.quota)).isEqualTo(exact.resetAfter(now));
    }
  }

  @Property(tries = 1_000)
  @Label("keeps a bounded number of entries, however large the quota")
  void keepsABoundedNumberOfEntries(@ForAll("scenarios") Scenario scenario) {
    Run run = scenario.start();
    int bound = scenario.quotas().size() == 1 ? 2 * SlidingLog.SLOTS + 1 : SlidingLog.MAX_ENTRIES;
    for (Arrival arrival : scenario.arrivals()) {
      run.next(arrival);
      for (int i = 0; i < 20; i++) {
        run.now += 1;
        run.cost = 1;
        run.charge();
        assertThat(run.log.entries()).isLessThanOrEqualTo(bound);
      }
    }
  }

  @Property(tries = 1_000)
  @Label("what is added late is never forgotten early, and soon after its window")
  void neverForgetsEarlyWhatIsAddedLate(@ForAll("scenarios") Scenario scenario) {
    long window = scenario.window();
    long late = Math.max(1, window / 50);
    SlidingLog log = new SlidingLog(window);
    List<long[]> added = new ArrayList<>();
    long newest = scenario.epoch();
    for (Arrival arrival : scenario.arrivals()) {
      newest += Math.max(0, window * arrival.pause() / 4_000 + arrival.more());
      long time = newest - late * Math.max(0, arrival.cost()) / 1_000;
      long cost = 1L + Math.abs(arrival.step());
      log.add(time, cost, scenario.quotas().get(0));
      added.add(new long[] {time, cost});
      for (long now : new long[] {newest, newest + 1, newest + window / 2, newest + window - 1}) {
        long least = 0;
        long most = 0;
        for (long[] admission : added) {
          least += admission[0] + window > now ? admission[1] : 0;
          most += admission[0] + window + 2 * late + (window + 59) / 60 > now ? admission[1] : 0;
        }
        assertThat(log.total(now)).isBetween(least, most);
      }
    }
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return scenarios(windows(), quotas().list().ofMinSize(1).ofMaxSize(3), arrivals(true));
  }

  @Provide
  Arbitrary<Scenario> exactScenarios() {
    Arbitrary<List<Long>> small =
        Arbitraries.longs().between(1, 120).list().ofMaxSize(3).ofMinSize(1);
    Arbitrary<List<Long>> any = quotas().list().ofMinSize(1).ofMaxSize(3);
    return Arbitraries.frequencyOf(
        Tuple.of(4, scenarios(windows(), small, arrivals(true))),
        Tuple.of(1, scenarios(Arbitraries.longs().between(1, 60), any, arrivals(true))));
  }

  /** One quota, and a clock that does not step. */
  @Provide
  Arbitrary<Scenario> steadyScenarios() {
    Arbitrary<Long> quota = Arbitraries.longs().between(1, 300);
    return scenarios(windows(), quota.list().ofSize(1), arrivals(false));
  }

  private static Arbitrary<Scenario> scenarios(
      Arbitrary<Long> windows, Arbitrary<List<Long>> quotas, Arbitrary<List<Arrival>> arrivals) {
    Arbitrary<Long> epochs =
        Arbitraries.oneOf(
            Arbitraries.just(0L),
            Arbitraries.longs().between(-100_000, 100_000),
            Arbitraries.longs().between(1_700_000_000_000L, 1_800_000_000_000L));
    return Combinators.combine(windows, quotas, epochs, arrivals).as(Scenario::new);
  }

  private static Arbitrary<Long> windows() {
    return Arbitraries.frequencyOf(
        Tuple.of(2, Arbitraries.longs().between(1, 130)),
        Tuple.of(2, Arbitraries.longs().between(131, 2_000)),
        Tuple.of(2, Arbitraries.of(1_000L, 10_000L, 60_000L, 3_600_000L)),
        Tuple.of(1, Arbitraries.longs().between(2_000, Limit.MAX_WINDOW.toMillis())));
  }

  private static Arbitrary<Long> quotas() {
    return Arbitraries.frequencyOf(
        Tuple.of(3, Arbitraries.longs().between(1, 20)),
        Tuple.of(2, Arbitraries.longs().between(100, 140)),
        Tuple.of(2, Arbitraries.longs().between(121, 2_000)),
        Tuple.of(1, Arbitraries.longs().between(1, Limit.MAX_PERMITS)));
  }

  private static Arbitrary<List<Arrival>> arrivals(boolean steps) {
    Arbitrary<Integer> pauses =
        Arbitraries.frequencyOf(
            Tuple.of(4, Arbitraries.just(0)),
            Tuple.of(5, Arbitraries.integers().between(0, 60)),
            Tuple.of(2, Arbitraries.integers().between(0, 1_000)),
            Tuple.of(1, Arbitraries.of(1_000, 1_017, 2_000, 5_000)));
    Arbitrary<Integer> more = Arbitraries.integers().between(-1, 3);
    Arbitrary<Integer> clockSteps =
        Arbitraries.frequencyOf(
            Tuple.of(14, Arbitraries.just(0)),
            Tuple.of(2, Arbitraries.integers().between(-100, 0)),
            Tuple.of(1, Arbitraries.integers().between(-3_000, 0)),
            Tuple.of(1, Arbitraries.integers().between(0, 1_500)));
    Arbitrary<Integer> costs =
        Arbitraries.frequencyOf(
            Tuple.of(6, Arbitraries.just(-1)),
            Tuple.of(1, Arbitraries.integers().between(-5, -1)),
            Tuple.of(1, Arbitraries.just(0)),
            Tuple.of(5, Arbitraries.integers().between(1, 400)),
            Tuple.of(2, Arbitraries.integers().between(400, 1_010)));
    return Combinators.combine(
            pauses,
            more,
            steps ? clockSteps : Arbitraries.just(0),
            steps ? costs : Arbitraries.integers().between(0, 1_000),
            Arbitraries.integers().between(0, 2))
        .as(Arrival::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(60);
  }
}
