package io.github.limiterkit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Only that everything runs: what it prints here are no measurements. */
class CompareIT {

  @Test
  void runsEveryScenarioAndPrintsEveryBar() {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();

    Compare.run(Settings.smoke(), new PrintStream(printed, true, StandardCharsets.UTF_8));

    List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines)
        .contains(Compare.scenarios().stream().map(name -> "### " + name).toArray(String[]::new));
    assertThat(lines.stream().filter(line -> line.startsWith("BAR "))).hasSize(Bar.ALL.size());
    assertThat(lines).anyMatch(line -> line.startsWith("INFO "));
  }
}
