package io.github.limiterkit.metrics;

import io.github.limiterkit.store.Sample;

/**
 * Publishes a kit's figures somewhere. {@link DropwizardMetrics} is the one that comes with the
 * kit; another system needs these few methods.
 */
@FunctionalInterface
public interface KitMetrics {

  /**
   * Begins to publish. Called once for each kit, while it is built; nothing is registered later.
   *
   * @param figures to read whenever somebody asks
   * @return what ends it
   */
  Publication publish(KitFigures figures);

  /** One kit's figures, published until it is closed. */
  interface Publication extends AutoCloseable {

    /**
     * A round trip to the store ended; called from threads of the store, so it must be quick and
     * must not throw.
     *
     * @param sample what was seen
     */
    default void sample(Sample sample) {}

    /** Takes back exactly what was published for this kit. A second call does nothing. */
    @Override
    void close();
  }
}
