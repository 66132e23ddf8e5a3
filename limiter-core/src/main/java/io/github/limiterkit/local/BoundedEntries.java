package io.github.limiterkit.local;

import io.github.limiterkit.Charge;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a table: makes new ones, and makes room for them as the table's Javadoc says. Safe
 * for use by several threads.
 */
final class BoundedEntries<S extends LocalTable.State> {

  private static final int SAMPLE = 8;

  /** So many are looked at while all of them refuse. */
  private static final int MOST_SAMPLED = 128;

  private static final int CLEAR = 2;
  private static final int SWEEP_SLICE = 256;
  private static final long PAUSE_FOR_OTHERS_NANOS = 50_000;

  private final int maxKeys;
  private final EntryIndex<S> index = new EntryIndex<>();
  private final LongAdder forgottenUnits = new LongAdder();

  /**
   * Guards what follows, and every change to the index. Whoever holds it may only <em>try</em> to
   * lock an entry; so it may be waited for while holding entries, and no cycle can arise.
   */
  private final ReentrantLock structure = new ReentrantLock();

  private final SplittableRandom random = new SplittableRandom();
  private int cleared;

  BoundedEntries(int maxKeys) {
    this.maxKeys = maxKeys;
  }

  int size() {
    return index.size();
  }

  int maxKeys() {
    return maxKeys;
  }

  long forgottenUnits() {
    return forgottenUnits.sum();
  }

  /** An entry that may be removed at any moment. Takes no lock. */
  @Nullable Entry<S> find(Charge charge) {
    return index.find(charge);
  }

  /** Finds an entry, or puts the fresh one in, which is not removed before it is unpinned. */
  Entry<S> pin(Charge charge, Entry<S> fresh, long now) {
    structure.lock();
    try {
      Entry<S> entry = index.find(charge);
      if (entry == null) {
        makeRoom(now);
        entry = fresh;
        index.insert(entry);
      }
      entry.pin();
      return entry;
    } finally {
      structure.unlock();
    }
  }

  void unpin(List<Entry<S>> pinned, boolean someIdle) {
    for (Entry<S> entry : pinned) {
      entry.unpin();
    }
    if (someIdle || size() > maxKeys) {
      structure.lock();
      try {
        // What was only looked at, or refused, leaves no trace: else a flood of requests that are
        // refused for another reason would push out keys that have something to lose.
        for (Entry<S> entry : pinned) {
          removeIfIdle(entry, Long.MIN_VALUE);
        }
        // More keys may have been in use than there is room for.
        evictDownTo(maxKeys, Long.MIN_VALUE);
      } finally {
        structure.unlock();
      }
    }
  }

  /** Drops every entry without live units, in short slices between which others may add some. */
  int sweep(long now) {
    int dropped = 0;
    int next = Integer.MAX_VALUE;
    do {
      structure.lock();
      try {
        next = Math.min(next, size());
        // Downwards, because what is removed leaves its place to the last one.
        for (int end = Math.max(0, next - SWEEP_SLICE); next > end; ) {
          next--;
          if (removeIfIdle(index.get(next), now)) {
            dropped++;
          }
        }
      } finally {
        structure.unlock();
      }
      if (structure.hasQueuedThreads()) {
        // Else this thread would have the lock again before any of them is awake.
        LockSupport.parkNanos(PAUSE_FOR_OTHERS_NANOS);
      }
    } while (next > 0);
    return dropped;
  }

  private void makeRoom(long now) {
    for (int i = Math.min(CLEAR, size()); i > 0 && size() >= maxKeys; i--) {
      cleared = cleared < size() ? cleared : 0;
      if (!removeIfIdle(index.get(cleared), now)) {
        cleared++;
      }
    }
    evictDownTo(maxKeys - 1, now);
  }

  private void evictDownTo(int keys, long now) {
    boolean found = true;
    while (found && size() > keys) {
      found = evict(now);
    }
  }

  private boolean evict(long now) {
    Entry<S> victim = lockVictim(now);
    if (victim == null) {
      return false;
    }
    try {
      forgottenUnits.add(victim.state.liveUnits(victim.notBefore(now)));
      index.remove(victim);
    } finally {
      victim.unlock();
    }
    return true;
  }

  /** Picks some entries at random and locks the one that has the least to lose. */
  private @Nullable Entry<S> lockVictim(long now) {
    int count = size();
    Entry<S> victim = null;
    double smallest = 0;
    for (int i = 0; i < count && (i < SAMPLE || goesOn(i, smallest)); i++) {
      Entry<S> entry = index.get(count <= SAMPLE ? i : random.nextInt(count));
      if (entry == victim || !entry.lockIfUnused()) {
        continue;
      }
      double part = entry.lossAt(now);
      if (victim == null || part < smallest || (part == smallest && entry.id > victim.id)) {
        if (victim != null) {
          victim.unlock();
        }
        victim = entry;
        smallest = part;
      } else {
        entry.unlock();
      }
    }
    return victim;
  }

  /** Whether so many are too few, since all of them refuse. */
  private static boolean goesOn(int sampled, double smallestPart) {
    return smallestPart >= 1 && sampled < MOST_SAMPLED;
  }

  private boolean removeIfIdle(Entry<S> entry, long now) {
    if (!entry.lockIfUnused()) {
      return false;
    }
    try {
      boolean idle = !entry.dead && entry.state.isIdle(entry.notBefore(now));
      if (idle) {
        index.remove(entry);
      }
      return idle;
    } finally {
      entry.unlock();
    }
  }
}
