package io.github.limiterkit.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Ticker;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("deep")
class LocalTableMemoryTest {

  private static final int SUBJECTS = 5_000_000;
  private static final int MEGABYTE = 1 << 20;

  @Test
  @DisplayName("ST-071: five million subjects in a small heap")
  void staysSmallUnderMillionsOfSubjects() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Process child =
        new ProcessBuilder(
                List.of(java, "-Xmx128m", "-cp", classes, LocalTableMemoryTest.class.getName()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.PIPE)
            .directory(new File(System.getProperty("java.io.tmpdir")))
            .start();
    try {
      String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(child.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(child.exitValue()).as(output).isZero();
      String[] figures = output.strip().split(" ", -1);
      assertThat(Integer.parseInt(figures[0])).as("keys").isEqualTo(100_000);
      assertThat(Integer.parseInt(figures[1])).as("megabytes in use").isLessThanOrEqualTo(64);
      assertThat(Long.parseLong(figures[2])).as("ns at the 99th percentile").isLessThan(1_000_000);
    } finally {
      child.destroyForcibly();
    }
  }

  /** Runs in a process of its own. */
  public static void main(String[] arguments) {
    LocalLimiter limiter = new LocalLimiter(Ticker.system(), LocalTable.DEFAULT_MAX_KEYS);
    Policy policy = Policy.named("a").limits("10/1h").build();
    int[] callsByMicros = new int[1_001];
    for (int i = 0; i < SUBJECTS; i++) {
      Charge charge = Charge.of(policy, "ip:2001:db8::" + Integer.toHexString(i));
      long start = System.nanoTime();
      limiter.acquire(charge);
      long micros = (System.nanoTime() - start) / 1_000;
      callsByMicros[(int) Math.min(1_000, micros)]++;
      if (limiter.size() > limiter.maxKeys()) {
        throw new IllegalStateException("holds " + limiter.size());
      }
    }
    int slowest = 1_000;
    for (int slower = 0; slower + callsByMicros[slowest] <= SUBJECTS / 100; slowest--) {
      slower += callsByMicros[slowest];
    }
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    long used = (runtime.totalMemory() - runtime.freeMemory()) / MEGABYTE;
    System.out.println(limiter.size() + " " + used + " " + 1_000L * (slowest + 1));
  }
}
