package io.github.limiterkit.degraded;

import io.github.limiterkit.store.SharedStore;
import io.github.limiterkit.store.StoreException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The background thread of one node. While the node's gate is open it says once a second that this
 * instance is there. While it is shut it tries the node, with real charges, since a PING is
 * answered also by a server that refuses to write; it says nothing then, and to the others this
 * instance is missing, as it should be.
 */
final class Prober {

  private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String node;
  private final SharedStore store;
  private final HealthGate gate;
  private final DegradedListener listener;
  private final Runnable heartbeat;
  private final Thread thread;
  private volatile boolean closed;

  Prober(
      String node,
      SharedStore store,
      HealthGate gate,
      DegradedListener listener,
      Runnable heartbeat) {
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
    while (!closed) {
      if (gate.isOpen()) {
        heartbeat.run();
        restWhileOpen();
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

  private void restWhileOpen() {
    long end = System.nanoTime() + HEARTBEAT_NANOS;
    for (long left = HEARTBEAT_NANOS; left > 0 && !closed && gate.isOpen(); ) {
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
