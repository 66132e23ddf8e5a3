/** A real Redis and a faulty network for the tests of all modules. */
@NullMarked
package io.github.limiterkit.testing;

import org.jspecify.annotations.NullMarked;
