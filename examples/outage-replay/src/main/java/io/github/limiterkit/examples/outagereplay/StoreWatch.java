package io.github.limiterkit.examples.outagereplay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntSupplier;

/** Looks at the store ten times a second: what it has done, how long it takes, and who asks it. */
final class StoreWatch implements AutoCloseable {

  private static final Duration EVERY = Duration.ofMillis(100);
  private static final int PATIENCE_MILLIS = 1_000;
  private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);

  private final RunClock clock;
  private final Store store;
  private final Passages passages;
  private final IntSupplier counting;
  private final Queue<Work> work = new ConcurrentLinkedQueue<>();
  private final Queue<Delay> delays = new ConcurrentLinkedQueue<>();
  private final Queue<Users> users = new ConcurrentLinkedQueue<>();
  private final List<Thread> watchers =
      List.of(
          Threads.daemon("watch-work", () -> repeat(this::lookAtWork)),
          Threads.daemon("watch-delay", () -> repeat(this::lookAtDelay)),
          Threads.daemon("watch-users", () -> repeat(this::lookAtUsers)));

  /** Calls of servers that have been killed since. */
  private long callsBefore;

  private long lastCalls;

  /**
   * What the store has executed so far, and how many requests had come to the limiters by then.
   *
   * @param at in seconds since the run began
   * @param calls as {@link Store#executed} counts them
   * @param requests not fewer than those for which the calls were made
   */
  record Work(double at, long calls, long requests) {}

  /**
   * How long the store takes for the smallest question, network included.
   *
   * @param at in seconds since the run began
   * @param millis not a number if it does not answer
   */
  record Delay(double at, double millis) {}

  /**
   * How many instances count in the store.
   *
   * @param at in seconds since the run began
   * @param instances 0 to all
   */
  record Users(double at, int instances) {}

  StoreWatch(RunClock clock, Store store, Passages passages, IntSupplier counting) {
    this.clock = clock;
    this.store = store;
    this.passages = passages;
    this.counting = counting;
  }

  void start() {
    watchers.forEach(Thread::start);
  }

  private static void repeat(Runnable look) {
    long next = System.nanoTime();
    while (Threads.awaitNanos(next)) {
      look.run();
      next = Math.max(next + EVERY.toNanos(), System.nanoTime());
    }
  }

  /** Asks for the work now; nothing is known while the store does not answer. */
  synchronized void lookAtWork() {
    try {
      long calls = store.executed();
      double at = clock.now();
      long requests = passages.begun();
      if (calls < lastCalls) {
        callsBefore += lastCalls;
      }
      lastCalls = calls;
      work.add(new Work(at, callsBefore + calls, requests));
    } catch (UncheckedIOException | IllegalStateException gone) {
      // So there is no work to see either.
    }
  }

  private void lookAtDelay() {
    long asked = System.nanoTime();
    double millis = Double.NaN;
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), store.port()), PATIENCE_MILLIS);
      asked = System.nanoTime();
      socket.getOutputStream().write(PING);
      if (socket.getInputStream().read() >= 0) {
        millis = (System.nanoTime() - asked) / 1e6;
      }
    } catch (IOException gone) {
      // That is the answer.
    }
    delays.add(new Delay(clock.seconds(asked), millis));
  }

  private void lookAtUsers() {
    users.add(new Users(clock.now(), counting.getAsInt()));
  }

  List<Work> work() {
    return List.copyOf(work);
  }

  List<Delay> delays() {
    return List.copyOf(delays);
  }

  List<Users> users() {
    return List.copyOf(users);
  }

  @Override
  public void close() {
    watchers.forEach(Threads::end);
  }
}
