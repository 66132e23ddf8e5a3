package io.github.limiterkit.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The quickstart as a process of its own, as from the command line. */
class QuickstartProcessIT {

  private static final Pattern KILL = Pattern.compile("kill -9 (\\d+)");

  @Test
  void stopsItsRedisWhenItIsTerminated() throws Exception {
    Process process = start("0", "");
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      ProcessHandle redis = ProcessHandle.of(redisPid(output)).orElseThrow();
      assertThat(redis.isAlive()).isTrue();

      process.destroy();

      assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(redis.isAlive()).isFalse();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void saysInOneLineWhatIsWrongWithItsSettings() throws Exception {
    assertThat(errorOf(start("abc", "")))
        .isEqualTo(
            "The quickstart cannot start: PORT \"abc\" is not a number from 0 (any that is free) to"
                + " 65535");
    assertThat(errorOf(start("0", "localhost:6379")))
        .isEqualTo(
            "The quickstart cannot start: store URL \"localhost:6379\": write redis://host:6379, or"
                + " rediss://host:6379 for TLS");
  }

  @Test
  void saysInOneLineThatItsPortIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();

      // With a Redis that is not there, so that the log has lines of its own, before this one.
      assertThat(errorOf(start(Integer.toString(port), "redis://127.0.0.1:1")))
          .endsWith(
              "\nThe quickstart cannot start: port "
                  + port
                  + " cannot be used; choose another, as in PORT=8081")
          .doesNotContain("\tat ");
    }
  }

  private static Process start(String port, String redisUrl) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                Quickstart.class.getName())
            .redirectErrorStream(true);
    builder.environment().put("PORT", port);
    builder.environment().put("REDIS_URL", redisUrl);
    return builder.start();
  }

  private static String errorOf(Process process) throws Exception {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      String said = output.lines().collect(Collectors.joining("\n"));
      assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(1);
      return said;
    } finally {
      process.destroyForcibly();
    }
  }

  private static long redisPid(BufferedReader output) throws Exception {
    StringBuilder read = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      read.append(line).append('\n');
      Matcher kill = KILL.matcher(line);
      if (kill.find()) {
        return Long.parseLong(kill.group(1));
      }
    }
    throw new AssertionError("it ended, having said:\n" + read);
  }
}
