package io.github.limiterkit.store;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
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
   * Gives back units that this store admitted. Of each limit, only units of the very state that
   * admitted them and of about the same moment are taken; where they cannot be told apart any more,
   * or have expired, nothing is given back. To be called once for an admission.
   *
   * @param charges what to give back: whose, and as cost the units, at most those that were
   *     admitted; all of one node
   * @param stampMillis the store's clock when it admitted them, as the reply told
   * @param birthsMillis per limit, in the order of the charges and of each policy's limits, when
   *     its state began, as the reply told
   * @param deadlineNanos when the caller gives up, as a reading of {@link System#nanoTime()}
   * @return per limit, in the same order, the units that were given back, 0 to the cost
   * @throws StoreException if there is no answer in time, for whatever reason; it may then have
   *     been executed or not
   */
  long[] refund(List<Charge> charges, long stampMillis, long[] birthsMillis, long deadlineNanos);

  /**
   * Forgets what was counted for one key of a policy: for all of its limits, or for none.
   *
   * @param policy whose limits
   * @param key whose units; as in {@link Charge#key()}
   * @param deadlineNanos when the caller gives up, as a reading of {@link System#nanoTime()}
   * @return whether there was anything to forget
   * @throws StoreException if there is no answer in time, for whatever reason; it may then have
   *     been executed or not
   */
  boolean reset(Policy policy, String key, long deadlineNanos);

  /**
   * Makes a real charge on a key of the store's own that the node holds, over a new connection if
   * there is none. For one background thread per node; no request ever calls it.
   *
   * @param node one of {@link #nodes()}
   * @param deadlineNanos when the caller gives up, as a reading of {@link System#nanoTime()}
   * @throws StoreException if the node did not execute it in time
   */
  void probe(String node, long deadlineNanos);

  /**
   * Says that this instance is there, over the connection on which decisions travel, and learns how
   * many there are. What the round trip shows of the node's health goes to the listener like any
   * other. For one background thread per node, about once a second; no request ever calls it.
   *
   * @param node one of {@link #nodes()}
   * @param deadlineNanos when the caller gives up, as a reading of {@link System#nanoTime()}
   * @return the fleet, this instance included
   * @throws StoreException if there is no answer in time
   */
  Fleet heartbeat(String node, long deadlineNanos);

  /**
   * Says that this instance leaves, so that the others need not miss it. Otherwise as {@link
   * #heartbeat}.
   *
   * @param node one of {@link #nodes()}
   * @param deadlineNanos when the caller gives up
   * @throws StoreException if there is no answer in time
   */
  void leave(String node, long deadlineNanos);

  /** Stops the store's threads and closes its connections, within a second. */
  @Override
  void close();
}
