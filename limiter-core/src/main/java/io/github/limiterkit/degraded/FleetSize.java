package io.github.limiterkit.degraded;

import io.github.limiterkit.Ticker;
import io.github.limiterkit.store.Fleet;
import java.time.Duration;

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

  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private static final int MINUTES = 60;

  private final int configured;
  private final Ticker ticker;
  private final long origin;

  /** The most that were alive at once in each minute, and which minute it was. */
  private final int[] mostAlive = new int[MINUTES + 1];

  private final long[] minutes = new long[MINUTES + 1];

  private volatile LocalRule rule;
  private volatile int size;
  private volatile Fleet last;
  private int heard;

  FleetSize(int configured, Ticker ticker) {
    this.configured = configured;
    this.ticker = ticker;
    this.origin = ticker.read();
    this.size = configured;
    this.rule = LocalRule.ofFleet(configured);
    this.last = new Fleet(0, 0, 0);
  }

  /** Takes what a heartbeat was answered. Returns whether the size is another now. */
  synchronized boolean hear(Fleet fleet) {
    long minute = Math.floorDiv(ticker.read() - origin, MINUTE);
    int place = (int) (minute % mostAlive.length);
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
