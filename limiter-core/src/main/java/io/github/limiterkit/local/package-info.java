/**
 * Counting in the memory of this instance: a table that stays bounded under any flood of keys, and
 * a limiter on top of it.
 */
@NullMarked
package io.github.limiterkit.local;

import org.jspecify.annotations.NullMarked;
