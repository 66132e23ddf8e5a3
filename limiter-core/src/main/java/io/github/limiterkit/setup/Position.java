package io.github.limiterkit.setup;

import java.util.Comparator;

/**
 * A place in a file.
 *
 * @param line 1 for the first
 * @param column 1 for the first character of the line
 */
record Position(int line, int column) implements Comparable<Position> {

  private static final Comparator<Position> DOWNWARDS =
      Comparator.comparingInt(Position::line).thenComparingInt(Position::column);

  @Override
  public int compareTo(Position other) {
    return DOWNWARDS.compare(this, other);
  }

  /** As editors and compilers write it: {@code 12:25}. */
  @Override
  public String toString() {
    return line + ":" + column;
  }
}
