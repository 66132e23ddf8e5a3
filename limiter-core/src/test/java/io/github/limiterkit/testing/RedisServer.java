package io.github.limiterkit.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;

/**
 * A real Redis for one test or one class of tests. Normally it owns a process: an empty server on a
 * free loopback port, without persistence, that can be killed, paused and started again.
 *
 * <p>Where the server comes from, first match wins:
 *
 * <ol>
 *   <li>system property {@value #URL}: a server that runs already, as {@code redis://host:port};
 *       only for tests that neither stop it nor configure it;
 *   <li>system property {@value #BINARY}: a {@code redis-server} to start;
 *   <li>the binary in the embedded-redis artifact, so that everybody tests with the same server;
 *   <li>{@code redis-server} on the {@code PATH};
 *   <li>a container, if system property {@value #CONTAINER} is {@code true}; like the first, it
 *       cannot be stopped by a test.
 * </ol>
 *
 * If there is none, {@link #start} throws: a test without a Redis fails, it does not skip.
 *
 * <p>Methods may be called from any thread. Everything that goes wrong is thrown as {@link
 * IllegalStateException} or {@link UncheckedIOException}.
 */
public final class RedisServer implements AutoCloseable {

  /** System property: the URL of a server to use instead of starting one. */
  public static final String URL = "limiterkit.redis.url";

  /** System property: the path of the {@code redis-server} to start. */
  public static final String BINARY = "limiterkit.redis.binary";

  /** System property: {@code true} allows a container where no binary runs. */
  public static final String CONTAINER = "limiterkit.redis.container";

  private static final String LOOPBACK = "127.0.0.1";
  private static final Duration START = Duration.ofSeconds(10);
  private static final int PORT_TRIES = 5;

  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
  }

  private final String host;
  private final int port;
  private final @Nullable Owned owned;
  private final AutoCloseable container;

  private RedisServer(String host, int port, @Nullable Owned owned, AutoCloseable container) {
    this.host = host;
    this.port = port;
    this.owned = owned;
    this.container = container;
  }

  /**
   * How often the server ran one command.
   *
   * @param calls all runs
   * @param failed those that ended with an error; 0 from servers older than Redis 6.2, which do not
   *     say
   */
  public record CommandCount(long calls, long failed) {}

  /**
   * Starts a server and waits until it answers.
   *
   * @param extraConfigLines lines of {@code redis.conf}, after those that the harness writes
   */
  public static synchronized RedisServer start(String... extraConfigLines) {
    String url = System.getProperty(URL);
    if (url != null) {
      if (extraConfigLines.length > 0) {
        throw new IllegalStateException("a server given by " + URL + " takes no configuration");
      }
      URI uri = URI.create(url);
      return new RedisServer(uri.getHost(), uri.getPort(), null, () -> {});
    }
    Optional<Path> binary = RedisBinary.find(System.getProperty(BINARY), System.getenv("PATH"));
    if (binary.isPresent()) {
      return startOnFreePort(binary.get(), extraConfigLines);
    }
    if (Boolean.getBoolean(CONTAINER)) {
      return Containers.start(extraConfigLines);
    }
    throw new IllegalStateException(
        "No Redis to test with: embedded-redis has none for this platform and none is on the PATH."
            + " Name one with -D%s=PATH or -D%s=redis://HOST:PORT, or allow a container with"
                .formatted(BINARY, URL)
            + " -D%s=true".formatted(CONTAINER));
  }

  private static RedisServer startOnFreePort(Path binary, String... extraConfigLines) {
    IllegalStateException last = new IllegalStateException("never tried");
    for (int i = 0; i < PORT_TRIES; i++) {
      int port = freePort();
      Owned owned = new Owned(binary, port, List.of(extraConfigLines));
      try {
        owned.start();
        return new RedisServer(LOOPBACK, port, owned, () -> {});
      } catch (IllegalStateException portTakenMeanwhile) {
        owned.close();
        last = portTakenMeanwhile;
        if (!String.valueOf(last.getMessage()).contains("already in use")) {
          throw last;
        }
      }
    }
    throw last;
  }

  /** The address to connect to. */
  public String host() {
    return host;
  }

  /** The port to connect to; a restart keeps it. */
  public int port() {
    return port;
  }

  /** Host and port, as {@code redis://host:port}. */
  public String url() {
    return "redis://" + host + ":" + port;
  }

  /** The process id of the server that runs now; a restart changes it. */
  public long pid() {
    return owned().pid();
  }

  /** Ends the server at once with SIGKILL, and waits until it has gone. */
  public void kill() {
    owned().kill();
  }

  /** Stops the server with SIGSTOP: connections stay open, nothing is answered. */
  public void pause() {
    owned().signal("STOP");
  }

  /** Lets a paused server go on, with SIGCONT. */
  public void resume() {
    owned().signal("CONT");
  }

  /** Kills the server if it runs, and starts an empty one on the same port. */
  public void restart() {
    owned().kill();
    owned().start();
  }

  /**
   * Runs one command over a connection of its own.
   *
   * @return the reply as text: elements of an array on a line each, {@code (nil)} for none
   * @throws IllegalStateException if the reply is an error
   * @throws UncheckedIOException if there is no reply within two seconds
   */
  public String command(String... words) {
    try {
      return RespClient.send(host, port, words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What the server has run since it started or since {@code CONFIG RESETSTAT}, by command in lower
   * case, as in {@code evalsha}; the question is not in its own answer.
   */
  public Map<String, CommandCount> commandStats() {
    Map<String, CommandCount> counts = new TreeMap<>();
    for (String line : command("INFO", "commandstats").lines().toList()) {
      if (line.startsWith("cmdstat_")) {
        int colon = line.indexOf(':');
        String fields = line.substring(colon + 1);
        counts.put(
            line.substring("cmdstat_".length(), colon),
            new CommandCount(number(fields, "calls"), number(fields, "failed_calls")));
      }
    }
    return counts;
  }

  private static long number(String fields, String name) {
    for (String field : fields.split(",", -1)) {
      if (field.startsWith(name + "=")) {
        return Long.parseLong(field.substring(name.length() + 1));
      }
    }
    return 0;
  }

  /** Ends the server for sure, also a paused one, and deletes its files. */
  @Override
  public void close() {
    if (owned != null) {
      owned.close();
    }
    try {
      container.close();
    } catch (Exception e) {
      throw new IllegalStateException("the container did not stop", e);
    }
  }

  private Owned owned() {
    if (owned == null) {
      throw new IllegalStateException("the harness did not start this server: " + url());
    }
    return owned;
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The process, its port and its directory. */
  private static final class Owned {

    private final Path binary;
    private final int port;
    private final Path directory;
    private final Path log;
    private final Path config;
    private @Nullable Process process;

    Owned(Path binary, int port, List<String> extraConfigLines) {
      this.binary = binary;
      this.port = port;
      try {
        directory = Files.createTempDirectory("limiterkit-redis");
        log = directory.resolve("redis.log");
        List<String> lines =
            new ArrayList<>(
                List.of(
                    "bind " + LOOPBACK,
                    "port " + port,
                    "daemonize no",
                    "save \"\"",
                    "appendonly no",
                    "dir \"" + directory + "\""));
        lines.addAll(extraConfigLines);
        config = Files.write(directory.resolve("redis.conf"), lines);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    synchronized void start() {
      try {
        Process started =
            new ProcessBuilder(binary.toString(), config.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        process = started;
        RUNNING.add(started);
        long end = System.nanoTime() + START.toNanos();
        while (!answers()) {
          if (!started.isAlive()) {
            throw new IllegalStateException("redis-server did not start: " + Files.readString(log));
          }
          if (System.nanoTime() - end > 0) {
            kill();
            throw new IllegalStateException(
                "redis-server gave no answer within " + START + ": " + Files.readString(log));
          }
          started.waitFor(5, TimeUnit.MILLISECONDS);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        kill();
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while redis-server started", e);
      }
    }

    private boolean answers() {
      try {
        RespClient.send(LOOPBACK, port, "PING");
        return true;
      } catch (IllegalStateException refusedButThere) {
        return true;
      } catch (IOException notYet) {
        return false;
      }
    }

    synchronized long pid() {
      return running().pid();
    }

    synchronized void signal(String name) {
      try {
        Process kill =
            new ProcessBuilder("kill", "-" + name, String.valueOf(running().pid()))
                .inheritIO()
                .start();
        if (kill.waitFor() != 0) {
          throw new IllegalStateException("could not send SIG" + name);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while sending SIG" + name, e);
      }
    }

    synchronized void kill() {
      Process running = process;
      if (running == null) {
        return;
      }
      running.destroyForcibly();
      boolean gone = false;
      boolean interrupted = false;
      long end = System.nanoTime() + START.toNanos();
      while (!gone && System.nanoTime() - end < 0) {
        try {
          gone = running.waitFor(100, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      if (!gone) {
        throw new IllegalStateException("redis-server does not end: process " + running.pid());
      }
      RUNNING.remove(running);
      process = null;
    }

    void close() {
      kill();
      RedisBinary.delete(directory);
    }

    private Process running() {
      if (process == null) {
        throw new IllegalStateException("redis-server was killed");
      }
      return process;
    }
  }

  /** Apart, so that modules without Testcontainers can use this harness. */
  private static final class Containers {

    static RedisServer start(String... extraConfigLines) {
      if (extraConfigLines.length > 0) {
        throw new IllegalStateException("a server in a container takes no configuration");
      }
      GenericContainer<?> container = new GenericContainer<>("redis:7.2-alpine");
      container.addExposedPort(6379);
      container.start();
      return new RedisServer(
          container.getHost(), container.getMappedPort(6379), null, container::stop);
    }
  }
}
