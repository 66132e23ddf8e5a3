package io.github.limiterkit.degraded;

import java.time.Duration;

/**
 * When a gate shuts and how it opens again.
 *
 * @param slow round trips over this are slow
 * @param failuresInARow so many failed samples in a row shut the gate
 * @param failuresOfTen so many failed or slow samples of the last ten shut it
 * @param probeFirst the wait before the first probe
 * @param probeLongest the wait is doubled up to this
 */
record GateSettings(
    Duration slow,
    int failuresInARow,
    int failuresOfTen,
    Duration probeFirst,
    Duration probeLongest) {

  private static final Duration LONGEST_PROBE = Duration.ofSeconds(2);
  private static final Duration LONGEST_PROBE_PER_INSTANCE = Duration.ofMillis(5);

  /** The defaults: half the deadline is slow, and a large fleet probes less often per instance. */
  static GateSettings of(Duration deadline, int fleetSize) {
    Duration ofFleet = LONGEST_PROBE_PER_INSTANCE.multipliedBy(fleetSize);
    return new GateSettings(
        deadline.dividedBy(2),
        3,
        5,
        Duration.ofMillis(100),
        ofFleet.compareTo(LONGEST_PROBE) > 0 ? ofFleet : LONGEST_PROBE);
  }
}
