/**
 * What a kit counts about itself, and how the counts leave it.
 *
 * <p>{@link io.github.limiterkit.metrics.DecisionCounters} and {@link
 * io.github.limiterkit.metrics.StoreCounters} count always and need nothing. {@link
 * io.github.limiterkit.metrics.KitMetrics} publishes them; {@link
 * io.github.limiterkit.metrics.DropwizardMetrics} does so in a Dropwizard registry, and is the only
 * place in the kit that needs one.
 */
@NullMarked
package io.github.limiterkit.metrics;

import org.jspecify.annotations.NullMarked;
