package io.github.limiterkit.examples.outagereplay;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Replays two outages of a shared Redis with three limiters side by side. */
public final class Replay {

  private Replay() {}

  /**
   * Replays, prints a table, and writes the report.
   *
   * @param words {@code --quick}, {@code --out DIR} and {@code --doc FILE}
   * @throws Exception if a server cannot be started, or a file cannot be written
   */
  public static void main(String[] words) throws Exception {
    Arguments arguments;
    try {
      arguments = Arguments.parse(words);
      Files.createDirectories(arguments.out());
    } catch (IllegalArgumentException | IOException wrong) {
      System.err.println(wrong instanceof IOException ? "--out: " + wrong : wrong.getMessage());
      System.err.println(Arguments.USAGE);
      System.exit(2);
      return;
    }
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Results results = replay(arguments.plan(), System.err);
    for (Outage outage : Outage.values()) {
      out.println(
          "\nOutage " + outage + ", " + outage.title() + ": " + results.story(outage) + "\n");
      Table.markdown(results.figures(outage)).forEach(out::println);
      out.println("\n" + Words.sentence(outage, results.figures(outage)));
    }
    write(arguments, results);
    out.println("\nThe report: " + arguments.out().resolve("report.html").toUri());
    // Whatever a client library has left running must not hold up the end.
    System.exit(0);
  }

  static Results replay(Plan plan, PrintStream progress) throws Exception {
    String machine = machine();
    List<Curve> curves = new ArrayList<>();
    for (int permits : List.of(Quota.PERMITS, 10 * Quota.PERMITS)) {
      for (double safety : List.of(1.0, 0.5)) {
        // As many requests for a large quota as for a small one.
        curves.add(Curve.take(permits, safety, plan.curveWindows() * Quota.PERMITS / permits));
      }
    }
    List<Run> runs = new ArrayList<>();
    for (Outage outage : Outage.values()) {
      runs.addAll(new Stage(outage.scene(), plan, Strategy.ALL, progress).play());
    }
    return new Results(plan, machine, runs, curves);
  }

  private static void write(Arguments arguments, Results results) throws IOException {
    Path out = arguments.out();
    Files.writeString(out.resolve("report.html"), Report.html(results));
    Files.writeString(out.resolve("figures.json"), FiguresJson.of(results.figures()));
    Path doc = arguments.doc();
    if (doc != null) {
      Files.createDirectories(doc.toAbsolutePath().getParent());
      Files.write(doc, Doc.lines(results), StandardCharsets.UTF_8);
    }
  }

  /** What figures depend on, without anything that names this machine. */
  private static String machine() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return String.format(
        Locale.ROOT,
        "%d processors (%s), Java %d, load average before it %.1f",
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.arch"),
        Runtime.version().feature(),
        load);
  }
}
