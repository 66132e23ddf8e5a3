package io.github.limiterkit.store;

import org.jspecify.annotations.Nullable;

/**
 * One observation of a node's health: a round trip to it, however many callers waited for it.
 *
 * @param node the node, one of {@link SharedStore#nodes()}
 * @param roundTripNanos from writing the request to reading the reply, or to giving up on it
 * @param fault null if the node answered and did what it was asked, else why it did not
 * @param selfPaused whether this process itself stood still meanwhile, so that the time says
 *     nothing about the node
 */
public record Sample(
    String node, long roundTripNanos, @Nullable StoreException fault, boolean selfPaused) {}
