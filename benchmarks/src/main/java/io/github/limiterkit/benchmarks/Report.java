package io.github.limiterkit.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says what was measured: absolute figures, then bars, then further ratios. */
final class Report {

  private static final List<Figure> COMPARED =
      List.of(
          Figure.RATE,
          Figure.REQUESTS,
          Figure.P50,
          Figure.SERVER_CPU,
          Figure.REQUEST_CPU,
          Figure.MEMORY);

  private final Results results;
  private final List<Bar> bars;

  Report(Results results, List<Bar> bars) {
    this.results = results;
    this.bars = List.copyOf(bars);
  }

  /** A table per scenario, in Markdown: medians, with the quartiles in brackets. */
  List<String> tables() {
    List<String> lines = new ArrayList<>();
    for (String scenario : results.scenarios()) {
      List<Figure> columns = columns(scenario);
      lines.add("### " + scenario);
      lines.add("");
      lines.add("| | " + String.join(" | ", columns.stream().map(Figure::title).toList()) + " |");
      lines.add("|---".repeat(columns.size() + 1) + "|");
      for (String contender : results.contenders(scenario)) {
        StringBuilder line = new StringBuilder("| " + contender);
        for (Figure figure : columns) {
          line.append(" | ").append(cell(results.quartiles(scenario, contender, figure)));
        }
        lines.add(line.append(" |").toString());
      }
      lines.add("");
    }
    return lines;
  }

  List<String> bars() {
    List<String> lines = new ArrayList<>();
    for (Bar bar : bars) {
      bar.line(results).ifPresent(lines::add);
    }
    return lines;
  }

  /** This kit divided by everybody else, in what a bar could be about. */
  List<String> further() {
    List<String> lines = new ArrayList<>();
    for (String scenario : results.scenarios()) {
      for (String peer : results.contenders(scenario)) {
        for (Figure figure : COMPARED) {
          List<Double> ratios = results.ratios(scenario, figure, Contenders.KIT, peer);
          Quartiles ratio = Quartiles.of(ratios);
          if (!peer.equals(Contenders.KIT) && Double.isFinite(ratio.median())) {
            lines.add(
                String.format(
                    Locale.ROOT,
                    "INFO %s (%s) %s vs %s %s [%s %s]",
                    scenario,
                    figure.title(),
                    Contenders.KIT,
                    peer,
                    Numbers.text(ratio.median()),
                    Numbers.text(ratio.low()),
                    Numbers.text(ratio.high())));
          }
        }
      }
    }
    return lines;
  }

  /** The fewest rounds that a scenario had. */
  int rounds() {
    int fewest = Integer.MAX_VALUE;
    for (String scenario : results.scenarios()) {
      for (Figure figure : List.of(Figure.RATE, Figure.P50)) {
        int rounds = results.rounds(scenario, Contenders.KIT, figure).size();
        fewest = rounds == 0 ? fewest : Math.min(fewest, rounds);
      }
    }
    return fewest == Integer.MAX_VALUE ? 0 : fewest;
  }

  private List<Figure> columns(String scenario) {
    List<Figure> columns = new ArrayList<>();
    for (Figure figure : Figure.values()) {
      boolean measured =
          results.contenders(scenario).stream()
              .anyMatch(name -> !results.rounds(scenario, name, figure).isEmpty());
      if (measured) {
        columns.add(figure);
      }
    }
    return columns;
  }

  private static String cell(Quartiles value) {
    String median = Numbers.text(value.median());
    return value.low() == value.high() || median.isEmpty()
        ? median
        : median + " [" + Numbers.text(value.low()) + " " + Numbers.text(value.high()) + "]";
  }
}
