package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Decision;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.redis.RedisStore;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an application need not have on its class path, tried in a JVM that does not have it. */
class OptionalLibrariesTest {

  @Test
  void limitsInMemoryWithoutJedisAndWithoutDropwizard() throws Exception {
    assertThat(run(InMemory.class, "jedis", "metrics-core", "metrics-healthchecks"))
        .contains("allowed true", "allowed false", "mode LOCAL");
  }

  @Test
  void saysThatARedisStoreNeedsJedis() throws Exception {
    assertThat(run(WithStore.class, "jedis", "metrics-core", "metrics-healthchecks"))
        .contains("store: a Redis store needs Jedis 5.2 or newer");
  }

  @Test
  void namesAJedisThatIsTooOld(@TempDir Path folder) throws Exception {
    Path old = folder.resolve("old-jedis.jar");
    writeOlderJedis(entry("jedis-"), old);

    assertThat(run(WithStore.class, List.of(old.toString()), "jedis"))
        .contains("store: a Redis store needs Jedis 5.2 or newer", "found Jedis 4.4.8");
  }

  @Test
  void publishesMetricsWithoutTheLibraryOfHealthChecks() throws Exception {
    assertThat(run(WithMetrics.class, "jedis", "metrics-healthchecks"))
        .contains("allowed true", "limiterkit.mode");
  }

  /** A kit without a store. */
  static final class InMemory {
    public static void main(String[] none) {
      HttpPolicy policy = HttpPolicy.named("hello").limits("1/1m").build();
      try (LimiterKit kit = LimiterKit.inMemory().route("/*", policy).build()) {
        for (int i = 0; i < 2; i++) {
          Decision decision = kit.acquire("hello", "user:ada");
          System.out.println("allowed " + decision.allowed());
        }
        System.out.println("mode " + kit.mode());
      }
    }
  }

  /** A kit that wants what is not there. */
  static final class WithStore {
    public static void main(String[] none) {
      HttpPolicy policy = HttpPolicy.named("hello").limits("1/1m").build();
      try {
        LimiterKit.builder()
            .store(RedisStore.at("redis://127.0.0.1:1"))
            .policy(policy)
            .build()
            .close();
      } catch (LimiterConfigurationException wrong) {
        System.out.println(wrong.getMessage());
      }
    }
  }

  /** A kit with metrics, but without health checks. */
  static final class WithMetrics {
    public static void main(String[] none) {
      com.codahale.metrics.MetricRegistry registry = new com.codahale.metrics.MetricRegistry();
      HttpPolicy policy = HttpPolicy.named("hello").limits("1/1m").build();
      try (LimiterKit kit =
          LimiterKit.inMemory()
              .policy(policy)
              .metrics(io.github.limiterkit.metrics.DropwizardMetrics.on(registry))
              .build()) {
        System.out.println("allowed " + kit.acquire("hello", "user:ada").allowed());
        System.out.println(registry.getNames());
      }
    }
  }

  /** The library without what came with 5.2, and with the description of an earlier version. */
  private static void writeOlderJedis(Path jedis, Path older) throws IOException {
    try (JarFile from = new JarFile(jedis.toFile());
        JarOutputStream to = new JarOutputStream(Files.newOutputStream(older))) {
      for (JarEntry entry : Collections.list(from.entries())) {
        if (entry.getName().startsWith("redis/clients/jedis/csc/")) {
          continue;
        }
        to.putNextEntry(new JarEntry(entry.getName()));
        if (entry.getName().endsWith("/pom.properties")) {
          to.write("version=4.4.8\n".getBytes(StandardCharsets.US_ASCII));
        } else {
          from.getInputStream(entry).transferTo(to);
        }
        to.closeEntry();
      }
    }
  }

  private static Path entry(String startOfName) {
    return classPath()
        .filter(entry -> new File(entry).getName().startsWith(startOfName))
        .map(Path::of)
        .findFirst()
        .orElseThrow();
  }

  private static Stream<String> classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator));
  }

  private static String run(Class<?> main, String... without)
      throws IOException, InterruptedException {
    return run(main, List.of(), without);
  }

  private static String run(Class<?> main, List<String> with, String... without)
      throws IOException, InterruptedException {
    Stream<String> kept =
        classPath()
            .filter(
                entry -> Arrays.stream(without).noneMatch(new File(entry).getName()::startsWith));
    String classPath =
        Stream.concat(with.stream(), kept).collect(Collectors.joining(File.pathSeparator));
    Process process =
        new ProcessBuilder(
                List.of(
                    System.getProperty("java.home") + "/bin/java",
                    "-cp",
                    classPath,
                    main.getName()))
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).as(output).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }
}
