package io.github.limiterkit.http;

import org.jspecify.annotations.Nullable;

/**
 * A policy that a request is charged to.
 *
 * @param policy which
 * @param route by which it applies; null if it was named
 */
record Asked(HttpPolicy policy, @Nullable Route route) {}
