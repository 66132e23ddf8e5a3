/**
 * Limiting on when the shared store is slow, gone, or has forgotten: a warm log of this instance's
 * own admissions, a health gate per node of the store, and the limiter that joins shared and local.
 */
@NullMarked
package io.github.limiterkit.degraded;

import org.jspecify.annotations.NullMarked;
