package io.github.limiterkit.setup;

import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kit's one thread of its own: does a small job once a second until it is closed. */
final class Housekeeping implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");
  private static final long PERIOD_MILLIS = 1_000;
  private static final long MILLIS_TO_STOP = 200;
  private static final AtomicInteger THREADS = new AtomicInteger();

  private final Thread thread;

  private Housekeeping(Runnable job) {
    thread = new Thread(() -> run(job), "limiterkit-housekeeping-" + THREADS.incrementAndGet());
    thread.setDaemon(true);
    // A web application's class loader must not live on because of this thread.
    thread.setContextClassLoader(Housekeeping.class.getClassLoader());
  }

  static Housekeeping start(Runnable job) {
    Housekeeping housekeeping = new Housekeeping(job);
    housekeeping.thread.start();
    return housekeeping;
  }

  private static void run(Runnable job) {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        Thread.sleep(PERIOD_MILLIS);
        job.run();
      } catch (InterruptedException closed) {
        return;
      } catch (RuntimeException broken) {
        // The next round may do better, and without it memory would never be given back.
        log.error("housekeeping failed", broken);
      }
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(MILLIS_TO_STOP);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }
}
