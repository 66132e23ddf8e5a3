package io.github.limiterkit.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** What a figure depends on, without anything that names this machine. */
final class Machine {

  private static final Path CPU = Path.of("/proc/cpuinfo");

  private Machine() {}

  static String description(String redisVersion) {
    return description() + ", Redis " + redisVersion + " over loopback without persistence";
  }

  static String description() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return String.format(
        Locale.ROOT,
        "%d × %s, %d GiB, %s %s, %s %s",
        system.getAvailableProcessors(),
        processor(),
        Math.round(system.getTotalMemorySize() / (double) (1L << 30)),
        system.getName(),
        system.getVersion().replaceAll("^(\\d+\\.\\d+).*", "$1"),
        System.getProperty("java.vm.name"),
        Runtime.version().feature()
            + "."
            + Runtime.version().interim()
            + "."
            + Runtime.version().update());
  }

  /** How many threads want to run on average; what is above the contenders' own is noise. */
  static String load() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return load < 0 ? "unknown" : String.format(Locale.ROOT, "%.1f", load);
  }

  private static String processor() {
    try {
      return Files.readAllLines(CPU).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException noSuchFile) {
      return System.getProperty("os.arch");
    }
  }
}
