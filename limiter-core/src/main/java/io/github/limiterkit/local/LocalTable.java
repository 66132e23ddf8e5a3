package io.github.limiterkit.local;

import com.google.common.hash.Hashing;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One state per policy name and key, for a bounded number of keys.
 *
 * <p><b>What it forgets.</b> A new key that finds the table full first clears what has no live unit
 * out of the next few places; if there is nothing of the kind, it takes the place of that one of 8
 * keys, picked at random, which has used the smallest part of its limit, and of the newest among
 * equals. So a flood of new keys mostly evicts itself, and a key that is refusing goes only if all
 * of the 8 are. {@link #forgottenUnits} counts what was lost.
 *
 * <p><b>What it holds.</b> A key of more than {@value #MAX_KEY_BYTES} bytes in UTF-8 is kept as a
 * 256-bit hash. A key with one unit costs some 350 bytes; one that fills a limit of 120 or more
 * costs up to 3 KB per limit.
 *
 * <p><b>Threads.</b> Safe for use by any number of them. An action runs while the locks of its
 * states, and no others, are held: keys do not wait for each other. It should be short, must not
 * wait for other threads, and must not call the table.
 *
 * @param <S> what is kept for a key; guarded by the table, so it need not be safe for several
 *     threads
 */
public final class LocalTable<S extends LocalTable.State> {

  /** The number of keys that a table is given unless somebody chooses: 100,000. */
  public static final int DEFAULT_MAX_KEYS = 100_000;

  /** The longest key that is kept as it is, in bytes of UTF-8: 200. */
  public static final int MAX_KEY_BYTES = 200;

  private static final int SAMPLE = 8;
  private static final int CLEAR = 2;
  private static final double NO_LOSS = -1;
  private static final int SWEEP_SLICE = 256;

  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<Entry> PINS =
      AtomicIntegerFieldUpdater.newUpdater(Entry.class, "pins");

  private final int maxKeys;
  private final LongSupplier clock;
  private final Function<? super Policy, ? extends S> factory;

  // Two levels, so that looking up a key allocates nothing.
  private final ConcurrentHashMap<String, ConcurrentHashMap<Object, Entry<S>>> shelves =
      new ConcurrentHashMap<>();

  /**
   * Guards what follows, and every change to the shelves. Whoever holds it may only <em>try</em> to
   * lock an entry; so it may be waited for while holding entries, and no cycle can arise.
   */
  private final ReentrantLock structure = new ReentrantLock();

  private final ArrayList<Entry<S>> entries = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom();
  private int cleared;
  private long nextId;

  private volatile int size;
  private final LongAdder forgottenUnits = new LongAdder();

  /**
   * What the table must know about a state. It is asked while the state's lock is held; the answers
   * are quick and never an exception.
   */
  public interface State {

    /**
     * What would be lost if the state were forgotten now.
     *
     * @param nowMillis the time, never less than at an earlier call for this state
     * @return units that would be lost, 0 or more
     */
    long liveUnits(long nowMillis);

    /**
     * Whether nothing would be lost if the state were forgotten now.
     *
     * @param nowMillis the time, never less than at an earlier call for this state
     * @return true if it holds no live unit, and nothing else that is worth its place
     */
    default boolean isIdle(long nowMillis) {
      return liveUnits(nowMillis) == 0;
    }

    /**
     * The largest part that any of its limits has been used to.
     *
     * @param nowMillis the time, never less than at an earlier call for this state
     * @return 0 for unused, 1 or more for refusing
     */
    double usedPart(long nowMillis);
  }

  /**
   * What is done with the state of one charge.
   *
   * @param <S> the state
   * @param <R> the result
   */
  @FunctionalInterface
  public interface Action<S, R extends @Nullable Object> {

    /**
     * Runs while the state's lock is held.
     *
     * @param charge the charge
     * @param state its state, which must not be used after the action ends
     * @param nowMillis the time, read while the lock was held; never less than at an earlier call
     *     for this state
     * @return the result
     */
    R apply(Charge charge, S state, long nowMillis);
  }

  /**
   * What is done with the states of several charges at once.
   *
   * @param <S> the state
   * @param <R> the result
   */
  @FunctionalInterface
  public interface JointAction<S, R extends @Nullable Object> {

    /**
     * Runs while the locks of all the states are held.
     *
     * @param charges the charges
     * @param states their states, in the same order, which must not be used after the action ends
     * @param nowMillis the time, read while the locks were held; never less than at an earlier call
     *     for any of these states
     * @return the result
     */
    R apply(List<Charge> charges, List<S> states, long nowMillis);
  }

  /**
   * Creates an empty table.
   *
   * @param maxKeys how many states it holds, 1 or more; exceeded only for a moment, and only if
   *     more keys than that are in use at the same moment
   * @param clock the time in milliseconds since any fixed moment. It is read while locks are held,
   *     so that a thread which was held up between reading and counting cannot count in the past; a
   *     reading below an earlier one counts as the earlier one
   * @param factory makes the state of a key that is new; may be called for a key that turns out not
   *     to be, and the state is then dropped
   * @throws IllegalArgumentException if {@code maxKeys} is below 1
   */
  public LocalTable(
      int maxKeys, LongSupplier clock, Function<? super Policy, ? extends S> factory) {
    if (maxKeys < 1) {
      throw new IllegalArgumentException("a table of %d keys is below 1".formatted(maxKeys));
    }
    this.maxKeys = maxKeys;
    this.clock = clock;
    this.factory = factory;
  }

  /**
   * Runs an action on the state of one charge, which is created if need be.
   *
   * @param charge names policy and key
   * @param action what to do
   * @param <R> the result
   * @return what the action returned
   */
  public <R extends @Nullable Object> R with(Charge charge, Action<S, R> action) {
    Entry<S> entry = find(charge);
    if (entry != null) {
      entry.lock.lock();
      try {
        if (!entry.dead) {
          return action.apply(charge, entry.state, entry.see(clock.getAsLong()));
        }
      } finally {
        entry.lock.unlock();
      }
    }
    return withPinned(charge, action);
  }

  /**
   * Looks at the state of one charge without locking it, so only at what of it is safe for several
   * threads.
   *
   * @param charge names policy and key
   * @return the state, or null if there is none; it may be forgotten at any moment
   */
  public @Nullable S peek(Charge charge) {
    Entry<S> entry = find(charge);
    return entry == null ? null : entry.state;
  }

  /**
   * Runs an action on the state of one charge, unless there is none.
   *
   * @param charge names policy and key
   * @param action what to do
   * @param <R> the result
   * @return what the action returned, or null if there is no state
   */
  public <R> @Nullable R ifPresent(Charge charge, Action<S, ? extends @Nullable R> action) {
    Entry<S> entry = find(charge);
    if (entry == null) {
      return null;
    }
    entry.lock.lock();
    try {
      return entry.dead ? null : action.apply(charge, entry.state, entry.see(clock.getAsLong()));
    } finally {
      entry.lock.unlock();
    }
  }

  /**
   * Puts a new state in the place of the one there is for a charge, if there is one.
   *
   * @param charge names policy and key
   */
  public void renew(Charge charge) {
    Entry<S> entry = find(charge);
    if (entry == null) {
      return;
    }
    S fresh = factory.apply(charge.policy());
    entry.lock.lock();
    try {
      entry.state = fresh;
    } finally {
      entry.lock.unlock();
    }
  }

  /**
   * Runs an action on the states of several charges at once, which are created if need be.
   *
   * @param charges name policies and keys, at least one
   * @param action what to do
   * @param <R> the result
   * @return what the action returned
   * @throws IllegalArgumentException if there is no charge, or if two of them have the same policy
   *     name and the same key; the message names the policy
   */
  public <R extends @Nullable Object> R with(List<Charge> charges, JointAction<S, R> action) {
    if (charges.isEmpty()) {
      throw new IllegalArgumentException("at least one charge is needed");
    }
    List<Entry<S>> involved = new ArrayList<>(charges.size());
    for (Charge charge : charges) {
      Entry<S> entry = find(charge);
      if (entry == null) {
        return withPinned(charges, action);
      }
      involved.add(entry);
    }
    List<Entry<S>> ordered = inLockOrder(involved);
    int locked = lock(ordered);
    try {
      if (allAlive(involved)) {
        return action.apply(charges, states(involved), see(involved));
      }
    } finally {
      unlock(ordered, locked);
    }
    return withPinned(charges, action);
  }

  /**
   * Drops every state without live units. Works in short slices, between which other threads may
   * add keys; what is in use at the moment stays until the next time. Meant for a background
   * thread, so that memory comes back without traffic.
   *
   * @return how many states were dropped
   */
  public int sweep() {
    long now = clock.getAsLong();
    int dropped = 0;
    int next = Integer.MAX_VALUE;
    do {
      structure.lock();
      try {
        next = Math.min(next, entries.size());
        // Downwards, because what is removed leaves its place to the last one.
        for (int end = Math.max(0, next - SWEEP_SLICE); next > end; ) {
          next--;
          if (removeIfIdle(entries.get(next), now)) {
            dropped++;
          }
        }
      } finally {
        structure.unlock();
      }
    } while (next > 0);
    return dropped;
  }

  /**
   * How many states it holds.
   *
   * @return 0 or more
   */
  public int size() {
    return size;
  }

  /**
   * How many states it may hold.
   *
   * @return 1 or more
   */
  public int maxKeys() {
    return maxKeys;
  }

  /**
   * Units that were live when their key had to make room for another: so much may have been
   * admitted beyond the limits.
   *
   * @return units since the table was created
   */
  public long forgottenUnits() {
    return forgottenUnits.sum();
  }

  private <R extends @Nullable Object> R withPinned(Charge charge, Action<S, R> action) {
    Entry<S> entry = pin(charge);
    boolean idle = true;
    entry.lock.lock();
    try {
      long now = entry.see(clock.getAsLong());
      R result = action.apply(charge, entry.state, now);
      idle = entry.state.isIdle(now);
      return result;
    } finally {
      entry.lock.unlock();
      unpin(List.of(entry), idle);
    }
  }

  private <R extends @Nullable Object> R withPinned(
      List<Charge> charges, JointAction<S, R> action) {
    List<Entry<S>> involved = new ArrayList<>(charges.size());
    boolean idle = true;
    try {
      for (Charge charge : charges) {
        involved.add(pin(charge));
      }
      List<Entry<S>> ordered = inLockOrder(involved);
      int locked = lock(ordered);
      try {
        long now = see(involved);
        R result = action.apply(charges, states(involved), now);
        idle = involved.stream().anyMatch(entry -> entry.state.isIdle(now));
        return result;
      } finally {
        unlock(ordered, locked);
      }
    } finally {
      unpin(involved, idle);
    }
  }

  private @Nullable Entry<S> find(Charge charge) {
    ConcurrentHashMap<Object, Entry<S>> shelf = shelves.get(charge.policy().name());
    return shelf == null ? null : shelf.get(stored(charge.key()));
  }

  /** Finds or creates an entry that is not removed before it is unpinned. */
  private Entry<S> pin(Charge charge) {
    Entry<S> fresh =
        new Entry<>(charge.policy().name(), stored(charge.key()), factory.apply(charge.policy()));
    long now = clock.getAsLong();
    structure.lock();
    try {
      Entry<S> entry = find(charge);
      if (entry == null) {
        makeRoom(now);
        entry = fresh;
        insert(entry);
      }
      PINS.incrementAndGet(entry);
      return entry;
    } finally {
      structure.unlock();
    }
  }

  private void unpin(List<Entry<S>> pinned, boolean someIdle) {
    for (Entry<S> entry : pinned) {
      PINS.decrementAndGet(entry);
    }
    if (someIdle || size > maxKeys) {
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

  private void makeRoom(long now) {
    for (int i = Math.min(CLEAR, entries.size()); i > 0 && entries.size() >= maxKeys; i--) {
      cleared = cleared < entries.size() ? cleared : 0;
      if (!removeIfIdle(entries.get(cleared), now)) {
        cleared++;
      }
    }
    evictDownTo(maxKeys - 1, now);
  }

  private void evictDownTo(int keys, long now) {
    boolean found = true;
    while (found && entries.size() > keys) {
      found = evict(now);
    }
  }

  private boolean evict(long now) {
    int count = entries.size();
    Entry<S> victim = null;
    double smallest = 0;
    for (int i = 0; i < SAMPLE && i < count; i++) {
      Entry<S> entry = entries.get(count <= SAMPLE ? i : random.nextInt(count));
      if (entry == victim || !entry.lockIfUnused()) {
        continue;
      }
      double part = entry.lossAt(now);
      if (victim == null || part < smallest || (part == smallest && entry.id > victim.id)) {
        if (victim != null) {
          victim.lock.unlock();
        }
        victim = entry;
        smallest = part;
      } else {
        entry.lock.unlock();
      }
    }
    if (victim == null) {
      return false;
    }
    try {
      forgottenUnits.add(victim.state.liveUnits(victim.notBefore(now)));
      remove(victim);
    } finally {
      victim.lock.unlock();
    }
    return true;
  }

  private boolean removeIfIdle(Entry<S> entry, long now) {
    if (!entry.lockIfUnused()) {
      return false;
    }
    try {
      boolean idle = !entry.dead && entry.state.isIdle(entry.notBefore(now));
      if (idle) {
        remove(entry);
      }
      return idle;
    } finally {
      entry.lock.unlock();
    }
  }

  private void insert(Entry<S> entry) {
    entry.id = nextId++;
    entry.index = entries.size();
    entries.add(entry);
    size = entries.size();
    shelves.computeIfAbsent(entry.policy, name -> new ConcurrentHashMap<>()).put(entry.key, entry);
  }

  private void remove(Entry<S> entry) {
    entry.dead = true;
    Entry<S> last = entries.remove(entries.size() - 1);
    if (last != entry) {
      last.index = entry.index;
      entries.set(last.index, last);
    }
    size = entries.size();
    ConcurrentHashMap<Object, Entry<S>> shelf = shelves.get(entry.policy);
    if (shelf != null) {
      shelf.remove(entry.key);
      if (shelf.isEmpty()) {
        shelves.remove(entry.policy);
      }
    }
  }

  private List<Entry<S>> inLockOrder(List<Entry<S>> involved) {
    if (involved.size() == 1) {
      return involved;
    }
    List<Entry<S>> ordered = new ArrayList<>(involved);
    ordered.sort(Comparator.comparingLong(entry -> entry.id));
    for (int i = 1; i < ordered.size(); i++) {
      if (ordered.get(i) == ordered.get(i - 1)) {
        throw new IllegalArgumentException(
            "two charges to policy \"%s\" have the same key; add up their costs"
                .formatted(ordered.get(i).policy));
      }
    }
    return ordered;
  }

  private int lock(List<Entry<S>> ordered) {
    for (Entry<S> entry : ordered) {
      entry.lock.lock();
    }
    return ordered.size();
  }

  private void unlock(List<Entry<S>> ordered, int locked) {
    for (int i = locked; i > 0; i--) {
      ordered.get(i - 1).lock.unlock();
    }
  }

  private boolean allAlive(List<Entry<S>> involved) {
    for (Entry<S> entry : involved) {
      if (entry.dead) {
        return false;
      }
    }
    return true;
  }

  private List<S> states(List<Entry<S>> involved) {
    List<S> states = new ArrayList<>(involved.size());
    for (Entry<S> entry : involved) {
      states.add(entry.state);
    }
    return states;
  }

  /** One time for all of them, so that their logs agree on when the charges happened. */
  private long see(List<Entry<S>> involved) {
    long now = clock.getAsLong();
    for (Entry<S> entry : involved) {
      now = entry.notBefore(now);
    }
    for (Entry<S> entry : involved) {
      entry.lastSeen = now;
    }
    return now;
  }

  /** The key as it is stored: a string, or a hash, which no string can equal. */
  static Object stored(String key) {
    // Hashes the characters, because UTF-8 has but one replacement for all lone surrogates.
    return exceeds(key, MAX_KEY_BYTES) ? Hashing.sha256().hashUnencodedChars(key) : key;
  }

  private static boolean exceeds(String key, int bytes) {
    if (3 * (long) key.length() <= bytes) {
      return false;
    }
    int count = key.length();
    for (int i = 0; i < key.length() && count <= bytes; i++) {
      char c = key.charAt(i);
      if (c >= 0x80) {
        count += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
      }
    }
    return count > bytes;
  }

  private static final class Entry<S extends State> {
    final ReentrantLock lock = new ReentrantLock();
    final String policy;
    final Object key;

    /** Another one after a renewal; written under the lock, peeked at without. */
    volatile S state;

    /** Counts up with every entry; the order in which entries are locked. */
    long id;

    int index;

    /**
     * Threads that have found it and not used it yet. It goes up only under the structure's lock.
     */
    volatile int pins;

    boolean dead;
    long lastSeen = Long.MIN_VALUE;

    Entry(String policy, Object key, S state) {
      this.policy = policy;
      this.key = key;
      this.state = state;
    }

    long notBefore(long now) {
      return Math.max(lastSeen, now);
    }

    long see(long now) {
      lastSeen = Math.max(lastSeen, now);
      return lastSeen;
    }

    /** How bad it would be to forget it. */
    double lossAt(long now) {
      long time = notBefore(now);
      return state.liveUnits(time) == 0 ? NO_LOSS : state.usedPart(time);
    }

    /** To be called under the structure's lock, lest it be pinned in the meantime. */
    boolean lockIfUnused() {
      return pins == 0 && lock.tryLock();
    }
  }
}
