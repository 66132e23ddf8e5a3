package io.github.limiterkit.examples.outagereplay;

import io.github.limiterkit.testing.FaultProxy;
import io.github.limiterkit.testing.RedisServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A real Redis of one fleet, behind a network that takes its time, and what can befall it. */
final class Store implements AutoCloseable {

  /** In each direction: 2 ms there and back. */
  private static final Duration NETWORK = Duration.ofMillis(1);

  private static final int PARTS = 10;

  private static final Set<String> CALLS = Set.of("evalsha", "eval", "hello");

  /** Until an answer, while a neighbour keeps the store busy. */
  private static final Duration BUSY = Duration.ofMillis(40);

  /** Until an answer, at the neighbour's worst. */
  private static final Duration BUSIEST = Duration.ofMillis(60);

  private static final Duration BUSY_FOR = Duration.ofMillis(280);
  private static final Duration BUSIEST_FOR = Duration.ofMillis(120);

  private final RedisServer server = RedisServer.start();
  private final FaultProxy proxy = FaultProxy.inFrontOf(server.port());
  private @Nullable Thread neighbour;

  Store() {
    proxy.delay(NETWORK);
  }

  String url() {
    return proxy.url();
  }

  int port() {
    return proxy.port();
  }

  String version() {
    return server
        .command("INFO", "server")
        .lines()
        .filter(line -> line.startsWith("redis_version:"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("?");
  }

  /**
   * What limiters have had the server execute since it started: script calls, but for those that
   * only said that they did not know the script, and the greetings of new connections, which wait
   * for an answer as a decision does.
   */
  long executed() {
    return server.commandStats().entrySet().stream()
        .filter(command -> CALLS.contains(command.getKey()))
        .mapToLong(command -> command.getValue().calls() - command.getValue().failed())
        .sum();
  }

  /**
   * From now on an answer takes 40 ms, and for a good tenth of a second in every half 60 ms: as it
   * is when somebody scans the keys of a shared Redis, without taking the processor from those who
   * measure.
   */
  void slowDown() {
    neighbour(
        () -> {
          proxy.delayReplies(BUSY);
          if (Threads.awaitNanos(System.nanoTime() + BUSY_FOR.toNanos())) {
            proxy.delayReplies(BUSIEST);
            var unused = Threads.awaitNanos(System.nanoTime() + BUSIEST_FOR.toNanos());
          }
        });
  }

  /** From now on somebody looks for keys in a database of this size, again and again. */
  void scan(int keys) {
    // In parts, since nobody waits for ever for an answer.
    for (int part = 0; part < PARTS; part++) {
      server.command("DEBUG", "POPULATE", Integer.toString(keys / PARTS), "part-" + part);
    }
    neighbour(() -> call("KEYS", "there-is-no-such-key*"));
  }

  /** From now on a script of somebody keeps the server busy for so long. */
  void runScript(Duration busy) {
    String script =
        "local function now() local t = redis.call('TIME') return t[1] * 1000 + t[2] / 1000 end"
            + " local stop = now() + ARGV[1] while now() < stop do end";
    Thread caller =
        Threads.daemon(
            "neighbour", () -> call("EVAL", script, "0", Long.toString(busy.toMillis())));
    neighbour = caller;
    caller.start();
  }

  /** Stops the process, which keeps its connections. */
  void pause() {
    server.pause();
  }

  void resume() {
    server.resume();
  }

  void kill() {
    server.kill();
    proxy.refuse();
  }

  /** An empty server takes the place of the one that was killed. */
  void restart() {
    server.restart();
    proxy.delay(NETWORK);
  }

  /** Ends what a neighbour does, and whatever the network suffers. */
  void calmDown() {
    if (neighbour != null) {
      Threads.end(neighbour);
      neighbour = null;
    }
    proxy.delay(NETWORK);
  }

  private void neighbour(Runnable again) {
    Thread scans =
        Threads.daemon(
            "neighbour",
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                again.run();
              }
            });
    neighbour = scans;
    scans.start();
  }

  private void call(String... command) {
    try {
      server.command(command);
    } catch (UncheckedIOException | IllegalStateException impatient) {
      // A neighbour does not care.
    }
  }

  @Override
  public void close() {
    if (neighbour != null) {
      neighbour.interrupt();
    }
    proxy.close();
    server.close();
  }
}
