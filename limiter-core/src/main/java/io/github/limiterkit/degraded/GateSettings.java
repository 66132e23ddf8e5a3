package io.github.limiterkit.degraded;

import io.github.limiterkit.Limit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When the gate of a store's node shuts, and how the node is tried until it opens again.
 *
 * <pre>{@code
 * GateSettings careful = GateSettings.defaults().slow(Duration.ofMillis(10)).failuresOfTen(3);
 * }</pre>
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class GateSettings {

  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration LONGEST_SLOW = Duration.ofSeconds(10);
  private static final Duration LONGEST_FIRST_PROBE = Duration.ofMinutes(1);
  private static final Duration LONGEST_PROBE = Duration.ofHours(1);
  private static final int MOST_IN_A_ROW = 100;

  private static final GateSettings DEFAULTS =
      new GateSettings(null, 3, 5, Duration.ofMillis(100), null);
  private static final Duration DEFAULT_LONGEST_PROBE = Duration.ofSeconds(2);
  private static final Duration LONGEST_PROBE_PER_INSTANCE = Duration.ofMillis(5);

  private final @Nullable Duration slow;
  private final int failuresInARow;
  private final int failuresOfTen;
  private final Duration probeFirst;
  private final @Nullable Duration probeLongest;

  private GateSettings(
      @Nullable Duration slow,
      int failuresInARow,
      int failuresOfTen,
      Duration probeFirst,
      @Nullable Duration probeLongest) {
    this.slow = slow;
    this.failuresInARow = failuresInARow;
    this.failuresOfTen = failuresOfTen;
    this.probeFirst = probeFirst;
    this.probeLongest = probeLongest;
  }

  /**
   * What holds unless somebody chooses: half of the store's deadline is slow; the gate shuts on 3
   * failures in a row, or on 5 failed or slow round trips of the last ten; the first probe comes
   * after 100 ms, and the wait doubles up to 2 s, or 5 ms for each instance of the fleet if that is
   * longer.
   *
   * @return the defaults
   */
  public static GateSettings defaults() {
    return DEFAULTS;
  }

  /**
   * Sets which round trips are slow: those that take longer than this.
   *
   * @param slow 1 ms to 10 s, and not more than the store's deadline; half of that by default
   * @return settings with it
   * @throws IllegalArgumentException if it is out of range
   */
  public GateSettings slow(Duration slow) {
    requireInRange("slow", slow, LONGEST_SLOW);
    return new GateSettings(slow, failuresInARow, failuresOfTen, probeFirst, probeLongest);
  }

  /**
   * Sets how many round trips must fail one after the other to shut the gate.
   *
   * @param failures 1 to 100; 3 by default
   * @return settings with it
   * @throws IllegalArgumentException if it is out of range
   */
  public GateSettings failuresInARow(int failures) {
    requireInRange("failures-in-a-row", failures, MOST_IN_A_ROW);
    return new GateSettings(slow, failures, failuresOfTen, probeFirst, probeLongest);
  }

  /**
   * Sets how many of the last ten round trips must have failed or been slow to shut the gate.
   *
   * @param failures 1 to 11; 5 by default; 11 of ten never happens, so it switches this off
   * @return settings with it
   * @throws IllegalArgumentException if it is out of range
   */
  public GateSettings failuresOfTen(int failures) {
    requireInRange("failures-of-ten", failures, RecentSamples.MEMORY + 1);
    return new GateSettings(slow, failuresInARow, failures, probeFirst, probeLongest);
  }

  /**
   * Sets the wait before the first probe after the gate has shut. Each wait is shortened at random
   * by up to a half, so that a fleet does not come back in step.
   *
   * @param wait 1 ms to 1 minute, and not more than the longest wait; 100 ms by default
   * @return settings with it
   * @throws IllegalArgumentException if it is out of range
   */
  public GateSettings probeFirst(Duration wait) {
    requireInRange("probe-first", wait, LONGEST_FIRST_PROBE);
    return new GateSettings(slow, failuresInARow, failuresOfTen, wait, probeLongest);
  }

  /**
   * Sets up to what the wait between two probes doubles.
   *
   * @param wait 1 ms to 1 hour, and not less than the first wait; by default 2 s, or 5 ms for each
   *     instance of the fleet, or the first wait, whatever is longest
   * @return settings with it
   * @throws IllegalArgumentException if it is out of range
   */
  public GateSettings probeLongest(Duration wait) {
    requireInRange("probe-longest", wait, LONGEST_PROBE);
    return new GateSettings(slow, failuresInARow, failuresOfTen, probeFirst, wait);
  }

  /**
   * Checks what cannot be checked number by number.
   *
   * @param deadline of the store
   * @throws IllegalArgumentException if the numbers do not fit each other or the deadline; names
   *     both numbers
   */
  public void requireFits(Duration deadline) {
    if (slow != null && slow.compareTo(deadline) > 0) {
      throw new IllegalArgumentException(
          "slow %s is outside 1ms to the deadline, which is %s"
              .formatted(text(slow), text(deadline)));
    }
    if (probeLongest != null && probeLongest.compareTo(probeFirst) < 0) {
      throw new IllegalArgumentException(
          "probe-longest %s is outside probe-first, which is %s, to %s"
              .formatted(text(probeLongest), text(probeFirst), text(LONGEST_PROBE)));
    }
  }

  GateNumbers numbers(Duration deadline, int fleetSize) {
    Duration half = deadline.dividedBy(2);
    return new GateNumbers(
        slow == null ? half : slow,
        failuresInARow,
        failuresOfTen,
        probeFirst,
        probeLongest == null ? longestProbe(fleetSize) : probeLongest);
  }

  /** A large fleet probes less often per instance, so that the probes together stay few. */
  private Duration longestProbe(int fleetSize) {
    return longer(
        probeFirst,
        longer(DEFAULT_LONGEST_PROBE, LONGEST_PROBE_PER_INSTANCE.multipliedBy(fleetSize)));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static void requireInRange(String what, Duration value, Duration most) {
    if (value.compareTo(LEAST) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s %s is outside 1ms to %s".formatted(what, text(value), text(most)));
    }
  }

  private static void requireInRange(String what, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException("%s %d is outside 1 to %d".formatted(what, value, most));
    }
  }

  /** In the words of a limit's window where they can say it. */
  private static String text(Duration time) {
    try {
      return new Limit(1, time).windowText();
    } catch (IllegalArgumentException noWindow) {
      return time.toString();
    }
  }
}
