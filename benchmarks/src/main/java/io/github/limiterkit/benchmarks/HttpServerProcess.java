package io.github.limiterkit.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A {@link HttpServerMain} that runs, seen from outside. */
final class HttpServerProcess implements AutoCloseable {

  private final Process process;
  private final int port;

  private HttpServerProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static HttpServerProcess start(HttpContainer container, HttpGuard guard, boolean refuses)
      throws IOException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xms256m",
                    "-Xmx256m",
                    "-XX:+AlwaysPreTouch",
                    "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                    "-cp",
                    System.getProperty("java.class.path"),
                    HttpServerMain.class.getName(),
                    container.name(),
                    guard.name(),
                    String.valueOf(refuses)))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    // Not closed before the process: its output belongs to it.
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    String port = output.readLine();
    if (port == null) {
      process.destroyForcibly();
      throw new IllegalStateException(
          guard.title() + " on " + container.title() + " did not start");
    }
    return new HttpServerProcess(process, Integer.parseInt(port));
  }

  int port() {
    return port;
  }

  /** The processor time that it has used since it began. */
  double cpuMicros() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e3;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
