package io.github.limiterkit;

import java.util.List;

/**
 * What became of a refund: the units that are free again, and whether all counters heard of it.
 *
 * <p>Less than was taken may come back, and never more: units that have left their window are free
 * already, and a counter that began anew since does not know them any more.
 *
 * @param givenBack the charges of which units were given back, with the number of these units as
 *     their cost: the most that any limit of the policy got back; empty if there were none
 * @param complete whether every counter of the charges heard of it; false if the shared store
 *     counted them and could not be told within the deadline, so that it may go on counting them
 *     until they leave their window
 */
public record Refund(List<Charge> givenBack, boolean complete) {

  /** There was nothing to give back, or nothing any more. */
  public static final Refund NOTHING = new Refund(List.of(), true);

  /**
   * Takes a copy of the list, unless it is immutable already.
   *
   * @param givenBack the charges of which units were given back
   * @param complete whether every counter heard of it
   */
  public Refund {
    givenBack = List.copyOf(givenBack);
  }

  /**
   * The units that were given back.
   *
   * @return the sum over all charges, 0 or more
   */
  public long units() {
    long units = 0;
    for (Charge charge : givenBack) {
      units += charge.cost();
    }
    return units;
  }
}
