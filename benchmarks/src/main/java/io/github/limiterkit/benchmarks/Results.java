package io.github.limiterkit.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All figures of a run, round by round: the n-th values of two contenders belong to one round. */
final class Results {

  private final Map<String, Map<String, Map<Figure, List<Double>>>> figures = new LinkedHashMap<>();

  void add(String scenario, String contender, Map<Figure, Double> round) {
    Map<Figure, List<Double>> known =
        figures
            .computeIfAbsent(scenario, name -> new LinkedHashMap<>())
            .computeIfAbsent(contender, name -> new EnumMap<>(Figure.class));
    round.forEach(
        (figure, value) -> known.computeIfAbsent(figure, name -> new ArrayList<>()).add(value));
  }

  Set<String> scenarios() {
    return figures.keySet();
  }

  Set<String> contenders(String scenario) {
    return figures.getOrDefault(scenario, Map.of()).keySet();
  }

  /** The values of all rounds; empty if it was not measured. */
  List<Double> rounds(String scenario, String contender, Figure figure) {
    return figures
        .getOrDefault(scenario, Map.of())
        .getOrDefault(contender, Map.of())
        .getOrDefault(figure, List.of());
  }

  Quartiles quartiles(String scenario, String contender, Figure figure) {
    return Quartiles.of(rounds(scenario, contender, figure));
  }

  /**
   * How two contenders compare, round by round, so that what slowed a whole round cancels out.
   * Empty if one of them was not measured.
   */
  List<Double> ratios(String scenario, Figure figure, String contender, String peer) {
    List<Double> ours = rounds(scenario, contender, figure);
    List<Double> theirs = rounds(scenario, peer, figure);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(ours.size(), theirs.size()); i++) {
      ratios.add(ours.get(i) / theirs.get(i));
    }
    return ratios;
  }
}
