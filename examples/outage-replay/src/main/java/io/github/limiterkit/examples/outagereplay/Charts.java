package io.github.limiterkit.examples.outagereplay;

import io.github.limiterkit.examples.outagereplay.Run.Bucket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The charts of an outage, each with a line for every strategy, and that of the curve. */
final class Charts {

  private static final double BUCKET_SECONDS = 0.5;

  private Charts() {}

  /** What happened over time. */
  static List<Chart> of(List<Run> runs) {
    return List.of(
        overTime(
            "Well-behaved requests served",
            "per second",
            runs,
            b -> b.perSecond(b.exchanges(false).filter(Exchange::served).count())),
        overTime(
            "Well-behaved requests turned away",
            "per second",
            runs,
            b -> b.perSecond(b.exchanges(false).filter(e -> !e.served()).count())),
        overTime(
            "Bots admitted",
            "per second",
            runs,
            b -> b.perSecond(b.exchanges(true).filter(Exchange::admitted).count())),
        overTime("Calls that the store executes", "per second", runs, Bucket::callsPerSecond),
        overTime(
            "Time to the answer, of well-behaved requests (99 % within)",
            "ms", runs, b -> Run.quantile(0.99, b.exchanges(false).mapToDouble(Exchange::millis))),
        overTime(
            "Time that the limiter adds to a request (99 % within)",
            "ms", runs, b -> Run.quantile(0.99, b.addedMillis())),
        overTime(
            "Mode: instances of four that count in the store",
            "instances",
            runs,
            Bucket::usersOfStore),
        overTime(
            "Latency of the store itself (a gap: it does not answer)",
            "ms",
            runs,
            Bucket::storeMillis));
  }

  private static Chart overTime(
      String title, String yTitle, List<Run> runs, ToDoubleFunction<Bucket> value) {
    Run any = runs.get(0);
    List<Chart.Line> lines = new ArrayList<>();
    for (Run run : runs) {
      String id = run.strategy().id();
      List<Chart.Point> points =
          run.buckets(BUCKET_SECONDS).stream()
              .map(b -> new Chart.Point((b.from() + b.to()) / 2, value.applyAsDouble(b)))
              .toList();
      lines.add(new Chart.Line(id, id, points));
    }
    return new Chart(
        title,
        "seconds",
        yTitle,
        any.end(),
        List.of(new Chart.Band(any.lostAt(), any.backAt(), "outage")),
        lines);
  }

  /** Honest requests refused, against the use of the quota. */
  static Chart of(int permits, List<Curve> curves) {
    List<Chart.Line> lines = new ArrayList<>();
    List<Chart.Band> bands = new ArrayList<>();
    for (Curve curve : curves) {
      boolean whole = curve.safety() == 1;
      List<Chart.Point> points =
          curve.points().stream()
              .map(p -> new Chart.Point(100 * p.use(), 100 * p.refused()))
              .toList();
      lines.add(
          new Chart.Line(
              "safety " + (whole ? "1" : Double.toString(curve.safety())),
              whole ? "limiter-kit" : "half",
              points));
      if (whole) {
        bands.add(
            new Chart.Band(
                0, 100 * Quota.wellBehavedUpTo(permits, curve.safety()), "well-behaved"));
      }
    }
    return new Chart(
        "Quota of " + permits + ", four instances",
        "% of the quota that the client uses",
        "% refused",
        100,
        bands,
        lines);
  }
}
