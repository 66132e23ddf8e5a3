package io.github.limiterkit.examples.outagereplay;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The page of the documentation with what a replay found. */
final class Doc {

  private Doc() {}

  static List<String> lines(Results results) {
    List<String> lines = new ArrayList<>();
    lines.add("# Two outages, replayed");
    lines.add("");
    lines.add(
        "Written by the program that it is about, which also leaves a report with plots over time:");
    lines.add("");
    lines.add("```sh");
    lines.add("examples/outage-replay/replay --doc docs/outage-replay.md");
    lines.add("```");
    lines.add("");
    lines.add(Words.SETTING);
    lines.add("");
    for (Strategy strategy : Strategy.values()) {
      lines.add(
          "- **"
              + strategy.id()
              + "** "
              + strategy.does()
              + ". Modelled on: "
              + strategy.model()
              + ".");
    }
    lines.add("");
    lines.add(Words.FIGURES);
    lines.add("");
    lines.add(results.about());
    for (Outage outage : Outage.values()) {
      lines.add("");
      lines.add("## Outage " + outage + ": " + outage.title());
      lines.add("");
      lines.add(results.story(outage));
      lines.add("");
      lines.add(Words.sentence(outage, results.figures(outage)));
      lines.add("");
      lines.addAll(Table.markdown(results.figures(outage)));
    }
    lines.add("");
    lines.add("## What a divided limit costs");
    lines.add("");
    lines.add(Words.CURVE);
    lines.add("");
    lines.addAll(curves(results.curves()));
    return lines;
  }

  private static List<String> curves(List<Curve> curves) {
    StringBuilder head = new StringBuilder("| use of the quota |");
    StringBuilder rule = new StringBuilder("|---|");
    for (Curve curve : curves) {
      head.append(String.format(Locale.ROOT, " %d, safety %s |", curve.permits(), curve.safety()));
      rule.append("---|");
    }
    List<String> lines = new ArrayList<>(List.of(head.toString(), rule.toString()));
    for (int tenth = 1; tenth <= 10; tenth++) {
      StringBuilder line = new StringBuilder("| " + 10 * tenth + " % |");
      for (Curve curve : curves) {
        line.append(' ')
            .append(Numbers.text(100 * curve.refusedAt(tenth / 10.0)))
            .append(" % refused |");
      }
      lines.add(line.toString());
    }
    return lines;
  }
}
