package io.github.limiterkit;

/**
 * A monotonic clock in nanoseconds with an arbitrary origin, like {@link System#nanoTime()}.
 *
 * <p>Only differences of two readings mean anything; a reading may be negative and may wrap. Hand
 * in your own to test a limited endpoint without sleeping:
 *
 * <pre>{@code
 * AtomicLong nanos = new AtomicLong();
 * LimiterKit kit = LimiterKit.inMemory().ticker(nanos::get).route("/*", policy).build();
 * nanos.addAndGet(Duration.ofMinutes(1).toNanos());
 * }</pre>
 *
 * <p>Implementations must be safe for use by several threads.
 */
@FunctionalInterface
public interface Ticker {

  /**
   * Reads the clock.
   *
   * @return nanoseconds since an arbitrary but fixed origin
   */
  long read();

  /**
   * The clock of this machine.
   *
   * @return a ticker over {@link System#nanoTime()}
   */
  static Ticker system() {
    return System::nanoTime;
  }
}
