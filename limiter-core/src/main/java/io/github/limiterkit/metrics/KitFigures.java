package io.github.limiterkit.metrics;

import io.github.limiterkit.Mode;
import io.github.limiterkit.OperatorSwitch;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a kit knows about itself, for {@link KitMetrics} to publish. Every reading is cheap, never
 * waits for the store, and may be made from any thread until the kit is closed.
 */
public interface KitFigures {

  /**
   * The decisions so far.
   *
   * @return live counters, always the same
   */
  DecisionCounters decisions();

  /**
   * What was seen of the shared store so far.
   *
   * @return live counters, always the same; they stay at 0 in a kit without a store
   */
  StoreCounters store();

  /**
   * How the kit counts now.
   *
   * @return the mode; with several nodes the worst of theirs
   */
  Mode mode();

  /**
   * The store's nodes, each with a mode of its own.
   *
   * @return their names, none in a kit without a store
   */
  List<String> nodes();

  /**
   * How one node is used now.
   *
   * @param node one of {@link #nodes()}
   * @return its mode
   */
  Mode mode(String node);

  /**
   * How long one node has been used in one way, all times together.
   *
   * @param node one of {@link #nodes()}
   * @param mode {@link Mode#SHARED}, {@link Mode#DEGRADED} or {@link Mode#PROBING}
   * @return the time since the kit was built
   */
  Duration timeIn(String node, Mode mode);

  /**
   * What somebody has to mend before the store can be used again, such as a wrong password. A store
   * that is merely slow or gone is not among it: the kit limits on without it and comes back by
   * itself.
   *
   * @return node and fault, without any secret; null if there is nothing to mend
   */
  @Nullable String alarm();

  /**
   * What an operator has switched the kit to.
   *
   * @return {@link OperatorSwitch#NORMAL} if nothing
   */
  OperatorSwitch override();

  /**
   * By how many instances quotas are divided when the store is lost.
   *
   * @return 1 or more; 1 in a kit without a store
   */
  long fleetSize();

  /**
   * Instances that went silent in the last hour without having said that they leave.
   *
   * @return instances at the last heartbeat, 0 or more; 0 in a kit without a store
   */
  long missingInstances();

  /**
   * Requests that wait for the store at this moment.
   *
   * @return 0 to what the kit allows; 0 in a kit without a store
   */
  long inFlight();

  /**
   * Keys in this instance's memory.
   *
   * @return entries of the local table
   */
  long localKeys();

  /**
   * Units that this instance forgot because its table was full; each of them may be admitted once
   * more.
   *
   * @return units so far
   */
  long forgottenUnits();
}
