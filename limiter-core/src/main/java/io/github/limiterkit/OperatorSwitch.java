package io.github.limiterkit;

/** What an operator can make a running kit do for a while. */
public enum OperatorSwitch {
  /** What the kit is configured to do. */
  NORMAL,
  /**
   * Limit on this instance alone, as if the shared store were lost: no request asks it, and each
   * policy does what its {@link WhenStoreFails} says. Without a store nothing changes.
   */
  LOCAL_ONLY,
  /** Let everything pass, uncounted: no limit is in force on this instance. */
  ALLOW_ALL
}
