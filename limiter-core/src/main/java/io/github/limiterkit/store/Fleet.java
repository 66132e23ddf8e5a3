package io.github.limiterkit.store;

/**
 * How many instances share a store, as the store itself knows.
 *
 * @param alive instances heard of in the last 3 s
 * @param missing instances that were heard of in the last hour, but not in the last 3 s, and did
 *     not say that they leave: they may have gone, or go on without the store
 * @param most the most that were alive at once in the last hour
 */
public record Fleet(int alive, int missing, int most) {}
