package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A main method of a test in a process of its own, on the class path of the tests. */
final class ChildJvm implements AutoCloseable {

  private static final String SAYS = "> ";

  private final Process process;
  private final BufferedReader output;
  private final StringBuilder written = new StringBuilder();

  private ChildJvm(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  static ChildJvm start(Class<?> main, List<String> arguments, String... options)
      throws IOException {
    return start(Path.of(System.getProperty("java.home")), main, arguments, options);
  }

  static ChildJvm start(Path javaHome, Class<?> main, List<String> arguments, String... options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(javaHome.resolve("bin").resolve("java").toString());
    command.addAll(List.of(options));
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(arguments);
    return new ChildJvm(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  /** For the child: says something to the test, which does not take it for a line of a log. */
  static void say(Object what) {
    System.out.println(SAYS + what);
  }

  /** The next thing that it says, or null if it says nothing more. */
  @Nullable String hears() throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      written.append(line).append('\n');
      if (line.startsWith(SAYS)) {
        return line.substring(SAYS.length());
      }
    }
    return null;
  }

  /** Writes a line to it. */
  void tell(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** All that it says until it ends, which it does well and in time. */
  List<String> hearsToTheEnd(Duration longest) throws IOException, InterruptedException {
    List<String> said = new ArrayList<>();
    for (String line = hears(); line != null; line = hears()) {
      said.add(line);
    }
    assertThat(process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    assertThat(process.exitValue()).as("%s", written).isZero();
    return said;
  }

  /** Ends it at once, as a crash would. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
