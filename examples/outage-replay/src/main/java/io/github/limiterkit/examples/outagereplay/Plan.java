package io.github.limiterkit.examples.outagereplay;

import java.time.Duration;

/**
 * How long everything takes.
 *
 * @param name as it is printed
 * @param warmUp traffic that is not counted, for a JVM that is cold
 * @param healthy before the outage
 * @param outage of the store
 * @param after the store is back
 * @param curveWindows over so many windows the curve of honest requests refused is taken
 */
record Plan(
    String name,
    Duration warmUp,
    Duration healthy,
    Duration outage,
    Duration after,
    int curveWindows) {

  static final Plan FULL = plan("full", 5, 12, 40, 18, 500);
  static final Plan QUICK = plan("quick", 3, 4, 8, 6, 100);

  private static Plan plan(
      String name, int warmUp, int healthy, int outage, int after, int curveWindows) {
    return new Plan(
        name,
        Duration.ofSeconds(warmUp),
        Duration.ofSeconds(healthy),
        Duration.ofSeconds(outage),
        Duration.ofSeconds(after),
        curveWindows);
  }

  /** From the first counted request to the last. */
  Duration counted() {
    return healthy.plus(outage).plus(after);
  }
}
