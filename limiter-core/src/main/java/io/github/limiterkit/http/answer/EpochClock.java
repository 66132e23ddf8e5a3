package io.github.limiterkit.http.answer;

import java.time.Instant;

/**
 * The time of day, for the one field that tells it. Nothing is decided by it: limits would follow
 * its jumps.
 */
@FunctionalInterface
public interface EpochClock {

  /**
   * Reads the clock.
   *
   * @return seconds since 1970
   */
  long seconds();

  /**
   * The clock of this machine.
   *
   * @return the clock
   */
  static EpochClock system() {
    return () -> Instant.now().getEpochSecond();
  }
}
