package io.github.limiterkit.setup;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong with a description, so that all of it is told at once. */
final class Errors {

  private final String where;
  private final List<String> errors = new ArrayList<>();

  /**
   * Starts without any.
   *
   * @param where the thing described, as in {@code filter "limits"}
   */
  Errors(String where) {
    this.where = where;
  }

  void add(String error) {
    errors.add(error);
  }

  /** Makes a part, or notes why it cannot be made and gives null. */
  <T> @Nullable T attempt(String place, Supplier<T> part) {
    try {
      return part.get();
    } catch (IllegalArgumentException | IllegalStateException wrong) {
      String message = String.valueOf(wrong.getMessage());
      add(message.startsWith(place) ? message : place + ": " + message);
      return null;
    }
  }

  boolean none() {
    return errors.isEmpty();
  }

  int count() {
    return errors.size();
  }

  LimiterConfigurationException exception() {
    return new LimiterConfigurationException(where, errors);
  }
}
