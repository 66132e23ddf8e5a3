package io.github.limiterkit.store;

import java.util.List;

/**
 * A shared store's decision about a list of charges.
 *
 * @param allowed whether all charges were admitted, and charged
 * @param stampMillis the store's clock when it decided
 * @param limits one per limit, in the order of the charges and of each policy's limits
 */
public record StoreReply(boolean allowed, long stampMillis, List<LimitReply> limits) {

  /**
   * Takes a copy of the list, unless it is immutable already.
   *
   * @param allowed whether all charges were admitted
   * @param stampMillis the store's clock
   * @param limits one per limit
   */
  public StoreReply {
    limits = List.copyOf(limits);
  }

  /** Whether a limit had room for its charge. */
  public enum Room {
    /** It had. */
    YES,
    /** It had not; the wait is known. */
    NO,
    /** The store's own count had, but the floor handed in had not. */
    BELOW_FLOOR,
    /** The cost exceeds the limit itself. */
    NEVER
  }

  /**
   * How one limit stands in the store.
   *
   * @param room whether it had room
   * @param remaining units still available, 0 or more
   * @param retryAfterMillis until there is room, where it had {@link Room#NO}; else 0
   * @param resetAfterMillis until the next unit expires, 0 if there is none
   * @param birthMillis the store's clock when this state began; units counted before are not in it;
   *     plus 2<sup>47</sup> if a reset began it
   * @param fleetUnits units the whole fleet was given in the last completed epoch, whose length is
   *     the window, but 5 s at least; -1 if the state does not know all of them
   */
  public record LimitReply(
      Room room,
      long remaining,
      long retryAfterMillis,
      long resetAfterMillis,
      long birthMillis,
      long fleetUnits) {

    private static final long REBORN = 1L << 47;

    /**
     * Whether a reset began this state: what was admitted until then must not hold the key back.
     *
     * @return true if {@link #rebornMillis} tells when
     */
    public boolean begunByReset() {
      return birthMillis >= REBORN;
    }

    /**
     * When a reset began this state.
     *
     * @return the store's clock at that time; without a meaning if it was not {@link #begunByReset}
     */
    public long rebornMillis() {
      return birthMillis - REBORN;
    }
  }
}
