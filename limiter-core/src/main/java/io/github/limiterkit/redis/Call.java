package io.github.limiterkit.redis;

import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
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
    return isDone() || deadlineNanos - nowNanos <= 0;
  }

  /** Whether there is nothing to wait for any more. */
  final boolean isDone() {
    return outcome != WAITING;
  }

  /** Has its caller look whether it is its turn. Returns false if that does not wait any more. */
  final boolean remindCaller() {
    if (isDone()) {
      return false;
    }
    if (caller != Thread.currentThread()) {
      LockSupport.unpark(caller);
    }
    return true;
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
    return await(this::park);
  }

  /**
   * As {@link #await()}, and does something about it each time when it has waited so long and is
   * not even sent.
   */
  final R await(long patienceNanos, Runnable impatience) {
    return await(
        left -> {
          if (sent || left <= patienceNanos) {
            park(left);
          } else {
            waitImpatiently(patienceNanos, impatience);
          }
        });
  }

  /**
   * As {@link #await()}, in a way of its own.
   *
   * @param waiting waits for so many nanoseconds at most, and less if {@link #isDone}
   */
  final R await(LongConsumer waiting) {
    boolean interrupted = false;
    try {
      while (!isDone()) {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
          OUTCOME.compareAndSet(this, WAITING, ABANDONED);
        } else {
          waiting.accept(left);
        }
        // Whoever parks with the flag set would not wait at all.
        interrupted |= Thread.interrupted();
      }
      return result(outcome);
    } finally {
      if (interrupted) {
        caller.interrupt();
      }
    }
  }

  /** Waits until somebody has done something about it, or so long. */
  final void park(long nanos) {
    LockSupport.parkNanos(this, nanos);
  }

  private void waitImpatiently(long patienceNanos, Runnable impatience) {
    long end = System.nanoTime() + patienceNanos;
    park(patienceNanos);
    if (!isDone() && !sent && System.nanoTime() - end >= 0) {
      impatience.run();
    }
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
