/** Two outages of a shared Redis, lived through by three limiters side by side. */
@NullMarked
package io.github.limiterkit.examples.outagereplay;

import org.jspecify.annotations.NullMarked;
