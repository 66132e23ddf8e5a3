package io.github.limiterkit.examples.outagereplay;

import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.setup.LimiterKit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a limit that is divided costs those who keep to the whole: the share of an honest client's
 * requests that are refused while the store is gone, against the part of its quota that it uses.
 *
 * <p>Taken from the kit itself: a fleet without its store, a clock that is moved by hand, a client
 * that sends at random moments (Poisson) and is spread over the fleet at random.
 *
 * @param permits of the quota
 * @param safety of the policy
 * @param points from a small part of the quota to all of it
 */
record Curve(int permits, double safety, List<Point> points) {

  private static final long SEED = 20_261_130;
  private static final int POINTS = 20;

  /** Nobody listens there. */
  private static final String NO_STORE = "redis://127.0.0.1:1";

  /**
   * One use of the quota.
   *
   * @param use the part of the quota that the client sends on average, 0 to 1
   * @param refused the part of its requests that is refused, 0 to 1
   */
  record Point(double use, double refused) {}

  /** Takes a curve over so many windows at each point. */
  static Curve take(int permits, double safety, int windows) {
    AtomicLong nanos = new AtomicLong();
    List<LimiterKit> fleet = new ArrayList<>();
    try {
      for (int i = 0; i < Quota.INSTANCES; i++) {
        fleet.add(instance(permits, safety, nanos));
      }
      List<Point> points = new ArrayList<>();
      for (int i = 1; i <= POINTS; i++) {
        double use = (double) i / POINTS;
        points.add(new Point(use, refused(fleet, nanos, use, permits, windows)));
      }
      return new Curve(permits, safety, List.copyOf(points));
    } finally {
      fleet.forEach(LimiterKit::close);
    }
  }

  private static LimiterKit instance(int permits, double safety, AtomicLong nanos) {
    String limits = permits + "/" + Quota.WINDOW.toSeconds() + "s";
    return LimiterKit.builder()
        .store(RedisStore.at(NO_STORE).namespace("curve"))
        .fleetSize(Quota.INSTANCES)
        .policy(HttpPolicy.named("honest").limits(limits).safety(safety).build())
        .ticker(nanos::get)
        .build();
  }

  private static double refused(
      List<LimiterKit> fleet, AtomicLong nanos, double use, int permits, int windows) {
    SplittableRandom random = new SplittableRandom(SEED);
    double mean = Quota.WINDOW.toNanos() / (use * permits);
    long begin = nanos.get();
    long count = begin + Quota.WINDOW.toNanos();
    long end = count + windows * Quota.WINDOW.toNanos();
    long sent = 0;
    long refused = 0;
    double at = begin;
    while (at < end) {
      at += -Math.log(1 - random.nextDouble()) * mean;
      nanos.set((long) at);
      LimiterKit instance = fleet.get(random.nextInt(fleet.size()));
      boolean allowed = instance.acquire("honest", "client:" + use).allowed();
      if (at >= count) {
        sent++;
        refused += allowed ? 0 : 1;
      }
    }
    return (double) refused / sent;
  }

  /** The part of the requests that is refused at one of the points. */
  double refusedAt(double use) {
    return points.stream()
        .filter(point -> Math.abs(point.use() - use) < 1e-9)
        .mapToDouble(Point::refused)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no point at a use of " + use));
  }
}
