package io.github.limiterkit.benchmarks;

import org.openjdk.jmh.infra.Blackhole;

/** A limiter in memory, told its quota. Safe for use by several threads. */
@FunctionalInterface
interface LocalContender extends AutoCloseable {

  /**
   * Asks for one unit.
   *
   * @param key who is charged
   * @param sink takes what the limiter answers beyond the yes or no, so that it is really made
   * @return whether it admits
   */
  boolean admits(String key, Blackhole sink);

  @Override
  default void close() {}
}
