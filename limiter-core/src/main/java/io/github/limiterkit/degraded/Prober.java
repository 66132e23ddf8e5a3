package io.github.limiterkit.degraded;

import io.github.limiterkit.store.SharedStore;
import io.github.limiterkit.store.StoreException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread that tries a node while its gate is shut, with real charges, since a PING is answered
 * also by a server that refuses to write. Asleep while the gate is open.
 */
final class Prober {

  private final String node;
  private final SharedStore store;
  private final HealthGate gate;
  private final DegradedListener listener;
  private final Thread thread;
  private volatile boolean closed;

  Prober(String node, SharedStore store, HealthGate gate, DegradedListener listener) {
    this.node = node;
    this.store = store;
    this.gate = gate;
    this.listener = listener;
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
        LockSupport.park(this);
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

  private void probe() {
    long began = System.nanoTime();
    @Nullable StoreException fault = null;
    try {
      store.probe(node, began + store.deadline().toNanos());
    } catch (StoreException failed) {
      fault = failed;
      listener.fault(node, failed.fault());
    }
    gate.probed(System.nanoTime() - began, fault);
  }
}
