package io.github.limiterkit.examples.outagereplay;

import java.util.concurrent.locks.LockSupport;

/** Threads of the replay, and waiting in them. */
final class Threads {

  private Threads() {}

  static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, "replay-" + name);
    thread.setDaemon(true);
    return thread;
  }

  /** Waits for a moment on {@link System#nanoTime()}; false if interrupted before it. */
  static boolean awaitNanos(long moment) {
    for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(left);
    }
    return true;
  }

  /** Asks a thread to end and waits until it has. */
  static void end(Thread thread) {
    thread.interrupt();
    try {
      thread.join(3_000);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }
}
