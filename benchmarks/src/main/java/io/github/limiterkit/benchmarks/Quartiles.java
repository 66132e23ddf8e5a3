package io.github.limiterkit.benchmarks;

import java.util.Arrays;
import java.util.Collection;

/**
 * The middle of some values, and how far they scatter.
 *
 * @param low a quarter of the values is below
 * @param median half of the values is below
 * @param high a quarter of the values is above
 */
record Quartiles(double low, double median, double high) {

  static Quartiles of(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Quartiles(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
  }

  /** The value below which that part of the samples lies. */
  static long percentile(long[] samples, double part) {
    if (samples.length == 0) {
      return 0;
    }
    long[] sorted = samples.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.min(sorted.length - 1L, (long) (part * sorted.length))];
  }

  private static double at(double[] sorted, double part) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double position = part * (sorted.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }
}
