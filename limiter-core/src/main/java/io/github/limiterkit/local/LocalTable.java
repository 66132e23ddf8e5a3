package io.github.limiterkit.local;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One state per policy name and key, for a bounded number of keys.
 *
 * <p><b>What it forgets.</b> A new key that finds the table full first clears what has no live unit
 * out of the next few places; if there is nothing of the kind, it takes the place of that one of 8
 * keys, picked at random, which has used the smallest part of its limit, and of the newest among
 * equals. So a flood of new keys mostly evicts itself. A key that is refusing goes only if all of
 * 128 are that it picks then. {@link #forgottenUnits} counts what was lost.
 *
 * <p><b>What it holds.</b> A key of more than {@value #MAX_KEY_BYTES} bytes in UTF-8 is kept as a
 * 256-bit hash. A key with one unit costs some 320 bytes; one that fills a limit of 120 or more
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

  private final LongSupplier clock;
  private final Function<? super Policy, ? extends S> factory;
  private final BoundedEntries<S> entries;

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
    this.clock = clock;
    this.factory = factory;
    this.entries = new BoundedEntries<>(maxKeys);
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
    Entry<S> entry = entries.find(charge);
    if (entry != null) {
      entry.lock();
      try {
        if (!entry.dead) {
          return action.apply(charge, entry.state, entry.see(clock.getAsLong()));
        }
      } finally {
        entry.unlock();
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
    Entry<S> entry = entries.find(charge);
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
    Entry<S> entry = entries.find(charge);
    if (entry == null) {
      return null;
    }
    entry.lock();
    try {
      return entry.dead ? null : action.apply(charge, entry.state, entry.see(clock.getAsLong()));
    } finally {
      entry.unlock();
    }
  }

  /**
   * Puts a new state in the place of the one there is for a charge, if there is one.
   *
   * @param charge names policy and key
   */
  public void renew(Charge charge) {
    Entry<S> entry = entries.find(charge);
    if (entry == null) {
      return;
    }
    S fresh = factory.apply(charge.policy());
    entry.lock();
    try {
      entry.state = fresh;
    } finally {
      entry.unlock();
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
    List<Entry<S>> found = new ArrayList<>(charges.size());
    for (Charge charge : charges) {
      Entry<S> entry = entries.find(charge);
      if (entry == null) {
        return withPinned(charges, action);
      }
      found.add(entry);
    }
    EntryGroup<S> group = new EntryGroup<>(found);
    group.lock();
    try {
      if (group.allAlive()) {
        return action.apply(charges, group.states(), group.see(clock));
      }
    } finally {
      group.unlock();
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
    return entries.sweep(clock.getAsLong());
  }

  /**
   * How many states it holds.
   *
   * @return 0 or more
   */
  public int size() {
    return entries.size();
  }

  /**
   * How many states it may hold.
   *
   * @return 1 or more
   */
  public int maxKeys() {
    return entries.maxKeys();
  }

  /**
   * Units that were live when their key had to make room for another: so much may have been
   * admitted beyond the limits.
   *
   * @return units since the table was created
   */
  public long forgottenUnits() {
    return entries.forgottenUnits();
  }

  private <R extends @Nullable Object> R withPinned(Charge charge, Action<S, R> action) {
    Entry<S> entry = pin(charge);
    boolean idle = true;
    entry.lock();
    try {
      long now = entry.see(clock.getAsLong());
      R result = action.apply(charge, entry.state, now);
      idle = entry.state.isIdle(now);
      return result;
    } finally {
      entry.unlock();
      entries.unpin(List.of(entry), idle);
    }
  }

  private <R extends @Nullable Object> R withPinned(
      List<Charge> charges, JointAction<S, R> action) {
    List<Entry<S>> pinned = new ArrayList<>(charges.size());
    boolean someIdle = true;
    try {
      for (Charge charge : charges) {
        pinned.add(pin(charge));
      }
      EntryGroup<S> group = new EntryGroup<>(pinned);
      group.lock();
      try {
        long now = group.see(clock);
        R result = action.apply(charges, group.states(), now);
        someIdle = group.someIdle(now);
        return result;
      } finally {
        group.unlock();
      }
    } finally {
      entries.unpin(pinned, someIdle);
    }
  }

  /** Finds or creates an entry that is not removed before it is unpinned. */
  private Entry<S> pin(Charge charge) {
    Entry<S> fresh =
        new Entry<>(
            charge.policy().name(), StoredKey.of(charge.key()), factory.apply(charge.policy()));
    return entries.pin(charge, fresh, clock.getAsLong());
  }
}
