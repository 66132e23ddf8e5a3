package io.github.limiterkit.setup;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong with a description, so that all of it is told at once. */
final class Errors {

  /** Whoever has made more mistakes than this has handed in the wrong file. */
  private static final int MOST_TOLD = 100;

  private static final Comparator<Mistake> IN_ORDER_OF_THE_FILE =
      Comparator.comparing(Mistake::at, Comparator.nullsLast(Comparator.naturalOrder()));

  private final String title;
  private final String file;
  private final List<Mistake> errors = new ArrayList<>();
  private final Map<String, Position> positions = new HashMap<>();

  /** One thing that is wrong, and where in the file, if there is one. */
  private record Mistake(@Nullable Position at, String text) {}

  /**
   * Starts without any.
   *
   * @param title the thing described, as in {@code filter "limits"}, or the name of a file
   */
  Errors(String title) {
    this(title, title);
  }

  /**
   * Starts without any.
   *
   * @param title the thing described
   * @param file the name of the file that describes it
   */
  Errors(String title, String file) {
    this.title = title;
    this.file = file;
  }

  /** The same, to be added to without changing these. */
  Errors copy() {
    Errors copy = new Errors(title, file);
    copy.errors.addAll(errors);
    copy.positions.putAll(positions);
    return copy;
  }

  void add(String error) {
    add(null, error);
  }

  void add(@Nullable Position at, String error) {
    errors.add(new Mistake(at, error));
  }

  /** Remembers where in the file a setting is, for errors that are found later. */
  void position(String place, Position at) {
    positions.put(place, at);
  }

  /** Makes a part, or notes why it cannot be made and gives null. */
  <T> @Nullable T attempt(String place, Supplier<? extends @Nullable T> part) {
    return attempt(positionOf(place), place, part);
  }

  /** Makes a part, or notes why it cannot be made, and where in the file, and gives null. */
  <T> @Nullable T attempt(
      @Nullable Position at, String place, Supplier<? extends @Nullable T> part) {
    try {
      return part.get();
    } catch (IllegalArgumentException | IllegalStateException wrong) {
      String message = String.valueOf(wrong.getMessage());
      add(at, message.startsWith(place) ? message : place + ": " + message);
      return null;
    }
  }

  /** As {@link #attempt(String, Supplier)}, for what makes nothing. */
  void attempt(String place, Runnable setting) {
    attempt(
        place,
        () -> {
          setting.run();
          return place;
        });
  }

  /** Of the setting itself, or of what it is in. */
  private @Nullable Position positionOf(String place) {
    String around = place;
    while (!around.isEmpty()) {
      Position at = positions.get(around);
      if (at != null) {
        return at;
      }
      around = around.substring(0, Math.max(0, around.lastIndexOf('.')));
    }
    return null;
  }

  boolean none() {
    return errors.isEmpty();
  }

  int count() {
    return errors.size();
  }

  /** One line for each, in the order of the file. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Mistake error : errors.stream().sorted(IN_ORDER_OF_THE_FILE).toList()) {
      if (lines.size() == MOST_TOLD) {
        lines.add("and " + (errors.size() - MOST_TOLD) + " more");
        break;
      }
      lines.add(error.at() == null ? error.text() : file + ":" + error.at() + "  " + error.text());
    }
    return lines;
  }

  LimiterConfigurationException exception() {
    return new LimiterConfigurationException(title, count(), lines());
  }
}
