package io.github.limiterkit.examples.outagereplay;

import java.util.List;
import java.util.function.Function;

/**
 * A column of the table of figures, the same on the console, in the report and in the page.
 *
 * @param title above it
 * @param value of a run
 */
record Column(String title, Function<Figures, String> value) {

  static final List<Column> ALL =
      List.of(
          new Column("strategy", f -> f.strategy().id()),
          new Column("well-behaved requests", f -> Numbers.count(f.wellBehavedRequests())),
          new Column("not served", Column::notServed),
          new Column("bot requests", f -> Numbers.count(f.botRequests())),
          new Column("bots admitted", f -> Numbers.count(f.botsAdmitted())),
          new Column("bound", f -> Numbers.count(f.botBound())),
          new Column("store calls per request", f -> Numbers.text(f.storeCallsPerRequest())),
          new Column("p50, ms", f -> Numbers.text(f.p50Ms())),
          new Column("p99, ms", f -> Numbers.text(f.p99Ms())),
          new Column("limiter adds at most, ms", f -> Numbers.text(f.addedMaxMs())),
          new Column("seconds to recover", f -> Numbers.text(f.secondsToRecover())),
          new Column("all share from then on", f -> percent(f.sharedAfterwards())),
          new Column("not served after it", f -> Numbers.count(f.refusedAfter())),
          new Column("store load on return", f -> Numbers.text(f.loadOnReturn()) + " ×"),
          new Column("its busiest tenth of a second", Column::busiestTenth));

  private static String percent(double part) {
    return Numbers.text(100 * part) + " %";
  }

  private static String notServed(Figures figures) {
    double part = 100.0 * figures.wellBehavedRefused() / figures.wellBehavedRequests();
    return Numbers.count(figures.wellBehavedRefused()) + " (" + Numbers.text(part) + " %)";
  }

  private static String busiestTenth(Figures figures) {
    return "%s × (%s × before)"
        .formatted(
            Numbers.text(figures.busiestTenthOnReturn()),
            Numbers.text(figures.busiestTenthBefore()));
  }
}
