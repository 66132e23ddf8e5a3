package io.github.limiterkit.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** What this process uses: time, and memory by thread. */
final class ClientFigures {

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private ClientFigures() {}

  static double cpuMicros() {
    return PROCESS.getProcessCpuTime() / 1e3;
  }

  static long allocatedByThisThread() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /** Bytes that each thread that lives now has allocated, by its id. */
  static Map<Long, Long> allocatedByThread() {
    long[] ids = THREADS.getAllThreadIds();
    long[] bytes = THREADS.getThreadAllocatedBytes(ids);
    Map<Long, Long> allocated = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      allocated.put(ids[i], bytes[i]);
    }
    return allocated;
  }

  /** Bytes allocated since then by the threads that lived then and live now. */
  static long allocatedSince(Map<Long, Long> before) {
    long sum = 0;
    for (Map.Entry<Long, Long> now : allocatedByThread().entrySet()) {
      Long was = before.get(now.getKey());
      sum += was == null ? 0 : Math.max(0, now.getValue() - was);
    }
    return sum;
  }
}
