package io.github.limiterkit;

/** Over what a policy counts. */
public enum Scope {
  /** Over all instances together, in the shared store, if there is one. */
  SHARED,
  /**
   * On each instance alone: a ceiling for what this instance can bear. The store is never asked, so
   * the quota is the same whether it answers or not, and is never divided.
   */
  INSTANCE
}
