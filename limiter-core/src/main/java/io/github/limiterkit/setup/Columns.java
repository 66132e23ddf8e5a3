package io.github.limiterkit.setup;

import java.util.ArrayList;
import java.util.List;

/** Lines of text whose parts stand below each other. */
final class Columns {

  private final List<List<String>> rows = new ArrayList<>();

  void add(List<String> row) {
    rows.add(row);
  }

  /** Each row on a line of its own, begun by a line break and two spaces. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      text.append("\n  ");
      for (int column = 0; column < row.size(); column++) {
        String cell = row.get(column);
        text.append(cell);
        if (column < row.size() - 1) {
          text.append(" ".repeat(width(column) - cell.length() + 2));
        }
      }
    }
    return text.toString();
  }

  private int width(int column) {
    int width = 0;
    for (List<String> row : rows) {
      // The last cell of a row may be of any length, since nothing follows it.
      if (column < row.size() - 1) {
        width = Math.max(width, row.get(column).length());
      }
    }
    return width;
  }
}
