package io.github.limiterkit.benchmarks;

import io.github.limiterkit.testing.RedisServer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Measures this kit and its peers side by side, and says whether it meets its bars. */
final class Compare {

  private static final String USAGE =
      "usage: benchmarks/compare [--quick] [--only SCENARIO[,SCENARIO...]] [--doc FILE]\n"
          + "scenarios: ";

  private Compare() {}

  /** Runs; the exit code is 0 also when a bar is missed, because a figure is no fault. */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    boolean quick = false;
    Path doc = null;
    Set<String> only = new LinkedHashSet<>();
    for (int i = 0; i < arguments.length; i++) {
      boolean hasValue = i + 1 < arguments.length;
      if (arguments[i].equals("--quick")) {
        quick = true;
      } else if (arguments[i].equals("--only") && hasValue) {
        only.addAll(List.of(arguments[++i].split(",", -1)));
      } else if (arguments[i].equals("--doc") && hasValue) {
        doc = Path.of(arguments[++i]);
      } else {
        refuse("unknown argument " + arguments[i]);
      }
    }
    only.stream()
        .filter(name -> !scenarios().contains(name))
        .findFirst()
        .ifPresent(name -> refuse("no scenario is named " + name));
    Settings settings = quick ? Settings.quick(only) : Settings.full(only);
    Document document = run(settings, out);
    if (doc != null && !quick && only.isEmpty()) {
      Files.createDirectories(doc.toAbsolutePath().getParent());
      Files.write(doc, document.lines(), StandardCharsets.UTF_8);
    }
  }

  static Document run(Settings settings, PrintStream out) {
    String loadBefore = Machine.load();
    Results results = new Results();
    Schedule schedule = new Schedule(settings.rounds(), settings.budget());
    String machine;
    try (RedisServer server = RedisServer.start()) {
      machine = Machine.description(ServerFigures.version(server));
      out.println(machine);
      new SharedRounds(settings, schedule, results, server).run();
      new NeighbourRounds(settings, schedule, results, server).run();
      new OutageRounds(settings, schedule, results).run();
      new LocalRounds(settings, schedule, results).run();
      new MemoryPerKey(settings, results, server).run();
    }
    Report report = new Report(results, Bar.ALL);
    Document document =
        new Document(
            settings,
            machine,
            "load average %s before and %s after".formatted(loadBefore, Machine.load()),
            report);
    report.tables().forEach(out::println);
    out.println(document.run());
    report.bars().forEach(out::println);
    report.further().forEach(out::println);
    return document;
  }

  /** The names of all scenarios. */
  static List<String> scenarios() {
    List<String> names =
        new ArrayList<>(
            Stream.concat(
                    SharedLoad.ALL.stream().map(SharedLoad::name),
                    LocalLoad.ALL.stream().map(LocalLoad::name))
                .toList());
    names.add(NeighbourRounds.NAME);
    names.add(OutageRounds.NAME);
    names.add(MemoryPerKey.IN_HEAP);
    names.add(MemoryPerKey.IN_REDIS);
    return names;
  }

  private static void refuse(String problem) {
    System.err.println(problem);
    System.err.println(USAGE + String.join(", ", scenarios()));
    System.exit(2);
  }
}
