package io.github.limiterkit.window;

import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;

/**
 * Counts units in a sliding window, so that at most {@code quota} of them fall into any half-open
 * interval {@code [t, t + window)}, wherever it begins.
 *
 * <p>It is a log of admissions in which neighbours coalesce: with a quota of up to {@value #SLOTS}
 * &times; 2 every millisecond has an entry of its own and the count is exact; above that, units of
 * the same sixtieth of the window share an entry, and the window of some is longer by up to a
 * sixtieth. It is never shorter. So a log has at most 3 &times; {@value #SLOTS} + 1 entries,
 * however large the quota.
 *
 * <p>To decide about a charge, ask first and write afterwards; with several logs ask all of them
 * before writing to any:
 *
 * <pre>{@code
 * log.clamp(now, quota);                 // not for a cost of 0, which writes nothing
 * if (log.admits(now, cost, quota)) {
 *   log.add(now, cost, quota);
 * } else {
 *   wait(log.retryAfter(now, cost, quota));
 * }
 * }</pre>
 *
 * <p>The quota comes with every call, because it may change while units are live: they go on
 * counting against the new one. The window is fixed; another window is another log.
 *
 * <p><b>Units.</b> Times are milliseconds of whatever clock the caller keeps to, from
 * -2<sup>62</sup> to 2<sup>62</sup>. Costs are 0 to {@link Limit#MAX_PERMITS}, quotas 1 to {@link
 * Limit#MAX_PERMITS}; whoever builds a {@code Charge} and a {@code Limit} has checked that.
 *
 * <p><b>Clock.</b> A time may be earlier than one before. {@link #clamp} then moves what lies in
 * the future to the present; what only looks at the log ({@link #total}, {@link #admits}, {@link
 * #retryAfter}, {@link #remaining}, {@link #resetAfter}) answers as if that had been done, and
 * changes nothing.
 *
 * <p>Not safe for use by several threads: guard it with a lock, and read the clock while holding
 * it.
 */
public final class SlidingLog {

  /** Parts of a window that are told apart when the quota is large: 60. */
  public static final int SLOTS = 60;

  /** The largest quota whose units all keep their own millisecond. */
  private static final long EXACT_QUOTA = 2L * SLOTS;

  /**
   * As many as {@link #EXACT_QUOTA} exact ones and, after the quota rose, a coarse one per slot.
   */
  static final int MAX_ENTRIES = 3 * SLOTS + 1;

  private static final int FIRST_CAPACITY = 2;
  private static final long[] NOTHING = {};

  private final long window;

  // A ring of pairs: entry i is at slot(i), first the time of its latest unit, then its units.
  // One array, because a key of a busy table rarely has more than a few entries.
  private long[] ring = NOTHING;
  private int head;
  private int size;

  /** Units of all entries, also of those that have expired and are not dropped yet. */
  private long units;

  /** Where the coarse cell ends in which the newest entry lies; means nothing without one. */
  private long coarseCellEnd;

  /**
   * Creates an empty log.
   *
   * @param windowMillis length of the window, 1 ms to {@link Limit#MAX_WINDOW}
   * @throws IllegalArgumentException if it is out of range
   */
  public SlidingLog(long windowMillis) {
    if (windowMillis < 1 || windowMillis > Limit.MAX_WINDOW.toMillis()) {
      throw new IllegalArgumentException(
          "window of %d ms is outside 1 to %d"
              .formatted(windowMillis, Limit.MAX_WINDOW.toMillis()));
    }
    this.window = windowMillis;
  }

  /**
   * How far apart two units may be that share an entry.
   *
   * @param windowMillis length of the window, 1 or more
   * @param quota units that may be live
   * @return milliseconds: 1 for a quota of up to 120, else a sixtieth of the window, rounded up
   */
  public static long grainMillis(long windowMillis, long quota) {
    return quota <= EXACT_QUOTA ? 1 : (windowMillis + SLOTS - 1) / SLOTS;
  }

  /**
   * The length of the window.
   *
   * @return milliseconds, 1 or more
   */
  public long windowMillis() {
    return window;
  }

  /**
   * Whether any unit is live. Cheaper than {@link #total}.
   *
   * @param now the time
   * @return true if {@link #total} is above 0
   */
  public boolean isLive(long now) {
    int newest = size - 1;
    return size > 0 && timeOf(newest) + window > now && (unitsOf(newest) > 0 || total(now) > 0);
  }

  /**
   * The units that count at a time. Changes nothing.
   *
   * @param now the time
   * @return units whose window has not ended, 0 or more
   */
  public long total(long now) {
    long total = units;
    for (int i = 0; i < size && timeOf(i) + window <= now; i++) {
      total -= unitsOf(i);
    }
    return total;
  }

  /**
   * Whether there is room for a charge. Changes nothing. A cost of 0 has room unless the quota was
   * lowered below what is live.
   *
   * @param now the time
   * @param cost units asked for
   * @param quota units that may be live
   * @return true if the live units and the cost do not exceed the quota
   */
  public boolean admits(long now, long cost, long quota) {
    return total(now) + cost <= quota;
  }

  /**
   * How long to wait until there is room for a charge, if nothing else is charged. Changes nothing.
   * The answer is exact: a millisecond earlier there is no room yet.
   *
   * @param now the time
   * @param cost units asked for
   * @param quota units that may be live
   * @return 0 if there is room now; else milliseconds, 1 or more; {@link LimitUsage#NEVER} if the
   *     cost exceeds the quota
   */
  public long retryAfter(long now, long cost, long quota) {
    if (cost > quota) {
      return LimitUsage.NEVER;
    }
    long excess = total(now) + cost - quota;
    if (excess <= 0) {
      return 0;
    }
    int i = firstLive(now);
    while ((excess -= unitsOf(i)) > 0) {
      i++;
    }
    return clampedTimeOf(i, now, quota) + window - now;
  }

  /**
   * What is left of the quota. Changes nothing.
   *
   * @param now the time
   * @param quota units that may be live
   * @return units, 0 or more; 0 also if the quota was lowered below what is live
   */
  public long remaining(long now, long quota) {
    return Math.max(0, quota - total(now));
  }

  /**
   * The time until the next unit expires. Changes nothing.
   *
   * @param now the time
   * @param quota units that may be live, on which it depends how units are grouped
   * @return milliseconds, 0 if no unit is live
   */
  public long resetAfter(long now, long quota) {
    return isLive(now) ? clampedTimeOf(firstLive(now), now, quota) + window - now : 0;
  }

  /**
   * Moves every unit that lies in the future to the present: it did happen before now, so it cannot
   * be forgotten early, and it need not be remembered for as long as the clock stepped back. Does
   * nothing if no unit lies in the future. To be called for every charge that costs something, also
   * if it is then refused.
   *
   * @param now the time
   * @param quota units that may be live, on which it depends how units are grouped
   */
  public void clamp(long now, long quota) {
    if (size == 0 || timeOf(size - 1) <= now) {
      return;
    }
    long from = startOfCell(now, quota);
    long moved = 0;
    while (size > 0 && timeOf(size - 1) >= from) {
      size--;
      moved += unitsOf(size);
    }
    append(now, moved);
  }

  /**
   * Counts units, without asking whether there is room, and forgets what has expired.
   *
   * <p>A time before that of the newest unit counts as that of the newest unit. So several threads
   * may feed a log with times that another clock gave them, in whatever order they come: a unit is
   * remembered for a little longer than its window, by as much as it was overtaken, and never for
   * less. If the other clock itself stepped back, call {@link #clamp} first.
   *
   * @param now the time at which they were admitted
   * @param cost units; 0 changes nothing
   * @param quota units that may be live, on which it depends how units are grouped; more may be
   * @throws IllegalArgumentException if the cost is negative
   */
  public void add(long now, long cost, long quota) {
    if (cost <= 0) {
      if (cost < 0) {
        throw new IllegalArgumentException("cost %d is negative".formatted(cost));
      }
      return;
    }
    long time = size == 0 ? now : Math.max(now, timeOf(size - 1));
    expire(time);
    if (size > 0 && isInCellOfNewest(time, quota)) {
      put(size - 1, time, unitsOf(size - 1) + cost);
    } else {
      if (2 * size == ring.length) {
        makeRoom();
      }
      append(time, cost);
    }
    units += cost;
  }

  /**
   * Takes units out again that were added before, unless they have left the window.
   *
   * <p>They are in the oldest entry whose latest unit is not older than they are. If that one lies
   * in another cell, they are not there any more, and nothing is taken: what was added later stays.
   * An entry without units keeps its place, so that what comes next is grouped as it would have
   * been.
   *
   * @param now the time
   * @param stamp the time at which they were added
   * @param cost units to take, 0 or more
   * @param quota units that may be live, on which it depends how units are grouped
   * @return units that were taken, 0 to {@code cost}
   */
  public long refund(long now, long stamp, long cost, long quota) {
    if (stamp + window <= now) {
      return 0;
    }
    int i = 0;
    while (i < size && timeOf(i) < stamp) {
      i++;
    }
    if (i == size || startOfCell(timeOf(i), quota) != startOfCell(stamp, quota)) {
      return 0;
    }
    long taken = Math.min(cost, unitsOf(i));
    put(i, timeOf(i), unitsOf(i) - taken);
    units -= taken;
    return taken;
  }

  /**
   * Forgets every entry whose latest unit was added by a time.
   *
   * @param time the time
   */
  public void forgetUntil(long time) {
    expire(time + window);
  }

  /** Entries that are kept, live or not. */
  int entries() {
    return size;
  }

  private void expire(long now) {
    while (size > 0 && timeOf(0) + window <= now) {
      units -= unitsOf(0);
      head = slot(1) / 2;
      size--;
    }
  }

  private void append(long time, long cost) {
    put(size, time, cost);
    size++;
    coarseCellEnd = startOfCoarseCell(time) + coarseGrain();
  }

  private void put(int i, long time, long cost) {
    int slot = slot(i);
    ring[slot] = time;
    ring[slot + 1] = cost;
  }

  private void makeRoom() {
    if (size == MAX_ENTRIES) {
      coarsen();
      return;
    }
    int capacity = Math.min(Math.max(FIRST_CAPACITY, 2 * size), MAX_ENTRIES);
    long[] larger = new long[2 * capacity];
    // The older part of a ring that has wrapped goes to the front, then the younger one.
    int older = ring.length - 2 * head;
    System.arraycopy(ring, 2 * head, larger, 0, older);
    System.arraycopy(ring, 0, larger, older, 2 * head);
    ring = larger;
    head = 0;
  }

  /**
   * Merges what shares a coarse cell. Needed only where units are added without asking whether
   * there is room for them: so the bound on the entries holds there too, at the price that large
   * quotas pay.
   */
  private void coarsen() {
    int kept = 0;
    for (int i = 1; i < size; i++) {
      long time = timeOf(i);
      long cost = unitsOf(i);
      if (timeOf(kept) >= startOfCoarseCell(time)) {
        cost += unitsOf(kept);
      } else {
        kept++;
      }
      put(kept, time, cost);
    }
    size = kept + 1;
  }

  /** The first entry that has units and counts; there must be one. */
  private int firstLive(long now) {
    int i = 0;
    while (timeOf(i) + window <= now || unitsOf(i) == 0) {
      i++;
    }
    return i;
  }

  /** The time of an entry as it would be after {@link #clamp}. */
  private long clampedTimeOf(int i, long now, long quota) {
    boolean clamps = timeOf(size - 1) > now;
    return clamps && timeOf(i) >= startOfCell(now, quota) ? now : timeOf(i);
  }

  private boolean isInCellOfNewest(long time, long quota) {
    return quota <= EXACT_QUOTA ? time == timeOf(size - 1) : time < coarseCellEnd;
  }

  private long startOfCell(long time, long quota) {
    return quota <= EXACT_QUOTA ? time : startOfCoarseCell(time);
  }

  private long startOfCoarseCell(long time) {
    return time - Math.floorMod(time, coarseGrain());
  }

  private long coarseGrain() {
    return grainMillis(window, EXACT_QUOTA + 1);
  }

  private long timeOf(int i) {
    return ring[slot(i)];
  }

  private long unitsOf(int i) {
    return ring[slot(i) + 1];
  }

  private int slot(int i) {
    int slot = 2 * (head + i);
    return slot < ring.length ? slot : slot - ring.length;
  }
}
