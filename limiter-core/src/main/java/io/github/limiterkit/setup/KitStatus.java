package io.github.limiterkit.setup;

import io.github.limiterkit.Mode;
import io.github.limiterkit.degraded.OperatorOverride;
import io.github.limiterkit.metrics.DecisionCount;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a kit is doing, at the moment it was asked. Immutable; holds no key and no secret.
 *
 * @param mode how it counts; with several nodes the worst of theirs
 * @param nodes the store's nodes and how each is used; empty without a store
 * @param alarm what somebody has to mend before the store can be used again; null if nothing
 * @param override what an operator has switched the kit to; null if nothing
 * @param policies the names of the policies, in the order configured
 * @param decisions decisions so far, only those cells that are not zero
 */
public record KitStatus(
    Mode mode,
    Map<String, Mode> nodes,
    @Nullable String alarm,
    OperatorOverride.@Nullable Standing override,
    List<String> policies,
    List<DecisionCount> decisions) {}
