package io.github.limiterkit.examples.outagereplay;

import io.github.limiterkit.examples.outagereplay.Passages.Passage;
import io.github.limiterkit.examples.outagereplay.StoreWatch.Delay;
import io.github.limiterkit.examples.outagereplay.StoreWatch.Users;
import io.github.limiterkit.examples.outagereplay.StoreWatch.Work;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What happened in one outage with one strategy. Times are in seconds since the run began.
 *
 * @param scene that was played
 * @param strategy of the limiter
 * @param plan of the run
 * @param lostAt when the outage began
 * @param backAt when it ended
 * @param exchanges every request, as its sender saw it
 * @param passages every request, as the limiter saw it
 * @param work of the store
 * @param delays of the store
 * @param users of the store
 */
record Run(
    Scene scene,
    Strategy strategy,
    Plan plan,
    double lostAt,
    double backAt,
    List<Exchange> exchanges,
    List<Passage> passages,
    List<Work> work,
    List<Delay> delays,
    List<Users> users) {

  private static final double TENTH = 0.1;

  /** Whoever is well for so long has recovered; what comes after it is another matter. */
  private static final double WHILE_SECONDS = 2;

  private static final int TENTHS = 20;

  /** Copies and sorts. */
  Run {
    exchanges = sorted(exchanges, Exchange::at);
    passages = sorted(passages, Passage::at);
    work = sorted(work, Work::at);
    delays = sorted(delays, Delay::at);
    users = sorted(users, Users::at);
  }

  private static <T> List<T> sorted(List<T> list, ToDoubleFunction<T> at) {
    return list.stream().sorted(Comparator.comparingDouble(at)).toList();
  }

  /** Until when the traffic lasts. */
  double end() {
    return plan.counted().toNanos() / 1e9;
  }

  boolean inOutage(double at) {
    return at >= lostAt && at < backAt;
  }

  /** Requests of those who keep to their limits, in the outage. */
  Stream<Exchange> wellBehaved() {
    return exchanges.stream().filter(e -> !e.bot() && inOutage(e.at()));
  }

  /** Requests of those who keep to their limits, after the outage. */
  Stream<Exchange> wellBehavedAfter() {
    return exchanges.stream().filter(e -> !e.bot() && e.at() >= backAt);
  }

  /** Requests of bots in the outage. */
  Stream<Exchange> bots() {
    return exchanges.stream().filter(e -> e.bot() && inOutage(e.at()));
  }

  /** The most that one bot was given in a window wholly in the outage. */
  long mostForABot() {
    long most = 0;
    for (int bot = 0; bot < scene.load().bots(); bot++) {
      int key = bot;
      most =
          Math.max(
              most,
              mostWithin(
                  Quota.WINDOW.toNanos() / 1e9,
                  bots().filter(e -> e.key() == key && e.admitted()).mapToDouble(Exchange::at)));
    }
    return most;
  }

  /** The most that was let through to the API in any second of the outage. */
  long mostInASecond() {
    return mostWithin(
        1,
        passages.stream().filter(p -> p.admitted() && inOutage(p.at())).mapToDouble(Passage::at));
  }

  private static long mostWithin(double seconds, DoubleStream moments) {
    double[] at = moments.sorted().toArray();
    int most = 0;
    int first = 0;
    for (int last = 0; last < at.length; last++) {
      while (at[last] - at[first] >= seconds) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }

  /** What the limiter added to a request, from one moment to another. */
  double addedMillis(double part, double from, double to) {
    return quantile(
        part,
        passages.stream()
            .filter(p -> p.at() >= from && p.at() < to)
            .mapToDouble(Passage::addedMillis));
  }

  /** How long clients that keep to their limits waited for an answer in the outage. */
  double responseMillis(double part) {
    return quantile(part, wellBehaved().mapToDouble(Exchange::millis));
  }

  static double quantile(double part, DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return sorted.length == 0
        ? Double.NaN
        : sorted[(int) Math.min(sorted.length - 1L, (long) (sorted.length * part))];
  }

  /** Calls that the store had executed by then; between two looks a straight line. */
  double callsBy(double at) {
    return by(at, Work::calls);
  }

  /** Requests that had come to the limiters by then. */
  double requestsBy(double at) {
    return by(at, Work::requests);
  }

  private double by(double at, ToDoubleFunction<Work> count) {
    Work before = null;
    for (Work look : work) {
      if (look.at() >= at) {
        if (before == null) {
          return count.applyAsDouble(look);
        }
        double part = (at - before.at()) / (look.at() - before.at());
        return count.applyAsDouble(before)
            + part * (count.applyAsDouble(look) - count.applyAsDouble(before));
      }
      before = look;
    }
    return before == null ? 0 : count.applyAsDouble(before);
  }

  /** When the first instance counted in the store again after the outage. */
  OptionalDouble firstBackAt() {
    return users.stream()
        .filter(u -> u.at() >= backAt && u.instances() > 0)
        .mapToDouble(Users::at)
        .findFirst();
  }

  /** When every instance counted in the store at once, for the first time after the outage. */
  OptionalDouble allTogetherAt() {
    return users.stream()
        .filter(u -> u.at() >= backAt && u.instances() == Quota.INSTANCES)
        .mapToDouble(Users::at)
        .findFirst();
  }

  /** From when on every instance counted in the store, for a while at least. */
  OptionalDouble allBackAt() {
    return steadySince(DoubleStream.empty());
  }

  /**
   * Seconds from the outage's end until every instance counts in the store and nobody who keeps to
   * the limits is turned away, for a while at least; empty if that was not seen.
   */
  OptionalDouble secondsToRecover() {
    OptionalDouble since =
        steadySince(wellBehavedAfter().filter(e -> !e.served()).mapToDouble(Exchange::at));
    return since.isEmpty() ? since : OptionalDouble.of(since.getAsDouble() - backAt);
  }

  /** The first moment that is followed by a while in which all count and nothing is amiss. */
  private OptionalDouble steadySince(DoubleStream amiss) {
    DoubleStream apart =
        users.stream()
            .filter(u -> u.at() >= backAt && u.instances() < Quota.INSTANCES)
            .mapToDouble(Users::at);
    double since = backAt;
    for (double at : DoubleStream.concat(apart, amiss).sorted().toArray()) {
      if (at - since > WHILE_SECONDS) {
        break;
      }
      since = Math.nextUp(at);
    }
    return since < end() - 1 ? OptionalDouble.of(since) : OptionalDouble.empty();
  }

  /** How much of the time since then every instance counted in the store, from 0 to 1. */
  double sharedAfterwards() {
    OptionalDouble since = allBackAt();
    return since.isEmpty()
        ? 0
        : users.stream()
            .filter(u -> u.at() >= since.getAsDouble())
            .mapToDouble(u -> u.instances() == Quota.INSTANCES ? 1 : 0)
            .average()
            .orElse(0);
  }

  /** The store's load in the first window after it is asked again, divided by its normal load. */
  double loadOnReturn() {
    double window = Quota.WINDOW.toNanos() / 1e9;
    OptionalDouble back = firstBackAt();
    if (back.isEmpty()) {
      return Double.NaN;
    }
    double windows = Math.floor(lostAt / window);
    double normal = (callsBy(lostAt) - callsBy(lostAt - windows * window)) / windows;
    double from = back.getAsDouble();
    return (callsBy(from + window) - callsBy(from)) / normal;
  }

  /** The store's load in a tenth of a second before the outage: calls, on average. */
  double normalCallsInATenth() {
    return (callsBy(lostAt) - callsBy(0)) / (lostAt / TENTH);
  }

  /** The store's load in each tenth of a second of the last two before the outage: calls. */
  List<Double> callsInTenthsBefore() {
    return callsInTenths(lostAt - TENTHS * TENTH);
  }

  /** The store's load in each tenth of a second of the first two after it is asked again: calls. */
  List<Double> callsInTenthsOnReturn() {
    OptionalDouble back = firstBackAt();
    return back.isEmpty() ? List.of() : callsInTenths(back.getAsDouble());
  }

  private List<Double> callsInTenths(double first) {
    return IntStream.range(0, TENTHS)
        .mapToObj(i -> callsBy(first + (i + 1) * TENTH) - callsBy(first + i * TENTH))
        .toList();
  }

  /** The most of them, divided by what is normal. */
  double busiest(List<Double> tenths) {
    return tenths.stream()
        .mapToDouble(calls -> calls / normalCallsInATenth())
        .max()
        .orElse(Double.NaN);
  }

  /** The run in parts of so many seconds. */
  List<Bucket> buckets(double seconds) {
    return IntStream.range(0, (int) Math.round(end() / seconds))
        .mapToObj(i -> new Bucket(this, i * seconds, (i + 1) * seconds))
        .toList();
  }

  /**
   * A part of the run.
   *
   * @param run of which it is a part
   * @param from seconds
   * @param to seconds, not included
   */
  record Bucket(Run run, double from, double to) {

    Stream<Exchange> exchanges(boolean bots) {
      return run.exchanges.stream().filter(e -> e.bot() == bots && e.at() >= from && e.at() < to);
    }

    double perSecond(long count) {
      return (double) count / (to - from);
    }

    DoubleStream addedMillis() {
      return run.passages.stream()
          .filter(p -> p.at() >= from && p.at() < to)
          .mapToDouble(Passage::addedMillis);
    }

    double callsPerSecond() {
      return (run.callsBy(to) - run.callsBy(from)) / (to - from);
    }

    double storeMillis() {
      return quantile(
          0.5,
          run.delays.stream()
              .filter(d -> d.at() >= from && d.at() < to)
              .mapToDouble(Delay::millis));
    }

    double usersOfStore() {
      return run.users.stream()
          .filter(u -> u.at() >= from && u.at() < to)
          .mapToDouble(Users::instances)
          .average()
          .orElse(Double.NaN);
    }
  }
}
