package io.github.limiterkit.setup;

import io.github.limiterkit.Mode;
import io.github.limiterkit.RateLimiter;
import java.time.Duration;
import java.util.List;

/** What decides inside a kit: a counter of this instance alone, or one that is shared. */
interface Engine extends AutoCloseable {

  /**
   * Starts its threads and gives a store a moment to answer.
   *
   * @param untilNanos when to stop waiting for it, as a reading of {@link System#nanoTime()}
   */
  void start(long untilNanos);

  RateLimiter limiter();

  /** Decides with the same counts and asks no store. */
  RateLimiter alone();

  Mode mode();

  /** The store's nodes; none without a store. */
  List<String> nodes();

  Mode mode(String node);

  /** How long a node has been in a mode so far. */
  Duration timeIn(String node, Mode mode);

  /** By how many instances quotas are divided without the store; 1 if nothing is ever divided. */
  int fleetSize();

  /** Instances that are missed. */
  int missingInstances();

  /** Callers who wait for the store now. */
  long inFlight();

  long localKeys();

  long forgottenUnits();

  /** Lets go of keys of which nothing is live any more. */
  void sweep();

  /** Stops what it started, within a second; decides on from memory afterwards. */
  @Override
  void close();
}
