package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Files with mistakes, and beside each what is told of it: all of it in one run, and where it is.
 */
class BrokenFilesTest {

  @TestFactory
  Stream<DynamicTest> tellsEverythingThatIsWrong() throws IOException {
    return files()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    String.valueOf(file.getFileName()),
                    () -> {
                      String text = Files.readString(told(file)).stripTrailing();
                      assertThat(message(file)).isEqualTo(text);
                    }));
  }

  private static String message(Path file) throws IOException {
    Errors errors = new Errors("limiter.yaml");
    Blueprint kit = new Blueprint();
    ConfigFile.read(Files.readAllBytes(file), new Variables(name -> null), kit, errors);
    return catchThrowableOfType(LimiterConfigurationException.class, () -> kit.start(errors))
        .getMessage();
  }

  private static Path told(Path file) {
    return file.resolveSibling(file.getFileName().toString().replace(".yaml", ".txt"));
  }

  private static Stream<Path> files() throws IOException {
    URL folder = Objects.requireNonNull(BrokenFilesTest.class.getResource("broken"));
    try (Stream<Path> files = Files.list(Path.of(URI.create(folder.toString())))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream();
    }
  }
}
