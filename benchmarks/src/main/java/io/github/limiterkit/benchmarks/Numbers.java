package io.github.limiterkit.benchmarks;

import java.util.Locale;

/** Writes figures so that they can be read: about three digits that mean something. */
final class Numbers {

  private Numbers() {}

  static String text(double value) {
    if (Double.isNaN(value)) {
      return "";
    }
    double size = Math.abs(value);
    if (size >= 100 || size == 0) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (size >= 10) {
      return String.format(Locale.ROOT, "%.1f", value);
    }
    if (size >= 0.1) {
      return String.format(Locale.ROOT, "%.2f", value);
    }
    return String.format(Locale.ROOT, size >= 0.001 ? "%.4f" : "%.7f", value);
  }
}
