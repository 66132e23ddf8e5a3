package io.github.limiterkit.degraded;

/**
 * What the store's clock shows, as far as this instance can know: the last stamp that a reply
 * carried, and the local time since.
 *
 * <p>A reply arrives a little after it was stamped, so the estimate lags behind by at most one
 * deadline and never leads; of several replies the one that travelled fastest counts. A stamp that
 * lies further back than a deadline means that the store's clock stepped back, and is followed.
 */
final class StoreClock {

  private final long deadlineMillis;
  private volatile long offset;
  private volatile boolean known;

  StoreClock(long deadlineMillis) {
    this.deadlineMillis = deadlineMillis;
  }

  /** Takes the stamp of a reply that has just arrived. */
  void see(long stampMillis, long localMillis) {
    long seen = stampMillis - localMillis;
    if (isBetter(seen)) {
      follow(seen);
    }
  }

  private synchronized void follow(long seen) {
    if (isBetter(seen)) {
      offset = seen;
      known = true;
    }
  }

  private boolean isBetter(long seen) {
    long best = offset;
    return !known || seen > best || best - seen > deadlineMillis;
  }

  /**
   * The store's time at a local time. Before the first reply any time will do: nothing is stamped.
   */
  long at(long localMillis) {
    return localMillis + offset;
  }

  /** A local time at which the store's clock surely showed no more than this. */
  long localBefore(long stampMillis) {
    return stampMillis - offset - deadlineMillis;
  }
}
