package io.github.limiterkit;

/** What became of a reset of one key. */
public enum Reset {
  /** The key starts afresh: nothing of it is counted any more, in the store or here. */
  DONE,
  /**
   * This instance starts afresh with the key, but the shared store could not be told within the
   * deadline and may go on counting. Try again when it is back.
   */
  STORE_NOT_REACHED
}
