/**
 * The vocabulary of Limiter Kit: what is asked ({@link io.github.limiterkit.Charge} against a
 * {@link io.github.limiterkit.Policy}) and what is answered ({@link
 * io.github.limiterkit.Decision}).
 *
 * <p>This package depends on {@code java.*} and JSpecify only; everything else in the kit depends
 * on it.
 */
@NullMarked
package io.github.limiterkit;

import org.jspecify.annotations.NullMarked;
