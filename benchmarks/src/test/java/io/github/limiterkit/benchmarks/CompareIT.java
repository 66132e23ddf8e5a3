package io.github.limiterkit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Only that everything runs: what it prints here are no measurements. */
class CompareIT {

  /** Of each kind of rounds the quickest, and both kinds of answers. */
  private static final Set<String> SOME =
      Set.of(
          "keys-16",
          "refused-64",
          "light-1",
          "local-hot-1",
          "local-refused-1",
          NeighbourRounds.NAME,
          OutageRounds.NAME,
          MemoryPerKey.IN_HEAP);

  @Test
  void runsScenariosOfEveryKindAndPrintsTheirBars() {
    List<String> lines = run(SOME);
    assertThat(lines).filteredOn(CompareIT::isHeading).hasSameSizeAs(SOME);
    assertThat(lines).containsAll(headings(SOME));
    long bars = Bar.ALL.stream().filter(bar -> SOME.contains(bar.scenario())).count();
    assertThat(lines).filteredOn(line -> line.startsWith("BAR ")).hasSize((int) bars);
    assertThat(lines).anyMatch(line -> line.startsWith("INFO "));
  }

  @Test
  @Tag("deep")
  void runsEveryScenarioAndPrintsEveryBar() {
    List<String> lines = run(Set.of());
    assertThat(lines).containsAll(headings(Compare.scenarios()));
    assertThat(lines).filteredOn(line -> line.startsWith("BAR ")).hasSameSizeAs(Bar.ALL);
    assertThat(lines).anyMatch(line -> line.startsWith("INFO "));
  }

  private static List<String> run(Set<String> only) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Compare.run(Settings.smoke(only), new PrintStream(printed, true, StandardCharsets.UTF_8));
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static boolean isHeading(String line) {
    return line.startsWith("### ");
  }

  private static List<String> headings(Iterable<String> scenarios) {
    List<String> headings = new ArrayList<>();
    scenarios.forEach(name -> headings.add("### " + name));
    return headings;
  }
}
