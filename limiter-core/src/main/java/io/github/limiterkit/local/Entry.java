package io.github.limiterkit.local;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** The state of one key, and what the table needs to know about it. Is the lock of both. */
final class Entry<S extends LocalTable.State> extends BriefLock {

  private static final double NO_LOSS = -1;

  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<Entry> PINS =
      AtomicIntegerFieldUpdater.newUpdater(Entry.class, "pins");

  final String policy;
  final Object key;

  /** Another one after a renewal; written under the lock, peeked at without. */
  volatile S state;

  /** The entry of another policy for the same key. Changed under the structure's lock only. */
  volatile @Nullable Entry<S> next;

  /** Counts up with every entry; the order in which entries are locked. */
  long id;

  /** Where it is in the list of all entries. */
  int index;

  /** Threads that have found it and not used it yet. It goes up only under the structure's lock. */
  private volatile int pins;

  /** Whether it was removed. Whoever locks a dead entry has to look for a living one. */
  boolean dead;

  private long lastSeen = Long.MIN_VALUE;

  Entry(String policy, Object key, S state) {
    this.policy = policy;
    this.key = key;
    this.state = state;
  }

  /** The time, but no earlier than one that was seen before. */
  long notBefore(long now) {
    return Math.max(lastSeen, now);
  }

  /** The same, to be remembered. */
  long see(long now) {
    lastSeen = Math.max(lastSeen, now);
    return lastSeen;
  }

  /** How bad it would be to forget it. */
  double lossAt(long now) {
    long time = notBefore(now);
    return state.liveUnits(time) == 0 ? NO_LOSS : state.usedPart(time);
  }

  /** Keeps it from being removed. Under the structure's lock only. */
  void pin() {
    PINS.incrementAndGet(this);
  }

  void unpin() {
    PINS.decrementAndGet(this);
  }

  /** To be called under the structure's lock, lest it be pinned in the meantime. */
  boolean lockIfUnused() {
    return pins == 0 && tryLock();
  }
}
