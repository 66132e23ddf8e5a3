package io.github.limiterkit.redis;

import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import io.github.limiterkit.store.StoreListener;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that looks every 10 ms, while calls are under way, for what the lanes cannot see
 * themselves because they read: a reply that is overdue, a connection that is stuck, and this
 * process standing still, which the store must not be blamed for.
 */
final class LaneWatch {

  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * Goes on ticking this long after the last call, since waking a thread costs more than a tick.
   */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String node;
  private final Timing timing;
  private final StoreListener listener;
  private final Thread thread;
  private List<Lane> lanes = List.of();
  private volatile boolean asleep;
  private volatile boolean closed;
  private volatile long lastTick;
  private volatile long lastPauseEnd;
  private volatile boolean everPaused;

  LaneWatch(String node, Timing timing, StoreListener listener) {
    this.node = node;
    this.timing = timing;
    this.listener = listener;
    this.thread = new Thread(this::run, "limiterkit-watch");
    this.thread.setDaemon(true);
  }

  void start(List<Lane> watched) {
    lanes = List.copyOf(watched);
    lastTick = System.nanoTime();
    thread.start();
  }

  /** Says that a call is under way. */
  void wake() {
    if (asleep) {
      lastTick = System.nanoTime();
      asleep = false;
      LockSupport.unpark(thread);
    }
  }

  /** Whether this process stood still at any moment since then, now included. */
  boolean selfPausedSince(long nanos) {
    long now = System.nanoTime();
    boolean still = !asleep && now - lastTick >= TICK_NANOS + LATE_NANOS;
    return still || (everPaused && lastPauseEnd - nanos >= 0);
  }

  void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  /** Waits for the thread to end. */
  void join(long millis) throws InterruptedException {
    thread.join(millis);
  }

  private void run() {
    long lastBusy = System.nanoTime();
    while (!closed) {
      LockSupport.parkNanos(this, TICK_NANOS);
      long now = System.nanoTime();
      if (now - lastTick >= TICK_NANOS + LATE_NANOS) {
        lastPauseEnd = now;
        everPaused = true;
      }
      lastTick = now;
      if (lookAtLanes(now)) {
        lastBusy = now;
      } else if (now - lastBusy > LINGER_NANOS) {
        sleepUntilWoken();
        lastBusy = System.nanoTime();
      }
    }
  }

  private void sleepUntilWoken() {
    asleep = true;
    // A flight that began just before would not have woken anybody.
    while (asleep && !closed && !lookAtLanes(System.nanoTime())) {
      LockSupport.park(this);
    }
    asleep = false;
    lastTick = System.nanoTime();
  }

  private boolean lookAtLanes(long now) {
    boolean busy = false;
    for (Lane lane : lanes) {
      @Nullable Flight flight = lane.flight();
      if (flight != null) {
        busy = true;
        look(lane, flight, now);
      }
    }
    return busy;
  }

  private void look(Lane lane, Flight flight, long now) {
    if (flight.isOverdueOnceMore(now, timing.deadlineNanos())) {
      StoreException silence = new StoreException(StoreFault.TIMEOUT, "no reply for a deadline");
      listener.sample(
          new Sample(node, now - flight.sentNanos, silence, selfPausedSince(flight.sentNanos)));
    }
    if (now - flight.sentNanos > timing.stuckNanos()) {
      lane.abort(flight);
    } else if (now - flight.sentNanos > timing.patienceNanos()) {
      // For virtual threads, which must not write themselves.
      lane.sendBehind();
    }
  }
}
