package io.github.limiterkit.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/** Finds a {@code redis-server} that runs on this machine. */
final class RedisBinary {

  private static @Nullable Path unpacked;

  private RedisBinary() {}

  /**
   * The binary that was asked for, else the one in the embedded-redis artifact, else the one on the
   * path; empty if none of them runs.
   *
   * @param asked a path, or null if nobody asked; one that does not run is an error, not a hint
   * @param path directories as in the environment variable {@code PATH}
   */
  static Optional<Path> find(@Nullable String asked, @Nullable String path) {
    if (asked != null) {
      Path binary = Path.of(asked);
      if (!runs(binary)) {
        throw new IllegalStateException(
            RedisServer.BINARY + " names no server that runs: " + asked);
      }
      return Optional.of(binary);
    }
    return embedded().or(() -> onPath(path));
  }

  static Optional<Path> onPath(@Nullable String path) {
    if (path == null) {
      return Optional.empty();
    }
    return Stream.of(path.split(File.pathSeparator, -1))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, "redis-server"))
        .filter(RedisBinary::runs)
        .findFirst();
  }

  /** Unpacked once per JVM: the binary has some 10 MB. */
  private static synchronized Optional<Path> embedded() {
    if (unpacked == null) {
      Path directory = null;
      try {
        directory = Files.createTempDirectory("limiterkit-redis-binary");
        deleteAtExit(directory);
        Path binary = ExecutableProvider.newJarResourceProvider(directory.toFile()).get().toPath();
        if (!runs(binary)) {
          return Optional.empty();
        }
        unpacked = binary;
      } catch (IOException | RuntimeException | LinkageError noBinaryForThisPlatform) {
        return Optional.empty();
      }
    }
    return Optional.of(unpacked);
  }

  private static boolean runs(Path binary) {
    if (!Files.isExecutable(binary)) {
      return false;
    }
    try {
      Process version =
          new ProcessBuilder(binary.toString(), "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!version.waitFor(10, TimeUnit.SECONDS)) {
        version.destroyForcibly();
        return false;
      }
      return version.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void deleteAtExit(Path directory) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
  }

  /** Deletes as much as it can: a temporary file left over fails no test. */
  static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException leftOver) {
      // The operating system clears its temporary directory.
    }
  }
}
