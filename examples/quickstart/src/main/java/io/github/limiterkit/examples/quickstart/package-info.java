/** One command: a server with limits, and the Redis that it counts in. */
@NullMarked
package io.github.limiterkit.examples.quickstart;

import org.jspecify.annotations.NullMarked;
