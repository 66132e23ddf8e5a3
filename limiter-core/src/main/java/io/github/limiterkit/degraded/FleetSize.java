package io.github.limiterkit.degraded;

import io.github.limiterkit.store.Fleet;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * By how many instances each quota is divided while the store is lost: as many as were configured,
 * or as were seen alive at once in the last hour in which this instance could see any, if they were
 * more. It never looks at the present moment: who is not heard of now may go on without the store.
 *
 * <p>What is not known is never guessed: before the first heartbeat the configured number counts,
 * and while there are none the last one goes on counting.
 *
 * <p>Safe for use by several threads.
 */
final class FleetSize {

  /** More than that cannot be configured either. */
  static final int MOST = 100_000;

  private static final long MINUTE = Duration.ofMinutes(1).toMillis();

  /** Older word of the others is no word. */
  private static final long FRESH_MILLIS = Duration.ofSeconds(2).toMillis();

  private static final int MINUTES = 60;

  private final int configured;
  private final LongSupplier clockMillis;
  private final long freshMillis;

  /** The most that were alive at once in each minute, and which minute it was. */
  private final int[] mostAlive = new int[MINUTES + 1];

  private final long[] minutes = new long[MINUTES + 1];

  private volatile LocalRule rule;
  private volatile int size;
  private volatile Fleet last;
  private int heard;

  /** When the last answered heartbeat was sent. */
  private volatile long lastSent;

  /**
   * The first of those in a row that were answered and missed nobody; the future if there is none.
   */
  private volatile long wholeSince = Long.MAX_VALUE;

  /**
   * Creates one that has heard nothing.
   *
   * @param configured how many there are at least
   * @param clockMillis the local clock
   * @param deadlineMillis how long a heartbeat may take, and how far an estimate of the store's
   *     clock may lag
   */
  FleetSize(int configured, LongSupplier clockMillis, long deadlineMillis) {
    this.configured = configured;
    this.clockMillis = clockMillis;
    this.freshMillis = FRESH_MILLIS - deadlineMillis;
    this.size = configured;
    this.rule = LocalRule.ofFleet(configured);
    this.last = new Fleet(0, 0, 0);
  }

  /**
   * Takes what a heartbeat was answered.
   *
   * @param sent the local time when it was sent
   * @return whether the size is another now
   */
  synchronized boolean hear(Fleet fleet, long sent) {
    if (fleet.missing() > 0) {
      wholeSince = Long.MAX_VALUE;
    } else if (wholeSince == Long.MAX_VALUE || sent - lastSent > freshMillis) {
      wholeSince = sent;
    }
    lastSent = sent;
    long minute = Math.floorDiv(clockMillis.getAsLong(), MINUTE);
    int place = Math.floorMod(minute, mostAlive.length);
    if (minutes[place] != minute) {
      minutes[place] = minute;
      mostAlive[place] = 0;
    }
    mostAlive[place] = Math.max(mostAlive[place], fleet.alive());
    last = fleet;
    heard++;
    int most = Math.max(configured, fleet.most());
    for (int i = 0; i < mostAlive.length; i++) {
      // The store may have forgotten; this instance has not.
      if (minute - minutes[i] <= MINUTES) {
        most = Math.max(most, mostAlive[i]);
      }
    }
    most = Math.min(most, MOST);
    boolean changed = most != size;
    if (changed) {
      size = most;
      rule = LocalRule.ofFleet(most);
    }
    return changed;
  }

  /**
   * Whether nobody was missing for a while before a moment, as far as this instance can know.
   *
   * @param at the moment, local time, not before the last heartbeat
   * @param forMillis how long; 2 s more are asked for, since between two heartbeats nothing is seen
   */
  boolean wasWhole(long at, long forMillis) {
    long since = wholeSince;
    return since != Long.MAX_VALUE
        && at - lastSent <= freshMillis
        && at - since >= forMillis + FRESH_MILLIS;
  }

  int size() {
    return size;
  }

  /** What each instance may admit by itself, if all have equal parts. */
  LocalRule rule() {
    return rule;
  }

  /** How many heartbeats were answered. */
  synchronized int heard() {
    return heard;
  }

  /** The last answer to a heartbeat; all 0 before the first. */
  Fleet lastHeard() {
    return last;
  }
}
