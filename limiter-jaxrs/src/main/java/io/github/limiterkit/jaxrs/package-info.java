/**
 * Limits requests to Jakarta REST resources: {@link io.github.limiterkit.jaxrs.RateLimitFeature}
 * registers it, {@link io.github.limiterkit.jaxrs.RateLimited} and {@link
 * io.github.limiterkit.jaxrs.Unlimited} say where.
 *
 * <p>It translates and delegates; every rule is in the kit's core.
 */
@NullMarked
package io.github.limiterkit.jaxrs;

import org.jspecify.annotations.NullMarked;
