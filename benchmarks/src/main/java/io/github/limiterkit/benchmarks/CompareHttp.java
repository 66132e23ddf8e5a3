package io.github.limiterkit.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Measures what the filter costs a server, beside the limiters that come with the containers. */
final class CompareHttp {

  private CompareHttp() {}

  /** Runs; the exit code is 0 also when a bar is missed, because a figure is no fault. */
  public static void main(String[] arguments) throws IOException {
    boolean quick = List.of(arguments).equals(List.of("--quick"));
    if (arguments.length > 0 && !quick) {
      System.err.println("usage: benchmarks/http [--quick]");
      System.exit(2);
    }
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.println(Machine.description());
    String loadBefore = Machine.load();
    Results results = new Results();
    new HttpRounds(
            new Schedule(quick ? 3 : 9, Duration.ofMinutes(30)),
            3,
            Duration.ofSeconds(quick ? 5 : 20),
            Duration.ofSeconds(quick ? 1 : 3),
            results)
        .run();
    Report report = new Report(results, bars());
    report.tables().forEach(out::println);
    out.println("load average %s before and %s after".formatted(loadBefore, Machine.load()));
    report.bars().forEach(out::println);
    report.further().forEach(out::println);
  }

  /** Every bar there is. */
  static List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    for (HttpContainer container : HttpContainer.values()) {
      String admitted = HttpRounds.scenario(container, false);
      String itsOwn = container.own().get(0).title();
      bars.add(new Bar(admitted, Figure.REQUEST_CPU, HttpGuard.PLAIN.title(), 1.05, false));
      bars.add(new Bar(admitted, Figure.REQUEST_CPU, itsOwn, 1, false));
      String refused = HttpRounds.scenario(container, true);
      bars.add(new Bar(refused, Figure.REQUESTS, HttpGuard.PLAIN.title(), 0.9, true));
    }
    return bars;
  }
}
