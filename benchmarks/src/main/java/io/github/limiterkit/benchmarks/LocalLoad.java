package io.github.limiterkit.benchmarks;

import java.util.List;

/**
 * A scenario in memory.
 *
 * @param name as it is printed; ends with the number of threads
 * @param threads that ask, without a pause
 * @param keys how many there are; more than one are asked for as often as Zipf's law says
 * @param quota of each key
 */
record LocalLoad(String name, int threads, int keys, Quota quota) {

  static final int MANY_KEYS = 100_000;

  static final List<LocalLoad> ALL =
      List.of(
          new LocalLoad("local-hot-1", 1, 1, Quota.ROOMY),
          new LocalLoad("local-hot-2", 2, 1, Quota.ROOMY),
          new LocalLoad("local-zipf-2", 2, MANY_KEYS, Quota.ROOMY),
          new LocalLoad("local-refused-1", 1, 1, Quota.SCARCE));

  static LocalLoad named(String name) {
    return ALL.stream()
        .filter(load -> load.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no scenario is named " + name));
  }

  /** Whether decisions are refusals, all but the first. */
  boolean refuses() {
    return quota.equals(Quota.SCARCE);
  }
}
