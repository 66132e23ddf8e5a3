package io.github.limiterkit;

/** What a policy does when the shared store does not answer in time. */
public enum WhenStoreFails {
  /** Go on limiting from this instance's own counter, with this instance's share of the quota. */
  LOCAL,
  /** Let everything pass. The limit is off for as long as the store is gone. */
  OPEN,
  /** Refuse everything; over HTTP with 503. */
  CLOSED
}
