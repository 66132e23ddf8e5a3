package io.github.limiterkit.examples.outagereplay;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What the API stands on, such as a database: so many connections, each busy for a while with every
 * request, and a queue in front of them. It does not know that somebody has given up waiting, so
 * under more than its capacity it works for nobody: it is down.
 */
final class Backend implements AutoCloseable {

  static final int CONNECTIONS = 12;
  static final Duration WORK = Duration.ofMillis(25);
  static final int CAPACITY_PER_SECOND = (int) (CONNECTIONS * 1_000 / WORK.toMillis());

  /** Whoever has waited so long for an answer gives up. */
  static final Duration PATIENCE = Duration.ofMillis(250);

  /** Half a second's worth of work, which is longer than anybody waits. */
  private static final int QUEUE = CAPACITY_PER_SECOND / 2;

  private final ThreadPoolExecutor connections =
      new ThreadPoolExecutor(
          CONNECTIONS,
          CONNECTIONS,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(QUEUE),
          work -> Threads.daemon("backend", work));

  private final ScheduledThreadPoolExecutor patience =
      new ScheduledThreadPoolExecutor(1, task -> Threads.daemon("patience", task));

  /**
   * Takes a request.
   *
   * @param done told when its work is done, however late
   * @param givenUp told when it has waited too long, or at once if there is no room for it
   */
  void accept(Runnable done, Runnable givenUp) {
    try {
      connections.execute(
          () -> {
            work();
            done.run();
          });
      var unused = patience.schedule(givenUp, PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException full) {
      givenUp.run();
    }
  }

  private static void work() {
    long end = System.nanoTime() + WORK.toNanos();
    long left = WORK.toNanos();
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(left);
      left = end - System.nanoTime();
    }
  }

  @Override
  public void close() {
    connections.shutdownNow();
    patience.shutdownNow();
  }
}
