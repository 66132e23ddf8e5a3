package io.github.limiterkit;

/** How a limiter counts at this moment. */
public enum Mode {
  /** Together with the other instances, through the shared store. */
  SHARED,
  /** On this instance alone with lowered limits, because the shared store is slow or gone. */
  DEGRADED,
  /** As {@link #DEGRADED}, while trial calls in the background find the store answering again. */
  PROBING,
  /** On this instance alone with full limits, because no shared store was configured. */
  LOCAL
}
