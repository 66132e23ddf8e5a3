package io.github.limiterkit.degraded;

import java.time.Duration;

/**
 * When a gate shuts and how it opens again: {@link GateSettings} with every default filled in.
 *
 * @param slow round trips over this are slow
 * @param failuresInARow so many failed samples in a row shut the gate
 * @param failuresOfTen so many failed or slow samples of the last ten shut it
 * @param probeFirst the wait before the first probe
 * @param probeLongest the wait is doubled up to this
 */
record GateNumbers(
    Duration slow,
    int failuresInARow,
    int failuresOfTen,
    Duration probeFirst,
    Duration probeLongest) {}
