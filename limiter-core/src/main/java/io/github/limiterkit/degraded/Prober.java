package io.github.limiterkit.degraded;

import io.github.limiterkit.store.SharedStore;
import io.github.limiterkit.store.StoreException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The background thread of one node. While the node's gate is open it says once a second that this
 * instance is there. While it is shut it tries the node, with real charges, since a PING is
 * answered also by a server that refuses to write; it says nothing then, and to the others this
 * instance is missing, as it should be.
 */
final class Prober {

  private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long SOONEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final String node;
  private final SharedStore store;
  private final HealthGate gate;
  private final DegradedListener listener;
  private final BooleanSupplier heartbeat;
  private final Thread thread;
  private volatile boolean closed;

  Prober(
      String node,
      SharedStore store,
      HealthGate gate,
      DegradedListener listener,
      BooleanSupplier heartbeat) {
    this.node = node;
    this.store = store;
    this.gate = gate;
    this.listener = listener;
    this.heartbeat = heartbeat;
    this.thread = new Thread(this::run, "limiterkit-probe-" + node);
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Says that the gate shut. */
  void wake() {
    LockSupport.unpark(thread);
  }

  void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  void join(long millis) throws InterruptedException {
    thread.join(millis);
  }

  private void run() {
    boolean heard = false;
    while (!closed) {
      if (gate.isOpen()) {
        boolean before = heard;
        heard = heartbeat.getAsBoolean();
        restWhileOpen(restNanos(before, heard, store.deadline()));
      } else {
        sleep(gate.nextProbeNanos());
        if (!closed) {
          probe();
        }
      }
    }
  }

  private void sleep(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0 && !closed; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }

  /**
   * How long to rest after a heartbeat. Where one is lost, the next comes so much sooner that the
   * instance was not silent for too long, neither to the others nor by its own measure ({@link
   * FleetSize#wasWhole}); where the next is lost too, there is no hurry any more.
   *
   * @param before whether the one before was answered
   * @param heard whether this one was
   */
  static long restNanos(boolean before, boolean heard, Duration deadline) {
    return before && !heard
        ? Math.max(SOONEST_NANOS, HEARTBEAT_NANOS - 3 * deadline.toNanos())
        : HEARTBEAT_NANOS;
  }

  private void restWhileOpen(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0 && !closed && gate.isOpen(); ) {
      LockSupport.parkNanos(this, left);
      left = end - System.nanoTime();
    }
  }

  private void probe() {
    long began = System.nanoTime();
    @Nullable StoreException fault = null;
    try {
      store.probe(node, began + store.deadline().toNanos());
    } catch (StoreException failed) {
      fault = failed;
      listener.fault(node, failed);
    }
    gate.probed(System.nanoTime() - began, fault);
  }
}
