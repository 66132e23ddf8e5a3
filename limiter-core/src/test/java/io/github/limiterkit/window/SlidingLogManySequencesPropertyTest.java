package io.github.limiterkit.window;

import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Tag;

/** The same promises on more sequences. */
@Tag("deep")
@PropertyDefaults(tries = 10_000, edgeCases = EdgeCasesMode.NONE)
class SlidingLogManySequencesPropertyTest extends SlidingLogProperties {}
