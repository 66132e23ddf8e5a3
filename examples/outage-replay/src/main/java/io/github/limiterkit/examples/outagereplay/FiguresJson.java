package io.github.limiterkit.examples.outagereplay;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Figures as JSON: an array with an object for each outage and strategy. */
final class FiguresJson {

  private FiguresJson() {}

  static String of(List<Figures> all) {
    return all.stream().map(FiguresJson::object).collect(Collectors.joining(",\n", "[\n", "\n]\n"));
  }

  private static String object(Figures figures) {
    Map<String, String> members = new LinkedHashMap<>();
    members.put("outage", '"' + figures.outage().name() + '"');
    members.put("strategy", '"' + figures.strategy().id() + '"');
    members.put("wellBehavedRequests", Long.toString(figures.wellBehavedRequests()));
    members.put("wellBehavedRefused", Long.toString(figures.wellBehavedRefused()));
    members.put("botRequests", Long.toString(figures.botRequests()));
    members.put("botsAdmitted", Long.toString(figures.botsAdmitted()));
    members.put("botBound", Long.toString(figures.botBound()));
    members.put("storeCallsPerRequest", Numbers.json(figures.storeCallsPerRequest()));
    members.put("p50Ms", Numbers.json(figures.p50Ms()));
    members.put("p99Ms", Numbers.json(figures.p99Ms()));
    members.put("secondsToRecover", Numbers.json(figures.secondsToRecover()));
    return members.entrySet().stream()
        .map(member -> '"' + member.getKey() + "\": " + member.getValue())
        .collect(Collectors.joining(", ", "  {", "}"));
  }
}
