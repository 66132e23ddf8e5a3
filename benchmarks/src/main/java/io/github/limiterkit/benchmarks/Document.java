package io.github.limiterkit.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * The page that a full run leaves behind.
 *
 * @param settings of the run
 * @param machine that it ran on
 * @param load of the machine before and after
 * @param report what was measured
 */
record Document(Settings settings, String machine, String load, Report report) {

  /** One line about the run. */
  String run() {
    int rounds = report.rounds();
    return "%s run, %s, %s"
        .formatted(
            settings.name(),
            rounds < settings.rounds()
                ? rounds + " of " + settings.rounds() + " rounds (the time was up)"
                : rounds + " rounds",
            load);
  }

  List<String> lines() {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "# Benchmarks",
                "",
                "Written by `benchmarks/compare`; what each scenario is stands in"
                    + " [benchmarks/README.md](../benchmarks/README.md). A figure is the median of"
                    + " the rounds, with the quartiles in brackets; a ratio is the median of the"
                    + " ratios of each round.",
                "",
                "- Machine: " + machine,
                "- Run: " + run(),
                "",
                "## Bars",
                "",
                "```"));
    lines.addAll(report.bars());
    lines.add("```");
    lines.add("");
    lines.add("## Figures");
    lines.add("");
    lines.addAll(report.tables());
    lines.add("## Further ratios");
    lines.add("");
    lines.add("```");
    lines.addAll(report.further());
    lines.add("```");
    return lines;
  }
}
