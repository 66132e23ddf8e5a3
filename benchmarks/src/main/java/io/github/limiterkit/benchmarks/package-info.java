/** This kit and its peers, measured side by side. */
@NullMarked
package io.github.limiterkit.benchmarks;

import org.jspecify.annotations.NullMarked;
