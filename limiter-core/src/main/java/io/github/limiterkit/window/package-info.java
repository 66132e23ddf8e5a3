/**
 * The sliding window as pure arithmetic: no clock, no lock, no input or output.
 *
 * <p>Whoever counts in memory counts with {@link io.github.limiterkit.window.SlidingLog}; the
 * script of the shared store does the same sums in its own language.
 */
@NullMarked
package io.github.limiterkit.window;

import org.jspecify.annotations.NullMarked;
