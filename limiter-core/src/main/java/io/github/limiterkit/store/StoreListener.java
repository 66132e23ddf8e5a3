package io.github.limiterkit.store;

/**
 * Takes what a shared store notices in the background. Called from threads of the store; must be
 * quick and must not throw.
 */
@FunctionalInterface
public interface StoreListener {

  /**
   * A round trip ended, or is overdue by one more deadline.
   *
   * @param sample what was seen
   */
  void sample(Sample sample);

  /**
   * States could not be read (a foreign or an old format) and were replaced by fresh ones, so that
   * their limits began anew.
   *
   * @param node the node that held them
   * @param states how many
   */
  default void replacedUnreadable(String node, long states) {}
}
