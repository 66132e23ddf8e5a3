package io.github.limiterkit.redis;

import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through a lane. Its caller waits until its own deadline and then gives up
 * alone; whoever completes it after that completes nothing. What can be made ready before it is
 * sent and read after it has come back is done on the caller's thread.
 *
 * @param <R> what the caller gets
 */
abstract sealed class Call<R> permits DecideCall, RefundCall, ResetCall {

  private static final Object WAITING = new Object();
  private static final Object ABANDONED = new Object();

  @SuppressWarnings("rawtypes")
  private static final AtomicReferenceFieldUpdater<Call, Object> OUTCOME =
      AtomicReferenceFieldUpdater.newUpdater(Call.class, Object.class, "outcome");

  /** The states that it is about. */
  final byte[][] keys;

  final long deadlineNanos;
  final boolean probe;

  /** Whether it is on its way to the server, so that it may be executed whatever happens. */
  private volatile boolean sent;

  private final Thread caller = Thread.currentThread();
  private volatile Object outcome = WAITING;

  /** Where in the answer its figures begin, and which of those who share them it is, from 0. */
  private int at;

  private int turn;

  Call(byte[][] keys, long deadlineNanos, boolean probe) {
    this.keys = keys;
    this.deadlineNanos = deadlineNanos;
    this.probe = probe;
  }

  /** Whether it would be of no use to anybody to send it now. */
  final boolean isOver(long nowNanos) {
    return outcome != WAITING || deadlineNanos - nowNanos <= 0;
  }

  final void beginsToBeSent() {
    sent = true;
  }

  final void complete(Figures figures, int place, int turnInGroup) {
    at = place;
    turn = turnInGroup;
    finish(figures);
  }

  final void fail(StoreException fault) {
    finish(fault);
  }

  private void finish(Object result) {
    // Whoever makes the round trip itself is not waiting, and its next park is not ours to end.
    if (OUTCOME.compareAndSet(this, WAITING, result) && caller != Thread.currentThread()) {
      LockSupport.unpark(caller);
    }
  }

  /**
   * Waits for the reply. An interrupt neither shortens nor lengthens the wait, which is short
   * anyway; the flag is set again afterwards.
   */
  final R await() {
    return await(Long.MAX_VALUE, () -> {});
  }

  /**
   * As {@link #await()}, and does something about it each time when it has waited so long and is
   * not even sent.
   */
  final R await(long patienceNanos, Runnable impatience) {
    boolean interrupted = false;
    try {
      Object result = outcome;
      while (result == WAITING) {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
          OUTCOME.compareAndSet(this, WAITING, ABANDONED);
        } else if (sent || left <= patienceNanos) {
          LockSupport.parkNanos(this, left);
          interrupted |= Thread.interrupted();
        } else {
          interrupted |= waitImpatiently(patienceNanos, impatience);
        }
        result = outcome;
      }
      return result(result);
    } finally {
      if (interrupted) {
        caller.interrupt();
      }
    }
  }

  /** Returns whether it was interrupted. */
  private boolean waitImpatiently(long patienceNanos, Runnable impatience) {
    long end = System.nanoTime() + patienceNanos;
    LockSupport.parkNanos(this, patienceNanos);
    boolean interrupted = Thread.interrupted();
    if (outcome == WAITING && !sent && System.nanoTime() - end >= 0) {
      impatience.run();
    }
    return interrupted;
  }

  private R result(@Nullable Object result) {
    if (result instanceof Figures figures) {
      return read(figures, at, turn);
    }
    StoreException failure =
        result instanceof StoreException fault
            ? fault
            : new StoreException(StoreFault.TIMEOUT, "no reply within the deadline");
    throw sent && !probe ? failure.afterSending() : failure;
  }

  /** Makes the caller's result of its part of the answer. */
  abstract R read(Figures figures, int place, int turnInGroup);
}
