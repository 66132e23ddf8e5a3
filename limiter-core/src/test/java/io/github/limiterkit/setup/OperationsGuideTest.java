package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.github.limiterkit.Source;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.redis.RedisStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The guides name what there is, and nothing else. */
class OperationsGuideTest {

  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern METRIC =
      Pattern.compile("^\\| `(limiterkit\\.[^`]+)`", Pattern.MULTILINE);
  private static final Pattern PARAMETER =
      Pattern.compile("^\\| `([a-z0-9-]+)` \\|", Pattern.MULTILINE);

  @Test
  void listsEveryMetric() throws IOException {
    MetricRegistry registry = new MetricRegistry();
    HttpPolicy hello = HttpPolicy.named("hello").limits("1/1s").build();
    LimiterKit.Builder builder =
        LimiterKit.builder()
            .store(RedisStore.at("redis://127.0.0.1:1"))
            .policy(hello)
            .metrics(DropwizardMetrics.on(registry));
    Set<String> names = new TreeSet<>();
    try (LimiterKit kit = builder.build()) {
      assertThat(kit.status().policies()).hasSize(1);
      registry.getNames().forEach(name -> names.add(asInTheGuide(name)));
    }

    assertThat(listed("operations.md", METRIC)).isEqualTo(names);
  }

  @Test
  void namesEverySource() throws IOException {
    String guide = Files.readString(DOCS.resolve("operations.md"));
    for (Source source : Source.values()) {
      assertThat(guide).contains("`" + Words.word(source) + "`");
    }
  }

  @Test
  void explainsEveryWarning() throws IOException {
    assertThat(Files.readString(DOCS.resolve("operations.md")))
        .contains("`LK001`", "`LK002`", "`LK003`");
  }

  @Test
  void listsEveryInitParam() throws IOException {
    String guide = Files.readString(DOCS.resolve("user-guide.md"));
    String table = guide.substring(guide.indexOf("## Init-params"));

    assertThat(PARAMETER.matcher(table).results().map(row -> row.group(1)))
        .containsExactlyElementsOf(Parameters.WITH_THOSE_OF_ADAPTERS);
  }

  private static Set<String> listed(String document, Pattern row) throws IOException {
    return row.matcher(Files.readString(DOCS.resolve(document)))
        .results()
        .map((MatchResult found) -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String asInTheGuide(String name) {
    return name.replaceFirst("\\.nodes\\..*\\.mode$", ".nodes.<number>.<address>.mode")
        .replaceFirst("\\.nodes\\..*\\.millis\\..*", ".nodes.<number>.<address>.millis.<mode>")
        .replaceFirst("\\.decisions\\..*", ".decisions.<policy>.<source>.<outcome>")
        .replaceFirst("\\.refunded-units\\..*", ".refunded-units.<policy>")
        .replaceFirst("\\.transitions\\..*", ".transitions.<mode>")
        .replaceFirst("\\.faults\\..*", ".faults.<fault>");
  }
}
