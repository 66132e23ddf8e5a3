package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.limiterkit.http.Keys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What others offer and the kit does not: who asks for it is told, and nothing happens silently.
 */
class AbsentFeaturesTest {

  @TempDir private Path folder;

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("limiter.yaml"), text);
  }

  @Test
  @DisplayName("OP-10, HT-085: no route shuts another out, and a word for it is a mistake")
  void offersNoExclusiveRoutes() throws IOException {
    for (String word :
        List.of("exclusive: true", "first-match: true", "priority: 1", "stop: true")) {
      String file =
          """
          policies: { all: { limits: 9/1h }, login: { limits: 2/1h } }
          routes:
            - { path: /api/*, policies: [all] }
            - { path: /api/login, policies: [login], %s }
          """
              .formatted(word);
      String name = word.substring(0, word.indexOf(':'));
      assertThatThrownBy(() -> LimiterKit.from(write(file)))
          .isInstanceOf(LimiterConfigurationException.class)
          .hasMessageContaining("limiter.yaml:4:")
          .hasMessageContaining("there is no setting \"" + name + "\"");
    }
  }

  @Test
  @DisplayName("HT-038: the only key by credentials is the header, and other words are mistakes")
  void offersNoKeyByToken() {
    for (String word : List.of("bearer", "bearer-token", "token:X", "authorization", "basic")) {
      assertThatThrownBy(() -> Keys.parse(word))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("\"" + word.replace(":X", ""))
          .hasMessageContaining("header:NAME");
    }
    assertThat(Keys.describe(Keys.parse("header:Authorization"))).isEqualTo("header:Authorization");
  }

  @Test
  @DisplayName("HT-152: a file is read at the start only, so that nothing refills while a kit runs")
  void readsAFileOnce() throws IOException {
    String file =
        """
        policies: { a: { limits: 2/1h }, b: { limits: 2/1h } }
        routes: [{ path: /*, policies: [a, b] }]
        """;
    try (LimiterKit kit = LimiterKit.from(write(file))) {
      assertThat(kit.acquire("a", "user:ada").allowed()).isTrue();
      assertThat(kit.acquire("a", "user:ada").allowed()).isTrue();
      write(file.replace("b: { limits: 2/1h }", "b: { limits: 9/1h }"));
      assertThat(kit.acquire("a", "user:ada").allowed()).isFalse();
      assertThat(kit.usage("b", "user:ada").get(0).limit()).hasToString("2/1h");
    }
  }
}
