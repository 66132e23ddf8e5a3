package io.github.limiterkit.benchmarks;

import io.github.limiterkit.testing.RedisServer;
import io.github.limiterkit.testing.RedisServer.CommandCount;
import java.util.HashMap;
import java.util.Map;

/** What the server itself says about its work. */
final class ServerFigures {

  private ServerFigures() {}

  /** The time that its main thread has used, in microseconds. */
  static double cpuMicros(RedisServer server) {
    Map<String, String> cpu = info(server, "cpu");
    return 1e6
        * (number(cpu, "used_cpu_user_main_thread") + number(cpu, "used_cpu_sys_main_thread"));
  }

  static long usedMemory(RedisServer server) {
    return (long) number(info(server, "memory"), "used_memory");
  }

  static String version(RedisServer server) {
    return info(server, "server").getOrDefault("redis_version", "?");
  }

  static Map<String, CommandCount> difference(
      Map<String, CommandCount> before, Map<String, CommandCount> after) {
    Map<String, CommandCount> difference = new HashMap<>();
    after.forEach(
        (command, count) -> {
          CommandCount was = before.getOrDefault(command, new CommandCount(0, 0));
          difference.put(
              command,
              new CommandCount(count.calls() - was.calls(), count.failed() - was.failed()));
        });
    return difference;
  }

  private static Map<String, String> info(RedisServer server, String section) {
    Map<String, String> values = new HashMap<>();
    for (String line : server.command("INFO", section).lines().toList()) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        values.put(line.substring(0, colon), line.substring(colon + 1).strip());
      }
    }
    return values;
  }

  private static double number(Map<String, String> values, String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalStateException("the server does not tell its " + name);
    }
    return Double.parseDouble(value);
  }
}
