package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.limiterkit.http.HttpPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The options of answers, addresses and paths, in files and as parameters. */
class OptionWordsTest {

  @TempDir private Path folder;

  private Path file(String text) throws Exception {
    return Files.writeString(folder.resolve("limiter.yaml"), text);
  }

  @Test
  void areReadFromAFile() throws Exception {
    Path file =
        file(
            """
            policies: { p: { limits: 9/1h }, asking: { limits: 2/1h } }
            routes: [{ path: /*, policies: [p] }]
            preflight: [asking]
            ignore-case: true
            error-page: true
            client-address: { ipv4-in: ["64:ff9b::/96"] }
            headers: { only-closest: true, partition-key-secret: 0123456789abcdef }
            """);
    try (LimiterKit kit = LimiterKit.from(file)) {
      assertThat(kit.http().usesErrorPage()).isTrue();
      assertThat(kit.http().policies()).extracting(HttpPolicy::name).contains("asking");
    }
  }

  @Test
  void areCheckedInAFile() throws Exception {
    Path file =
        file(
            """
            policies: { p: { limits: 9/1h } }
            routes: [{ path: /*, policies: [p] }]
            preflight: [q]
            ignore-case: maybe
            client-address: { ipv4-in: ["64:ff9b::/97"] }
            headers: { partition-key-secret: SECRET }
            """);
    assertThat(LimiterKit.check(file))
        .anyMatch(line -> line.contains("preflight") && line.contains("no policy is named \"q\""))
        .anyMatch(line -> line.contains("ignore-case") && line.contains("\"maybe\""))
        .anyMatch(line -> line.contains("has 6 characters; write 16 or more"))
        .noneMatch(line -> line.contains("SECRET"));
  }

  @Test
  void areReadFromParameters() {
    Map<String, String> good =
        Map.of(
            "name", "p",
            "limits", "1/1h",
            "ipv4-in", "64:ff9b::/96, 2001:db8:64::/96",
            "ignore-case", "true",
            "error-page", "true",
            "only-closest", "true",
            "partition-key-secret", "0123456789abcdef");
    try (LimiterKit kit = LimiterKit.fromParameters("filter \"f\"", good)) {
      assertThat(kit.http().usesErrorPage()).isTrue();
    }
    assertThatThrownBy(
            () ->
                LimiterKit.fromParameters(
                    "filter \"f\"", Map.of("name", "p", "limits", "1/1h", "ipv4-in", "10.0.0.0/8")))
        .isInstanceOf(LimiterConfigurationException.class)
        .hasMessageContaining("10.0.0.0/8 cannot carry IPv4");
  }
}
