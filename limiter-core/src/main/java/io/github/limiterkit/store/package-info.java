/**
 * What degraded mode asks of a shared counter, and nothing else: the seam between {@code
 * io.github.limiterkit.degraded} and a store such as Redis.
 */
@NullMarked
package io.github.limiterkit.store;

import org.jspecify.annotations.NullMarked;
