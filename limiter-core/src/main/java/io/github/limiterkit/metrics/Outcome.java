package io.github.limiterkit.metrics;

/** What became of a charge, as far as its own policy is concerned. */
public enum Outcome {
  /** It was admitted and charged. */
  ALLOWED,
  /** A limit of this policy had no room. */
  REFUSED
}
