package io.github.limiterkit;

/**
 * Who gave an answer. The constants are in order of strength: a decision about several charges
 * carries the weakest source that took part in it.
 */
public enum Source {
  /** The shared store. */
  SHARED,
  /** This instance remembered a refusal of the shared store that is still in force. */
  DENY_CACHE,
  /** The counter in this instance's memory. */
  LOCAL,
  /** The policy's {@link WhenStoreFails#OPEN} or {@link WhenStoreFails#CLOSED}. */
  POSTURE,
  /** An operator's {@link OperatorSwitch#ALLOW_ALL}: it was let pass, and counted nowhere. */
  OVERRIDE
}
