package io.github.limiterkit.examples.outagereplay;

import java.util.ArrayList;
import java.util.List;

/**
 * Everything that a replay found.
 *
 * @param plan that was followed
 * @param machine that it ran on
 * @param runs one for each outage and strategy
 * @param curves for several quotas and safeties
 */
record Results(Plan plan, String machine, List<Run> runs, List<Curve> curves) {

  List<Run> runs(Outage outage) {
    return runs.stream().filter(run -> run.scene().outage() == outage).toList();
  }

  List<Figures> figures(Outage outage) {
    return runs(outage).stream().map(Figures::of).toList();
  }

  List<Figures> figures() {
    return runs.stream().map(Figures::of).toList();
  }

  List<Chart> curveCharts() {
    List<Chart> charts = new ArrayList<>();
    for (int permits : curves.stream().mapToInt(Curve::permits).distinct().toArray()) {
      charts.add(Charts.of(permits, curves.stream().filter(c -> c.permits() == permits).toList()));
    }
    return charts;
  }

  /** What happens in an outage, and for how long. */
  String story(Outage outage) {
    String story = outage.story();
    return Character.toUpperCase(story.charAt(0))
        + story.substring(1)
        + ", for "
        + plan.outage().toSeconds()
        + " s.";
  }

  String about() {
    return "A " + plan.name() + " replay on " + machine + ".";
  }
}
