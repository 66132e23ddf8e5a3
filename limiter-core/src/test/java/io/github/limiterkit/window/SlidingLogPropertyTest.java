package io.github.limiterkit.window;

import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.PropertyDefaults;

/** The promises of the sliding window on some thousands of sequences. */
// Edge cases of every part, combined, would leave no room for random sequences.
@PropertyDefaults(tries = 2_000, edgeCases = EdgeCasesMode.NONE)
class SlidingLogPropertyTest extends SlidingLogProperties {}
