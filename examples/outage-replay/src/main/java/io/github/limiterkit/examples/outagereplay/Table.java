package io.github.limiterkit.examples.outagereplay;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Figures in rows and columns: for a terminal, which is Markdown too, and for HTML. */
final class Table {

  private Table() {}

  /** Padded, so that it can be read as it stands. */
  static List<String> markdown(List<Figures> rows) {
    List<List<String>> cells = new ArrayList<>();
    cells.add(Column.ALL.stream().map(Column::title).toList());
    rows.forEach(row -> cells.add(Column.ALL.stream().map(c -> c.value().apply(row)).toList()));
    List<Integer> widths = new ArrayList<>();
    for (int i = 0; i < Column.ALL.size(); i++) {
      int column = i;
      widths.add(cells.stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
    }
    List<String> lines = new ArrayList<>(cells.stream().map(row -> line(row, widths)).toList());
    lines.add(1, widths.stream().map("-"::repeat).collect(Collectors.joining("-|-", "|-", "-|")));
    return lines;
  }

  private static String line(List<String> row, List<Integer> widths) {
    StringBuilder line = new StringBuilder("|");
    for (int i = 0; i < row.size(); i++) {
      String gap = " ".repeat(widths.get(i) - row.get(i).length());
      line.append(' ').append(i == 0 ? row.get(i) + gap : gap + row.get(i)).append(" |");
    }
    return line.toString();
  }

  static String html(List<Figures> rows) {
    StringBuilder html = new StringBuilder("<div class=\"wide\"><table>\n<thead><tr>");
    Column.ALL.forEach(column -> html.append("<th>").append(column.title()).append("</th>"));
    html.append("</tr></thead>\n<tbody>\n");
    for (Figures row : rows) {
      html.append("<tr>");
      Column.ALL.forEach(c -> html.append("<td>").append(c.value().apply(row)).append("</td>"));
      html.append("</tr>\n");
    }
    return html.append("</tbody></table></div>\n").toString();
  }
}
