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

  /** Takes a copy of the list, unless it is immutable already. */
  public StoreReply {
    limits = List.copyOf(limits);
  }

  /**
   * How one limit stands in the store.
   *
   * @param remaining units still available, 0 or more
   * @param retryAfterMillis 0 if the limit had room, else the least wait; {@link
   *     io.github.limiterkit.LimitUsage#NEVER} if the cost exceeds the limit
   * @param resetAfterMillis time until the next unit expires; 0 if there is none, and for a limit
   *     that refused
   */
  public record LimitReply(long remaining, long retryAfterMillis, long resetAfterMillis) {}
}
