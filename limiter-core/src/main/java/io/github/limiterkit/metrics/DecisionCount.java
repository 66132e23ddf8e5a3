package io.github.limiterkit.metrics;

import io.github.limiterkit.Source;

/**
 * How often a policy was decided in one way.
 *
 * @param policy the policy's name
 * @param source who decided
 * @param outcome how
 * @param count decisions since the kit was built, 0 or more
 */
public record DecisionCount(String policy, Source source, Outcome outcome, long count) {}
