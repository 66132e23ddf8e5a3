/**
 * Limits requests in a servlet container: {@link io.github.limiterkit.servlet.RateLimitFilter}.
 *
 * <p>It translates and delegates; every rule is in the kit's core.
 */
@NullMarked
package io.github.limiterkit.servlet;

import org.jspecify.annotations.NullMarked;
