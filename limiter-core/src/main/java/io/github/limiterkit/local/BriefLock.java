package io.github.limiterkit.local;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock for what takes a tenth of a microsecond and waits for nothing. Whoever finds it held tries
 * again at once for some microseconds, and then naps, because the holder must have lost its
 * processor; nobody is woken and there is no order among those who wait. Not reentrant.
 *
 * <p>A lock with a queue does more at every release than is done under this one at all, and puts
 * threads to sleep that would have their turn before they are asleep. To be extended by what it
 * guards, so that a key costs no further object.
 */
abstract sealed class BriefLock permits Entry {

  private static final int SPINS = 100;
  private static final long NAP_NANOS = 50_000;

  private static final VarHandle HELD = held();

  // Read and written through the handle only.
  @SuppressWarnings("unused")
  private boolean held;

  /** Waits until it is free, and takes it. */
  final void lock() {
    if (!HELD.compareAndSet(this, false, true)) {
      awaitAndLock();
    }
  }

  /** Takes it if it is free. */
  final boolean tryLock() {
    return HELD.compareAndSet(this, false, true);
  }

  /** Frees it. Only for the thread that holds it. */
  final void unlock() {
    HELD.setRelease(this, false);
  }

  private void awaitAndLock() {
    int tries = 0;
    do {
      if (tries < SPINS) {
        Thread.onSpinWait();
        tries++;
      } else {
        LockSupport.parkNanos(this, NAP_NANOS);
      }
      // Looks first: an attempt takes the memory away from the holder.
    } while ((boolean) HELD.getOpaque(this) || !tryLock());
  }

  private static VarHandle held() {
    try {
      return MethodHandles.lookup().findVarHandle(BriefLock.class, "held", boolean.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }
}
