package io.github.limiterkit.benchmarks;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures what is in memory, with JMH. Each contender gets a fresh JVM in each round, so that none
 * runs in code that was compiled for another, and the rounds alternate as everywhere.
 */
final class LocalRounds {

  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private final Settings settings;
  private final Schedule schedule;
  private final Results results;

  LocalRounds(Settings settings, Schedule schedule, Results results) {
    this.settings = settings;
    this.schedule = schedule;
    this.results = results;
  }

  void run() {
    for (LocalLoad load : LocalLoad.ALL) {
      if (settings.runs(load.name())) {
        run(load);
      }
    }
  }

  private void run(LocalLoad load) {
    List<String> contenders = LocalLimiters.chosen(settings.localPeers(), load.name());
    for (int round = 0; schedule.begins(round); round++) {
      for (String contender : Schedule.order(contenders, round)) {
        results.add(load.name(), contender, measure(load, contender));
      }
      Progress.round(load.name(), round);
    }
  }

  private Map<Figure, Double> measure(LocalLoad load, String contender) {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(LocalBenchmark.class.getName() + "\\.decide$")
            .param("contender", contender)
            .param("load", load.name())
            .threads(load.threads())
            .forks(settings.forks())
            .warmupIterations(1)
            .warmupTime(TimeValue.milliseconds(settings.localWarmUp().toMillis()))
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(settings.localRound().toMillis()))
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .jvmArgs(
                "-Xms" + settings.heapMegabytes() + "m",
                "-Xmx" + settings.heapMegabytes() + "m",
                // Without it, contenders that allocate pay for the first touch of every page.
                "-XX:+AlwaysPreTouch",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    try {
      Collection<RunResult> runs = new Runner(options.build()).run();
      return figures(load, contender, runs.iterator().next());
    } catch (RunnerException failed) {
      throw new IllegalStateException(load.name() + ": " + contender + " did not run", failed);
    }
  }

  private Map<Figure, Double> figures(LocalLoad load, String contender, RunResult run) {
    double seconds = settings.localRound().toMillis() / 1e3;
    long admitted = Math.round(secondary(run, "admitted"));
    if (load.refuses() && !contender.equals(Contenders.FLOOR)) {
      Proof.admittedOf(contender, load.quota(), 0, admitted, seconds);
    } else {
      Proof.nothingRefused(contender, Math.round(secondary(run, "refused")));
    }
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.RATE, run.getPrimaryResult().getScore());
    figures.put(Figure.ALLOCATED, secondary(run, ALLOCATED));
    return figures;
  }

  private static double secondary(RunResult run, String name) {
    for (String label : run.getSecondaryResults().keySet()) {
      if (label.endsWith(name)) {
        return run.getSecondaryResults().get(label).getScore();
      }
    }
    throw new IllegalStateException("the harness did not report " + name);
  }
}
