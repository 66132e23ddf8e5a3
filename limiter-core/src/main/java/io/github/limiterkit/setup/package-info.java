/**
 * The one place where the parts meet: {@link io.github.limiterkit.setup.LimiterKit}, which a user
 * builds, holds and closes.
 */
@NullMarked
package io.github.limiterkit.setup;

import org.jspecify.annotations.NullMarked;
