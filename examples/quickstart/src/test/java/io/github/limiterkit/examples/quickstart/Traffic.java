package io.github.limiterkit.examples.quickstart;

import io.github.limiterkit.testing.RawHttp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that each send requests at a steady pace over one connection, from an address of their
 * own, and what they were answered.
 */
final class Traffic implements AutoCloseable {

  /**
   * One request.
   *
   * @param client who sent it
   * @param sentNanos when, by {@link System#nanoTime()}
   * @param tookNanos until the whole answer was there
   * @param status of the answer; 0 if there was none
   * @param source who decided, as the answer says; empty if nobody was asked
   */
  record Request(String client, long sentNanos, long tookNanos, int status, String source) {}

  private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final int port;

  Traffic(int port) {
    this.port = port;
  }

  /** Adds a client that begins at once; a request is a method, a space and a path. */
  void add(String name, String address, String request, double perSecond) {
    Thread thread = new Thread(() -> send(name, address, request, perSecond), name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void send(String name, String address, String request, double perSecond) {
    long pause = (long) (TimeUnit.SECONDS.toNanos(1) / perSecond);
    // Each begins at another moment of its period, so that they do not come in step.
    long next = System.nanoTime() + Math.floorMod(name.hashCode() * 7_919L, pause);
    try (RawHttp connection = RawHttp.connect(address, "127.0.0.1", port)) {
      while (!stopped.get()) {
        LockSupport.parkNanos(next - System.nanoTime());
        if (next - System.nanoTime() <= 0) {
          next += pause;
          requests.add(request(connection, name, request));
        }
      }
    }
  }

  private static Request request(RawHttp connection, String name, String request) {
    long sent = System.nanoTime();
    String[] methodAndPath = request.split(" ", 2);
    RawHttp.Reply reply = connection.ask(methodAndPath[0], methodAndPath[1]);
    long took = System.nanoTime() - sent;
    String source = reply.one("Limiter-Source");
    return new Request(name, sent, took, reply.status(), source == null ? "" : source);
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  /** Ends all clients; their last answers are there when it returns. */
  void stop() {
    stopped.set(true);
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    for (Thread thread : threads) {
      LockSupport.unpark(thread);
      while (thread.isAlive() && System.nanoTime() - end < 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
    }
  }

  @Override
  public void close() {
    stop();
  }
}
