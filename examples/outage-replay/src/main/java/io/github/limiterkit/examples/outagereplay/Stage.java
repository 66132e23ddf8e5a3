package io.github.limiterkit.examples.outagereplay;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Plays an outage with several strategies at the same time, so that nothing else differs. */
final class Stage {

  private static final Duration REPORT_EVERY = Duration.ofSeconds(2);

  private final Scene scene;
  private final Plan plan;
  private final List<Strategy> strategies;
  private final PrintStream progress;

  Stage(Scene scene, Plan plan, List<Strategy> strategies, PrintStream progress) {
    this.scene = scene;
    this.plan = plan;
    this.strategies = List.copyOf(strategies);
    this.progress = progress;
  }

  /**
   * Plays it.
   *
   * @return one run for each strategy
   * @throws Exception if a server cannot be started, or the replay is interrupted
   */
  List<Run> play() throws Exception {
    List<Fleet> fleets = new ArrayList<>();
    try {
      RunClock clock = new RunClock();
      for (Strategy strategy : strategies) {
        fleets.add(new Fleet(scene, strategy, plan, clock));
      }
      clock.beginIn(plan.warmUp());
      fleets.forEach(Fleet::start);
      await(clock, plan.healthy(), fleets, "healthy");
      together(fleets, Fleet::lose);
      await(clock, plan.healthy().plus(plan.outage()), fleets, "outage");
      together(fleets, Fleet::giveBack);
      await(clock, plan.counted(), fleets, "back");
      List<Run> runs = new ArrayList<>();
      for (Fleet fleet : fleets) {
        runs.add(fleet.finish());
      }
      return runs;
    } finally {
      for (Fleet fleet : fleets) {
        fleet.close();
      }
    }
  }

  private static void together(List<Fleet> fleets, Consumer<Fleet> what) {
    CompletableFuture.allOf(
            fleets.stream()
                .map(fleet -> CompletableFuture.runAsync(() -> what.accept(fleet)))
                .toArray(CompletableFuture<?>[]::new))
        .join();
  }

  private void await(RunClock clock, Duration until, List<Fleet> fleets, String phase)
      throws InterruptedException {
    double end = until.toNanos() / 1e9;
    while (clock.now() < end) {
      double next = Math.min(end, clock.now() + REPORT_EVERY.toNanos() / 1e9);
      if (!Threads.awaitNanos(clock.moment((long) (next * 1e9)))) {
        throw new InterruptedException("interrupted while replaying");
      }
      progress.println(line(clock, fleets, phase));
    }
  }

  private String line(RunClock clock, List<Fleet> fleets, String phase) {
    StringBuilder line =
        new StringBuilder(
            String.format(
                Locale.ROOT, "%s %5.1f s  %-7s  served/s:", scene.outage(), clock.now(), phase));
    double since = clock.now() - REPORT_EVERY.toNanos() / 1e9;
    for (Fleet fleet : fleets) {
      List<Exchange> honest =
          fleet.exchanges().stream().filter(e -> !e.bot() && e.at() >= since).toList();
      long served = honest.stream().filter(Exchange::served).count();
      line.append(
          String.format(
              Locale.ROOT,
              "  %s %d of %d",
              fleet.strategy().id(),
              served / REPORT_EVERY.toSeconds(),
              honest.size() / REPORT_EVERY.toSeconds()));
    }
    return line.toString();
  }
}
