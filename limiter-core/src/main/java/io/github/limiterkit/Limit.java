package io.github.limiterkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * At most {@code permits} units in every interval of length {@code window}, wherever the interval
 * begins. In text, {@code 100/1m}: a count, a slash and a time (a number and one of {@code ms s m h
 * d}).
 *
 * <p>Immutable and safe for use by several threads. Values out of range are an {@link
 * IllegalArgumentException} that names the value and the range.
 *
 * @param permits units per window, 1 to 4,000,000,000
 * @param window length of the window in whole milliseconds, 1 ms to 366 days
 */
public record Limit(long permits, Duration window) {

  /** The most permits a limit may have, and the most one charge may cost: 4,000,000,000. */
  public static final long MAX_PERMITS = 4_000_000_000L;

  /** The longest window: 366 days. */
  public static final Duration MAX_WINDOW = Duration.ofDays(366);

  private static final Pattern TEXT = Pattern.compile("(-?[0-9]+)/([0-9]*)([A-Za-z]*)");

  /**
   * Checks the bounds.
   *
   * @param permits units per window
   * @param window length of the window
   */
  public Limit {
    if (permits < 1 || permits > MAX_PERMITS) {
      throw new IllegalArgumentException(
          "limit of %d permits is outside 1 to %d".formatted(permits, MAX_PERMITS));
    }
    if (window.compareTo(Duration.ofMillis(1)) < 0 || window.compareTo(MAX_WINDOW) > 0) {
      throw new IllegalArgumentException(
          "window %s is outside 1ms to %s".formatted(window, TimeUnitWord.text(MAX_WINDOW)));
    }
    if (!window.equals(Duration.ofMillis(window.toMillis()))) {
      throw new IllegalArgumentException(
          "window %s is not in whole milliseconds".formatted(window));
    }
  }

  /**
   * Length of the window.
   *
   * @return milliseconds, 1 or more
   */
  public long windowMillis() {
    return window.toMillis();
  }

  /**
   * Reads one limit.
   *
   * @param text such as {@code 100/1m}; spaces around it are ignored
   * @return the limit
   * @throws IllegalArgumentException if it is not of that form or out of range; the message quotes
   *     the text and shows what to write instead
   */
  public static Limit parse(String text) {
    String trimmed = text.strip();
    Matcher parts = TEXT.matcher(trimmed);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is not a limit; write COUNT/TIME, as in 100/1m (units: %s)"
              .formatted(trimmed, TimeUnitWord.WORDS));
    }
    String count = parts.group(1);
    String amount = parts.group(2);
    String word = parts.group(3);
    TimeUnitWord unit = TimeUnitWord.exactly(word);
    if (unit == null) {
      throw new IllegalArgumentException(unknownUnit(trimmed, count, amount, word));
    }
    if (amount.isEmpty()) {
      throw new IllegalArgumentException(
          "\"%s\" has no number before the unit; write %s/1%s"
              .formatted(trimmed, count, unit.word()));
    }
    try {
      return new Limit(Long.parseLong(count), unit.times(Long.parseLong(amount)));
    } catch (NumberFormatException | ArithmeticException tooLarge) {
      throw new IllegalArgumentException(
          "\"%s\" is out of range: 1 to %d permits in 1ms to %s"
              .formatted(trimmed, MAX_PERMITS, TimeUnitWord.text(MAX_WINDOW)),
          tooLarge);
    } catch (IllegalArgumentException outOfRange) {
      throw new IllegalArgumentException(
          "\"%s\": %s".formatted(trimmed, outOfRange.getMessage()), outOfRange);
    }
  }

  /**
   * Reads a list of limits.
   *
   * @param text limits separated by commas, such as {@code 100/1m, 10/1s}
   * @return the limits in the order written, at least one
   * @throws IllegalArgumentException as {@link #parse} does, and for an empty element
   */
  public static List<Limit> parseList(String text) {
    List<Limit> limits = new ArrayList<>();
    for (String element : text.split(",", -1)) {
      limits.add(parse(element));
    }
    return List.copyOf(limits);
  }

  /**
   * The window in the words of {@link #parse}, as in {@code 1m}.
   *
   * @return the shortest exact form
   */
  public String windowText() {
    return TimeUnitWord.text(window);
  }

  /** The form that {@link #parse} reads, as in {@code 100/1m}. */
  @Override
  public String toString() {
    return permits + "/" + windowText();
  }

  private static String unknownUnit(String text, String count, String amount, String word) {
    if (word.isEmpty()) {
      return "\"%s\" has no unit; write %s/%ss (units: %s)"
          .formatted(text, count, amount.isEmpty() ? "1" : amount, TimeUnitWord.WORDS);
    }
    TimeUnitWord meant = TimeUnitWord.nearest(word.toLowerCase(Locale.ROOT));
    String number = amount.isEmpty() ? "1" : amount;
    String advice =
        meant == null ? "COUNT/TIME, as in 100/1m" : count + "/" + number + meant.word();
    return "\"%s\" has no unit \"%s\"; write %s (units: %s)"
        .formatted(text, word, advice, TimeUnitWord.WORDS);
  }
}
