package io.github.limiterkit.examples.outagereplay;

import java.util.OptionalDouble;

/**
 * A run in figures.
 *
 * @param outage which
 * @param strategy of the limiter
 * @param wellBehavedRequests of clients that keep to their limits, in the outage
 * @param wellBehavedRefused those of them that were not served, whoever turned them away
 * @param botRequests in the outage
 * @param botsAdmitted those of them that the limiter let through
 * @param botBound what a limiter that keeps the bound lets through at most
 * @param storeCallsPerRequest what Redis executed in the outage, by its own count; 0 while it is
 *     gone
 * @param p50Ms half of the well-behaved had their answer in the outage within so many milliseconds
 * @param p99Ms and 99 % within so many
 * @param secondsToRecover from the outage's end until every instance counts in the store and all
 *     well-behaved requests are served, for two seconds at least; empty if that was not seen
 * @param sharedAfterwards how much of the time since then every instance counted in the store
 * @param refusedAfter requests of well-behaved clients that were not served after the outage
 * @param mostForABot what one bot was given in a window of the outage
 * @param addedP50Ms what the limiter itself added to a request in the outage, at the median
 * @param addedMaxMs and at most
 * @param loadOnReturn calls in the first window after the store is asked again, divided by those in
 *     a normal window
 * @param busiestTenthBefore the most calls in a tenth of a second of the last two before the
 *     outage, divided by those in an average one: what chance alone does
 * @param busiestTenthOnReturn the same of the first two in which the store is asked again
 */
record Figures(
    Outage outage,
    Strategy strategy,
    long wellBehavedRequests,
    long wellBehavedRefused,
    long botRequests,
    long botsAdmitted,
    long botBound,
    double storeCallsPerRequest,
    double p50Ms,
    double p99Ms,
    OptionalDouble secondsToRecover,
    double sharedAfterwards,
    long refusedAfter,
    long mostForABot,
    double addedP50Ms,
    double addedMaxMs,
    double loadOnReturn,
    double busiestTenthBefore,
    double busiestTenthOnReturn) {

  static Figures of(Run run) {
    double requests = run.requestsBy(run.backAt()) - run.requestsBy(run.lostAt());
    double calls = run.callsBy(run.backAt()) - run.callsBy(run.lostAt());
    return new Figures(
        run.scene().outage(),
        run.strategy(),
        run.wellBehaved().count(),
        run.wellBehaved().filter(e -> !e.served()).count(),
        run.bots().count(),
        run.bots().filter(Exchange::admitted).count(),
        bound(run),
        run.scene().isStoreGone() ? 0 : calls / requests,
        run.responseMillis(0.5),
        run.responseMillis(0.99),
        run.secondsToRecover(),
        run.sharedAfterwards(),
        run.wellBehavedAfter().filter(e -> !e.served()).count(),
        run.mostForABot(),
        run.addedMillis(0.5, run.lostAt(), run.backAt()),
        run.addedMillis(1, run.lostAt(), run.backAt()),
        run.loadOnReturn(),
        run.busiest(run.callsInTenthsBefore()),
        run.busiest(run.callsInTenthsOnReturn()));
  }

  /**
   * For all bots over the whole outage, which is so many windows. A store that is slow and not gone
   * may admit once more what it would admit anyway.
   */
  private static long bound(Run run) {
    long windows = (long) Math.ceil((run.backAt() - run.lostAt()) * 1e9 / Quota.WINDOW.toNanos());
    return windows * run.scene().load().bots() * boundPerWindow(run.scene());
  }

  static long boundPerWindow(Scene scene) {
    return Quota.boundInOutage() + (scene.isStoreGone() ? 0 : Quota.PERMITS);
  }
}
