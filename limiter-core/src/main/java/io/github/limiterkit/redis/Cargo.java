package io.github.limiterkit.redis;

import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import org.jspecify.annotations.Nullable;

/** What one round trip carries: how it is sent, and who is told what became of it. */
interface Cargo {

  Script script();

  /** The script by its name or its text, number of keys, keys, arguments. */
  byte[][] arguments(byte[] script);

  /**
   * Tells whoever waits what the script answered.
   *
   * @return the first fault in it that concerns the node, or null
   */
  @Nullable StoreException settle(Object answer);

  /** From now on it may be executed, whatever becomes of the answer. */
  default void leaves() {}

  /** Tells whoever waits that there is no answer. */
  void fail(StoreException fault);

  /** Whether nobody waits for it any more. */
  boolean isOver(long nowNanos);

  /** Whether it tries out the node, so that its failure is no reason to connect anew at once. */
  boolean isTrial();

  /** Whether a fault says something about the health of the node. */
  default boolean concernsNode(StoreFault fault) {
    return fault.concernsNode();
  }

  /** How many states the script replaced because it could not read them. */
  default long replacedUnreadable(Object answer) {
    return 0;
  }
}
