package io.github.limiterkit.examples.quickstart;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/** A real Redis, started from the binary inside the embedded-redis artifact and stopped by us. */
final class EmbeddedRedis implements AutoCloseable {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final int MILLIS_TO_START = 10_000;

  private final Path directory;
  private final List<String> command;
  private final int port;
  private final Process process;

  private EmbeddedRedis(Path directory, List<String> command, int port, Process process) {
    this.directory = directory;
    this.command = command;
    this.port = port;
    this.process = process;
  }

  /** Starts one on a free port; empty, with the reason on standard error, where none can run. */
  static Optional<EmbeddedRedis> start() {
    Path directory = null;
    try {
      directory = Files.createTempDirectory("limiterkit-quickstart");
      Path binary = ExecutableProvider.newJarResourceProvider(directory.toFile()).get().toPath();
      return Optional.of(start(directory, binary));
    } catch (IOException | RuntimeException | LinkageError noRedisHere) {
      System.err.println("No Redis can be started here: " + noRedisHere.getMessage());
      if (directory != null) {
        delete(directory);
      }
      return Optional.empty();
    }
  }

  private static EmbeddedRedis start(Path directory, Path binary) throws IOException {
    int port = freePort();
    List<String> command =
        List.of(
            binary.toString(),
            "--bind",
            "127.0.0.1",
            "--port",
            Integer.toString(port),
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            directory.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("redis.log").toFile())
            .start();
    EmbeddedRedis redis = new EmbeddedRedis(directory, command, port, process);
    try {
      redis.awaitListening();
      return redis;
    } catch (IOException neverListened) {
      redis.close();
      throw neverListened;
    }
  }

  long pid() {
    return process.pid();
  }

  int port() {
    return port;
  }

  String url() {
    return "redis://127.0.0.1:" + port;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What to type to start it again after it was killed. */
  String command() {
    StringBuilder line = new StringBuilder();
    for (String word : command) {
      line.append(line.isEmpty() ? "" : " ").append(word.isEmpty() ? "''" : word);
    }
    return line.toString();
  }

  /** Stops the process, if somebody has not killed it already, and deletes its files. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(2, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor(2, TimeUnit.SECONDS);
      }
    } catch (InterruptedException hurry) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    delete(directory);
  }

  private void awaitListening() throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS_TO_START);
    while (process.isAlive() && System.nanoTime() - end < 0) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(LOOPBACK, port), 100);
        return;
      } catch (IOException notYet) {
        pause();
      }
    }
    throw new IOException("redis-server did not start: " + log());
  }

  private void pause() throws IOException {
    try {
      process.waitFor(20, TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while Redis was starting", stopped);
    }
  }

  private String log() throws IOException {
    return Files.readString(directory.resolve("redis.log")).strip();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, LOOPBACK)) {
      return socket.getLocalPort();
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException leftOver) {
      // It is in the system's temporary directory, which is cleared anyway.
    }
  }
}
