package io.github.limiterkit.examples.outagereplay;

import java.util.Locale;
import java.util.OptionalDouble;

/** Writes numbers for people and for JSON, in any country alike. */
final class Numbers {

  private Numbers() {}

  /** With thousands separated. */
  static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** With about three digits that mean something; a dash for what is not a number. */
  static String text(double value) {
    if (!Double.isFinite(value)) {
      return "–";
    }
    double size = Math.abs(value);
    if (size == 0) {
      return "0";
    }
    String digits = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.4f";
    return String.format(Locale.ROOT, digits, value);
  }

  static String text(OptionalDouble value) {
    return value.isPresent() ? text(value.getAsDouble()) : "not seen";
  }

  /** {@code null} for what is not a number. */
  static String json(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.4f", value) : "null";
  }

  static String json(OptionalDouble value) {
    return json(value.orElse(Double.NaN));
  }
}
