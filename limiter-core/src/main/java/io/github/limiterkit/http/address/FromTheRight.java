package io.github.limiterkit.http.address;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a list field, the last first: it is the one that the nearest proxy wrote.
 *
 * <p>Quoted strings are recognised from their ends, so that a quote which a client left open can
 * swallow only what the client has sent, and never what a proxy has added. Not more than {@value
 * #MOST_CHARACTERS} characters and {@value #MOST_ELEMENTS} elements are looked at.
 */
final class FromTheRight {

  static final int MOST_CHARACTERS = 4096;
  static final int MOST_ELEMENTS = 64;

  private final String text;
  private final boolean cut;
  private final boolean quotes;
  private int end;
  private int read;

  /**
   * Over all lines of a field.
   *
   * @param lines in the order received
   * @param quotes whether an element may hold quoted strings
   */
  FromTheRight(List<String> lines, boolean quotes) {
    StringBuilder joined = new StringBuilder();
    boolean left = false;
    for (int i = lines.size() - 1; i >= 0 && !left; i--) {
      String line = lines.get(i);
      int room = MOST_CHARACTERS - joined.length();
      left = line.length() > room || (i > 0 && line.length() + 1 >= room);
      joined.insert(0, line.length() > room ? line.substring(line.length() - room) : line);
      if (!left && i > 0) {
        joined.insert(0, ',');
      }
    }
    this.text = joined.toString();
    this.cut = left;
    this.quotes = quotes;
    this.end = text.length();
  }

  /** The next element to the left that is not empty, without blanks around it; null at the end. */
  @Nullable String next() {
    while (end >= 0 && read < MOST_ELEMENTS) {
      int from = begin();
      if (from == 0 && cut) {
        end = -1; // of this one a part is missing, and the part may read like another address
        return null;
      }
      String element = strip(text.substring(from, end));
      end = from - 1;
      if (!element.isEmpty()) {
        read++;
        return element;
      }
    }
    return null;
  }

  /** Where the element begins that ends at the end. */
  private int begin() {
    int at = end - 1;
    while (at >= 0 && text.charAt(at) != ',') {
      at = quotes && text.charAt(at) == '"' ? openingQuote(at) - 1 : at - 1;
    }
    return at + 1;
  }

  /** The quote that begins the string which ends at the other; 0 if there is none. */
  private int openingQuote(int closing) {
    int at = closing - 1;
    while (at > 0) {
      if (text.charAt(at) == '"') {
        int backslashes = 0;
        while (at - backslashes > 0 && text.charAt(at - backslashes - 1) == '\\') {
          backslashes++;
        }
        if (backslashes % 2 == 0) {
          return at;
        }
      }
      at--;
    }
    return 0;
  }

  /** Blanks and tabs only: what else may look like a blank is no part of HTTP. */
  private static String strip(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && isBlank(text.charAt(from))) {
      from++;
    }
    while (to > from && isBlank(text.charAt(to - 1))) {
      to--;
    }
    return text.substring(from, to);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}
