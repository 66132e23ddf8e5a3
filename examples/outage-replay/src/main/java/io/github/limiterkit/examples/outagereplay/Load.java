package io.github.limiterkit.examples.outagereplay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Who sends how much. The same requests, at the same moments and to the same instances, for every
 * strategy.
 *
 * @param clients who are well-behaved
 * @param perClient requests of each of them in a second
 * @param bots who are not
 * @param perBot requests of each of them in a second
 */
record Load(int clients, double perClient, int bots, double perBot) {

  private static final long SEED = 20_261_130;

  /** 30 % of the quota: well-behaved is up to 32 %. */
  private static final double HONEST = 0.3 * Quota.PERMITS / Quota.WINDOW.toSeconds();

  /** The bots send as much as everybody else together, and twice again. */
  static final Load SOME_BOTS = new Load(4, HONEST, 2, 75);

  /** The bots send ten times as much as everybody else together. */
  static final Load TEN_TIMES_BOTS = new Load(4, HONEST, 2, 300);

  /**
   * One request to come.
   *
   * @param atNanos since the first that counts; below 0 while warming up
   * @param bot whether a bot sends it
   * @param key which client, or which bot
   * @param instance that it is sent to
   */
  record Arrival(long atNanos, boolean bot, int key, int instance) {}

  /** Everything that is sent, in order. */
  List<Arrival> arrivals(Plan plan) {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Arrival> arrivals = new ArrayList<>();
    long end = plan.counted().toNanos();
    for (int client = 0; client < clients; client++) {
      add(arrivals, random.split(), false, client, perClient, -plan.warmUp().toNanos(), end);
    }
    for (int bot = 0; bot < bots; bot++) {
      // One after the other, so that they do not all spend their quota in the same instant.
      Duration late = Quota.WINDOW.multipliedBy(bot).dividedBy(bots);
      long start = late.toNanos() - plan.warmUp().toNanos();
      add(arrivals, random.split(), true, bot, perBot, start, end);
    }
    arrivals.sort(Comparator.comparingLong(Arrival::atNanos));
    return arrivals;
  }

  /** At random moments (Poisson), each time to an instance at random. */
  private static void add(
      List<Arrival> arrivals,
      SplittableRandom random,
      boolean bot,
      int key,
      double perSecond,
      long start,
      long end) {
    double at = start;
    while (true) {
      at += -Math.log(1 - random.nextDouble()) * 1e9 / perSecond;
      if (at >= end) {
        return;
      }
      int instance = random.nextInt(Quota.INSTANCES);
      // While warming up it rises from nothing, so that nobody trips over a cold JVM and stays
      // down.
      if (at >= 0 || random.nextDouble() < 1 - at / start) {
        arrivals.add(new Arrival((long) at, bot, key, instance));
      }
    }
  }
}
