package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.testing.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Durations;
import org.junit.jupiter.api.Test;

/** The process stands still, as in a pause of its collector: the store is not to blame. */
class ProcessPauseIT {

  private static final Duration PAUSE = Duration.ofMillis(200);

  @Test
  void aPauseOfTheProcessDoesNotShutTheGate() throws Exception {
    bears(3, PAUSE, PAUSE, 100);
  }

  /** As a container's quota does it: nothing for four fifths of each tenth of a second. */
  @Test
  void aProcessThatGetsAFifthOfAProcessorDoesNotBlameTheStore() throws Exception {
    bears(20, Duration.ofMillis(80), Duration.ofMillis(20), 20);
  }

  private static void bears(int pauses, Duration each, Duration between, int leastCalls)
      throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Process process = start(redis.url());
      try {
        List<String> lines = linesOf(process);
        await().atMost(Durations.TEN_SECONDS).until(() -> says(lines, "SHARED"));
        for (int i = 0; i < pauses; i++) {
          signal(process, "STOP");
          Thread.sleep(each.toMillis());
          signal(process, "CONT");
          Thread.sleep(between.toMillis());
        }
        process.getOutputStream().close();
        await().atMost(Durations.TEN_SECONDS).until(() -> says(lines, "ends"));

        assertThat(lines).contains("ends well").noneMatch(line -> line.startsWith("DEGRADED"));
        assertThat(redis.commandStats().get("evalsha").calls())
            .as("load")
            .isGreaterThan(leastCalls);
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private static boolean says(List<String> lines, String word) {
    return lines.stream().anyMatch(line -> line.startsWith(word));
  }

  private static Process start(String url) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java, "-cp", System.getProperty("java.class.path"), PausedProcess.class.getName(), url)
        .redirectErrorStream(true)
        .start();
  }

  private static List<String> linesOf(Process process) {
    List<String> lines = new CopyOnWriteArrayList<>();
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    Thread thread = new Thread(() -> reader.lines().forEach(lines::add), "lines-of-the-process");
    thread.setDaemon(true);
    thread.start();
    return lines;
  }

  private static void signal(Process process, String name) throws Exception {
    int code =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    assertThat(code).isZero();
  }
}
