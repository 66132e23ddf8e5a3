package io.github.limiterkit.store;

import io.github.limiterkit.Charge;
import java.time.Duration;
import java.util.List;

/**
 * A counter that several instances share.
 *
 * <p>It executes a decision at most once, never repeats a call whose outcome is unknown, and never
 * makes a caller connect: connections are made by the store's own threads. Safe for use by several
 * threads.
 */
public interface SharedStore extends AutoCloseable {

  /**
   * What the store is, for people.
   *
   * @return kind and address, without any secret
   */
  String description();

  /**
   * The time that one decision may take in all.
   *
   * @return the deadline, 1 ms or more
   */
  Duration deadline();

  /**
   * The nodes whose health is watched one by one.
   *
   * @return their names, at least one
   */
  List<String> nodes();

  /**
   * The node that decides about a charge.
   *
   * @param charge the charge
   * @return one of {@link #nodes()}
   */
  String nodeOf(Charge charge);

  /**
   * Starts the store's threads. Returns at once, whether the store answers or not.
   *
   * @param listener takes what is seen of all nodes
   */
  void start(StoreListener listener);

  /**
   * Decides about all charges together: all are admitted and charged, or none.
   *
   * @param charges what to charge, all of one node
   * @param floors per limit, in the order of the charges and of each policy's limits, the units
   *     that this instance itself knows to be live; the store admits as if it knew of at least
   *     these
   * @param deadlineNanos when the caller gives up, as a reading of {@link System#nanoTime()}
   * @return the decision
   * @throws StoreException if there is none in time, for whatever reason; the charge may then have
   *     been executed or not, and is never executed later than its connection lives
   */
  StoreReply decide(List<Charge> charges, long[] floors, long deadlineNanos);

  /**
   * Makes a real charge on a key of the store's own that the node holds, over a new connection if
   * there is none. For one background thread per node; no request ever calls it.
   *
   * @param node one of {@link #nodes()}
   * @param deadlineNanos when the caller gives up, as a reading of {@link System#nanoTime()}
   * @throws StoreException if the node did not execute it in time
   */
  void probe(String node, long deadlineNanos);

  /** Stops the store's threads and closes its connections, within a second. */
  @Override
  void close();
}
