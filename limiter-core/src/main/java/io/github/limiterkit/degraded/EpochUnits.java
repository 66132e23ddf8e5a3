package io.github.limiterkit.degraded;

import io.github.limiterkit.Limit;

/**
 * How much of one key this instance was given, and how much the whole fleet, in the last whole
 * epoch of the store's time: all instances divide the same numbers, so their parts add up to one at
 * most. Only what the store itself admitted counts. Guarded by the table.
 */
final class EpochUnits {

  private static final long SHORTEST_MILLIS = 5_000;
  private static final long UNKNOWN = -1;

  private final long length;
  private long birth = Long.MIN_VALUE;

  /** The epoch of the latest reply, and units of this instance in it and in the one before. */
  private long epoch = Long.MIN_VALUE;

  private long own;
  private long ownBefore;

  /** Units of the fleet in the epoch before, as a reply of this epoch told. */
  private long fleetBefore = UNKNOWN;

  EpochUnits(Limit limit) {
    this.length = lengthMillis(limit);
  }

  /** How long an epoch of a limit is; the script of the store knows the same. */
  static long lengthMillis(Limit limit) {
    return Math.max(limit.windowMillis(), SHORTEST_MILLIS);
  }

  /**
   * Takes a reply; they may come out of order.
   *
   * @param stamp the store's clock
   * @param stateBirth when the store's state began
   * @param units what this instance was given by it, 0 or more
   * @param fleet units of the fleet in the epoch before that of the stamp, or -1
   */
  void reply(long stamp, long stateBirth, long units, long fleet) {
    if (stateBirth < birth) {
      return; // of a state that the store has forgotten
    }
    long at = Math.floorDiv(stamp, length);
    if (stateBirth > birth || at < epoch - 1) {
      begin(stateBirth, at);
    } else if (at > epoch) {
      ownBefore = at == epoch + 1 ? own : 0;
      own = 0;
      fleetBefore = UNKNOWN;
      epoch = at;
    }
    if (at == epoch) {
      own += units;
      fleetBefore = Math.max(fleetBefore, fleet);
    } else {
      ownBefore += units;
    }
  }

  private void begin(long stateBirth, long at) {
    birth = stateBirth;
    epoch = at;
    own = 0;
    ownBefore = 0;
    fleetBefore = UNKNOWN;
  }

  /**
   * Units of the fleet that may be divided by an instance that lost the store at a time.
   *
   * @param lost the store's clock then
   * @return above 0; 0 if there are none, or too little is known of them
   */
  long divisible(long lost) {
    boolean known = epoch == Math.floorDiv(lost, length) && ownBefore <= fleetBefore;
    return known ? fleetBefore : 0;
  }

  /** Units of this instance among them. */
  long ownBefore() {
    return ownBefore;
  }
}
