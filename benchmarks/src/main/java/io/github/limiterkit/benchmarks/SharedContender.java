package io.github.limiterkit.benchmarks;

import io.github.limiterkit.testing.RedisServer.CommandCount;
import java.util.Map;

/** A limiter that counts in Redis, told its quota. Safe for use by several threads. */
interface SharedContender extends AutoCloseable {

  /**
   * Asks for one unit.
   *
   * @param key who is charged
   * @return whether it admits
   */
  boolean admits(String key);

  /**
   * How many commands a client sent to the server for this contender. The server counts those that
   * scripts run too, so each contender says which of them are its scripts' own.
   *
   * @param counts what the server ran meanwhile, by command
   */
  long commands(Map<String, CommandCount> counts);

  /** How many decisions were made without the server's count, since it was created. */
  default long decidedWithoutServer() {
    return 0;
  }

  @Override
  void close();

  /** How often one command ran. */
  static long calls(Map<String, CommandCount> counts, String command) {
    CommandCount count = counts.get(command);
    return count == null ? 0 : count.calls();
  }
}
