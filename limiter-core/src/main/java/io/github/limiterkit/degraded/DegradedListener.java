package io.github.limiterkit.degraded;

import io.github.limiterkit.store.Fleet;
import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreException;

/**
 * Takes what happens between a limiter and its shared store, for metrics and logs. Called from
 * threads of requests and of the kit; must be quick and must not throw.
 */
public interface DegradedListener {

  /** Takes nothing. */
  DegradedListener NONE = new DegradedListener() {};

  /**
   * A node's gate changed its state; once per real change.
   *
   * @param transition what changed
   */
  default void transition(Transition transition) {}

  /**
   * A round trip to the store ended, or is overdue by one more deadline.
   *
   * @param sample what was seen
   */
  default void sample(Sample sample) {}

  /**
   * The store was asked and did not decide: by a request, whose decision was then made locally, or
   * by a probe.
   *
   * @param node the node that was asked
   * @param failure why it did not decide
   */
  default void fault(String node, StoreException failure) {}

  /**
   * This instance said that it is there, and learned how many there are.
   *
   * @param node the node that was told
   * @param fleet what it answered
   */
  default void heartbeat(String node, Fleet fleet) {}

  /**
   * This instance could not say that it is there. Nothing was decided differently for it.
   *
   * @param node the node that should have been told
   * @param failure why it was not
   */
  default void heartbeatFailed(String node, StoreException failure) {}

  /**
   * The store had room, but this instance knew of units that the store had forgotten, and the
   * charge was refused for their sake.
   */
  default void floorRefusal() {}

  /** The store admitted what this instance would have refused by itself. */
  default void rehearsedStricter() {}

  /** The store refused what this instance would have admitted by itself. */
  default void rehearsedLaxer() {}

  /**
   * This instance decided by its own limits about a charge that is shared: the store is lost, or
   * this one call of it failed, or nobody was to ask it.
   *
   * @param allowed whether it was admitted
   * @param loweredAlone whether only this instance's lowered limit refused it, and not what the
   *     instance has admitted of the whole quota
   */
  default void decidedHere(boolean allowed, boolean loweredAlone) {}

  /** A decision was made locally because too many callers were waiting for the store already. */
  default void shed() {}

  /**
   * States in the store could not be read and were replaced by fresh ones.
   *
   * @param node the node that held them
   * @param states how many
   */
  default void replacedUnreadable(String node, long states) {}
}
