package io.github.limiterkit.degraded;

import io.github.limiterkit.Mode;
import java.time.Duration;

/**
 * A node's gate changed its state.
 *
 * @param node the node of the store
 * @param from the state before
 * @param to the state now, another one
 * @param reason why, for a person: with a figure, without a key or a secret
 * @param lasted how long the state before lasted
 */
public record Transition(String node, Mode from, Mode to, String reason, Duration lasted) {}
