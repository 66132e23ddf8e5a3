package io.github.limiterkit.benchmarks;

import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;

/** Who is who: names as they are printed, and which of a peer's configurations speaks for it. */
final class Contenders {

  /** This kit. */
  static final String KIT = "kit";

  /** No limiter: a map look-up and a reading of the clock, which nobody can do without. */
  static final String FLOOR = "floor";

  /** One EVALSHA per decision through a pooled client. */
  static final String EVALSHA = "evalsha";

  static final String BUCKET4J = "bucket4j";
  static final String GUAVA = "guava";

  /** Stands for whichever peer is the fastest. */
  static final String FASTEST = "fastest";

  private Contenders() {}

  /**
   * The contender that a peer is judged by: the fastest of its configurations, which are named like
   * the peer with something behind it.
   *
   * @param peer a peer, or {@link #FASTEST}
   * @return empty if none of them was measured
   */
  static Optional<String> best(Results results, String scenario, String peer) {
    Predicate<String> belongs =
        peer.equals(FASTEST)
            ? name -> !isOurs(name) && !name.equals(FLOOR)
            : name -> name.equals(peer) || name.startsWith(peer + "-");
    return results.contenders(scenario).stream()
        .filter(belongs)
        .max(Comparator.comparingDouble(name -> throughput(results, scenario, name)));
  }

  private static double throughput(Results results, String scenario, String name) {
    double decisions = results.quartiles(scenario, name, Figure.RATE).median();
    return Double.isNaN(decisions)
        ? results.quartiles(scenario, name, Figure.REQUESTS).median()
        : decisions;
  }

  static boolean isOurs(String name) {
    return name.equals(KIT) || name.startsWith(KIT + "-");
  }
}
