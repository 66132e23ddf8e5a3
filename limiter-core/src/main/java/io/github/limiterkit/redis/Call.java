package io.github.limiterkit.redis;

import io.github.limiterkit.Charge;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import io.github.limiterkit.store.StoreReply;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One decision on its way through a lane. Its caller waits until its own deadline and then gives up
 * alone; whoever completes it after that completes nothing.
 */
final class Call {

  private static final Object WAITING = new Object();
  private static final Object ABANDONED = new Object();

  final List<Charge> charges;
  final long[] floors;
  final String[] tags;
  final long deadlineNanos;
  final boolean probe;

  private final Thread caller = Thread.currentThread();
  private final AtomicReference<Object> outcome = new AtomicReference<>(WAITING);

  Call(List<Charge> charges, long[] floors, String[] tags, long deadlineNanos, boolean probe) {
    this.charges = charges;
    this.floors = floors;
    this.tags = tags;
    this.deadlineNanos = deadlineNanos;
    this.probe = probe;
  }

  int limits() {
    return floors.length;
  }

  /** Whether it would be of no use to anybody to send it now. */
  boolean isOver(long nowNanos) {
    return outcome.get() != WAITING || deadlineNanos - nowNanos <= 0;
  }

  void complete(StoreReply reply) {
    finish(reply);
  }

  void fail(StoreException fault) {
    finish(fault);
  }

  private void finish(Object result) {
    if (outcome.compareAndSet(WAITING, result)) {
      LockSupport.unpark(caller);
    }
  }

  /**
   * Waits for the reply. An interrupt neither shortens nor lengthens the wait, which is short
   * anyway; the flag is set again afterwards.
   */
  StoreReply await() {
    boolean interrupted = false;
    try {
      Object result = outcome.get();
      while (result == WAITING) {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
          outcome.compareAndSet(WAITING, ABANDONED);
        } else {
          LockSupport.parkNanos(this, left);
          interrupted |= Thread.interrupted();
        }
        result = outcome.get();
      }
      return reply(result);
    } finally {
      if (interrupted) {
        caller.interrupt();
      }
    }
  }

  private static StoreReply reply(@Nullable Object result) {
    if (result instanceof StoreReply reply) {
      return reply;
    }
    throw result instanceof StoreException fault
        ? fault
        : new StoreException(StoreFault.TIMEOUT, "no reply within the deadline");
  }
}
