package io.github.limiterkit.cases;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * When this process stood still, because the machine or the JVM did. A call that was under way then
 * took longer, and the kit is not to blame.
 */
final class Pauses {

  private static final long TICK_NANOS = 2_000_000;
  private static final long PAUSE_NANOS = 20_000_000;

  private static final ConcurrentLinkedQueue<long[]> SEEN = new ConcurrentLinkedQueue<>();

  static {
    Thread ticker = new Thread(Pauses::tick, "test-pauses");
    ticker.setDaemon(true);
    ticker.start();
  }

  private Pauses() {}

  /** Begins to look, if nobody did before. */
  static void watch() {}

  /** For how long it stood still between two readings of {@link System#nanoTime()}. */
  static long nanosBetween(long from, long to) {
    long paused = 0;
    for (long[] pause : SEEN) {
      paused += Math.max(0, Math.min(to, pause[1]) - Math.max(from, pause[0]));
    }
    return paused;
  }

  private static void tick() {
    long last = System.nanoTime();
    while (true) {
      LockSupport.parkNanos(TICK_NANOS);
      long now = System.nanoTime();
      if (now - last > PAUSE_NANOS) {
        SEEN.add(new long[] {last, now});
      }
      last = now;
    }
  }
}
