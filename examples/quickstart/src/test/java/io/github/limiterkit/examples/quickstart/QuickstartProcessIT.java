package io.github.limiterkit.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The quickstart as a process of its own, as from the command line. */
class QuickstartProcessIT {

  private static final Pattern KILL = Pattern.compile("kill -9 (\\d+)");

  @Test
  void stopsItsRedisWhenItIsTerminated() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                Quickstart.class.getName())
            .redirectErrorStream(true);
    builder.environment().put("PORT", "0");
    builder.environment().remove("REDIS_URL");
    Process process = builder.start();
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
