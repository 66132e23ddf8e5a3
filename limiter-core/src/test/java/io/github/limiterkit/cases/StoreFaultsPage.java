package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The table in the documentation, which says of each trouble what the kit does. */
final class StoreFaultsPage {

  /** System property: {@code true} writes the table into the page instead of comparing it. */
  static final String UPDATE = "limiterkit.docs.update";

  private static final Path PAGE = Path.of("../docs/store-faults.md");
  private static final Path MEASURED = Path.of("target/store-faults.md");
  private static final String HEAD = "| what is wrong |";

  private StoreFaultsPage() {}

  /** One trouble; the last three are times, and of one run. */
  record Row(
      String trouble,
      String counted,
      String gate,
      String decided,
      String alarm,
      String shutAfter,
      String backAfter,
      String longest) {

    private static Row of(String line) {
      String[] cells = line.substring(2, line.length() - 2).split(" \\| ", -1);
      assertThat(cells).as(line).hasSize(8);
      return new Row(
          cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7]);
    }

    /** What is the same in every run. */
    Row withoutTimes() {
      return new Row(trouble, counted, gate, decided, alarm, "", "", "");
    }

    private String line() {
      return "| "
          + String.join(
              " | ", List.of(trouble, counted, gate, decided, alarm, shutAfter, backAfter, longest))
          + " |";
    }
  }

  /** The rows that the page has now. */
  static List<Row> rows() throws IOException {
    List<String> lines = Files.readAllLines(PAGE);
    return lines.subList(begin(lines), end(lines)).stream().map(Row::of).toList();
  }

  /** Writes down what was seen; the page has to say the same. */
  static void compare(List<Row> seen) throws IOException {
    List<String> lines = seen.stream().map(Row::line).toList();
    Files.write(MEASURED, lines);
    if (Boolean.getBoolean(UPDATE)) {
      List<String> page = new ArrayList<>(Files.readAllLines(PAGE));
      List<String> table = page.subList(begin(page), end(page));
      table.clear();
      table.addAll(lines);
      Files.write(PAGE, page);
    }
    assertThat(withoutTimes(rows())).isEqualTo(withoutTimes(seen));
  }

  private static List<Row> withoutTimes(List<Row> rows) {
    return rows.stream().map(Row::withoutTimes).toList();
  }

  private static int begin(List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(HEAD)) {
        return i + 2;
      }
    }
    throw new AssertionError("no table in " + PAGE);
  }

  private static int end(List<String> lines) {
    int end = begin(lines);
    while (end < lines.size() && lines.get(end).startsWith("| ")) {
      end++;
    }
    return end;
  }
}
