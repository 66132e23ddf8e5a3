package io.github.limiterkit.examples.outagereplay;

import io.github.limiterkit.examples.outagereplay.Load.Arrival;
import io.github.limiterkit.testing.RawHttp;
import java.io.UncheckedIOException;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Sends every request at its moment, whether or not those before it have been answered. */
final class Traffic implements AutoCloseable {

  /** More than can wait at once, because the API gives up after a while. */
  private static final int MOST_AT_ONCE = 1_000;

  private static final int NO_ANSWER = 0;
  private static final long LAST_ANSWER_SECONDS = 10;

  private final RunClock clock;
  private final List<Address> addresses;
  private final List<Arrival> arrivals;
  private final Queue<Exchange> exchanges = new ConcurrentLinkedQueue<>();
  private final ThreadPoolExecutor clients =
      new ThreadPoolExecutor(
          0,
          MOST_AT_ONCE,
          5,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          work -> Threads.daemon("client", work));
  private final Thread sender = Threads.daemon("sender", this::send);

  /** Where an instance is, and the connections to it that are not in use. */
  private record Address(int port, Deque<RawHttp> idle) {}

  Traffic(RunClock clock, List<Integer> ports, List<Arrival> arrivals) {
    this.clock = clock;
    this.addresses =
        ports.stream().map(port -> new Address(port, new ConcurrentLinkedDeque<>())).toList();
    this.arrivals = List.copyOf(arrivals);
  }

  void start() {
    sender.start();
  }

  private void send() {
    for (Arrival arrival : arrivals) {
      if (!Threads.awaitNanos(clock.moment(arrival.atNanos()))) {
        return;
      }
      long sent = System.nanoTime();
      try {
        clients.execute(() -> ask(arrival, sent));
      } catch (RejectedExecutionException tooMany) {
        end(arrival, sent, NO_ANSWER);
      }
    }
  }

  private void ask(Arrival arrival, long sent) {
    Address address = addresses.get(arrival.instance());
    try {
      RawHttp idle = address.idle().poll();
      RawHttp connection = idle == null ? RawHttp.connect(address.port()) : idle;
      String client = (arrival.bot() ? "bot-" : "client-") + arrival.key();
      int status = connection.ask("GET", "/orders", Protection.CLIENT + ": " + client).status();
      address.idle().push(connection);
      end(arrival, sent, status);
    } catch (UncheckedIOException broken) {
      end(arrival, sent, NO_ANSWER);
    }
  }

  private void end(Arrival arrival, long sent, int status) {
    if (arrival.atNanos() >= 0) {
      double millis = (System.nanoTime() - sent) / 1e6;
      exchanges.add(
          new Exchange(clock.seconds(sent), millis, arrival.bot(), arrival.key(), status));
    }
  }

  /** What has been answered so far. */
  List<Exchange> exchanges() {
    return List.copyOf(exchanges);
  }

  /** Waits until everything is sent and answered. */
  void finish() throws InterruptedException {
    sender.join();
    clients.shutdown();
    if (!clients.awaitTermination(LAST_ANSWER_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("a request has neither been answered nor failed");
    }
  }

  @Override
  public void close() {
    Threads.end(sender);
    clients.shutdownNow();
    for (Address address : addresses) {
      for (RawHttp idle = address.idle().poll(); idle != null; idle = address.idle().poll()) {
        idle.close();
      }
    }
  }
}
