package io.github.limiterkit.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One thing that must hold.
 *
 * @param scenario where
 * @param figure of what
 * @param peer whom this kit is divided by; null if its own figure is judged
 * @param value the threshold
 * @param atLeast whether it must be reached; else it must not be exceeded
 */
record Bar(String scenario, Figure figure, @Nullable String peer, double value, boolean atLeast) {

  /** Every bar of the decisions; those of servers stand in {@link CompareHttp}. */
  static final List<Bar> ALL =
      List.of(
          atLeast("keys-64", Figure.RATE, Contenders.EVALSHA, 1.8),
          atLeast("keys-64", Figure.RATE, Contenders.BUCKET4J, 2),
          atMost("keys-64", Figure.SERVER_CPU, Contenders.EVALSHA, 1 / 3.0),
          atLeast("keys-16", Figure.RATE, Contenders.EVALSHA, 1.4),
          atLeast("hot-64", Figure.RATE, Contenders.EVALSHA, 2.5),
          atLeast("hot-64", Figure.RATE, Contenders.BUCKET4J, 1.2),
          atMost("hot-64", Figure.COMMANDS, null, 0.05),
          atLeast("refused-64", Figure.RATE, Contenders.EVALSHA, 100),
          atMost("refused-64", Figure.COMMANDS, null, 0.001),
          atMost(NeighbourRounds.NAME, Figure.P99, NeighbourRounds.BESIDE_MANY, 3),
          atMost("light-1", Figure.P50, Contenders.EVALSHA, 1.1),
          atMost("light-4", Figure.P50, Contenders.EVALSHA, 1.1),
          atLeast("local-hot-1", Figure.RATE, Contenders.FASTEST, 0.8),
          atMost("local-hot-1", Figure.ALLOCATED, null, 160),
          atLeast("local-refused-1", Figure.RATE, Contenders.FASTEST, 0.8),
          atMost("local-refused-1", Figure.ALLOCATED, null, 160),
          atLeast("local-refused-1", Figure.RATE, Contenders.BUCKET4J, 1),
          atLeast("local-refused-1", Figure.RATE, Contenders.GUAVA, 1),
          atLeast("local-hot-2", Figure.RATE, Contenders.BUCKET4J, 1),
          atLeast("local-hot-2", Figure.RATE, Contenders.GUAVA, 1),
          atLeast("local-zipf-2", Figure.RATE, Contenders.BUCKET4J, 1),
          atLeast("local-zipf-2", Figure.RATE, Contenders.GUAVA, 1),
          atMost("outage-1", Figure.P50, null, 20));

  private static Bar atLeast(String scenario, Figure figure, String peer, double value) {
    return new Bar(scenario, figure, peer, value, true);
  }

  private static Bar atMost(String scenario, Figure figure, @Nullable String peer, double value) {
    return new Bar(scenario, figure, peer, value, false);
  }

  /** The line of this bar; empty if its scenario did not run. */
  Optional<String> line(Results results) {
    if (results.rounds(scenario, Contenders.KIT, figure).isEmpty()) {
      return Optional.empty();
    }
    if (peer == null) {
      return Optional.of(text("its budget", results.quartiles(scenario, Contenders.KIT, figure)));
    }
    return Contenders.best(results, scenario, peer)
        .map(
            best ->
                text(best, Quartiles.of(results.ratios(scenario, figure, Contenders.KIT, best))));
  }

  private String text(String against, Quartiles ratio) {
    return String.format(
        Locale.ROOT,
        "BAR %s%s %s vs %s %s [%s %s] needs %s%s: %s",
        scenario,
        figure == Figure.RATE || figure == Figure.REQUESTS ? "" : " (" + figure.title() + ")",
        Contenders.KIT,
        against,
        Numbers.text(ratio.median()),
        Numbers.text(ratio.low()),
        Numbers.text(ratio.high()),
        atLeast ? "" : "at most ",
        Numbers.text(value),
        verdict(ratio));
  }

  private String verdict(Quartiles ratio) {
    if (holds(ratio.median())) {
      return "met";
    }
    return holds(atLeast ? ratio.high() : ratio.low()) ? "within noise" : "missed";
  }

  private boolean holds(double ratio) {
    return atLeast ? ratio >= value : ratio <= value;
  }
}
