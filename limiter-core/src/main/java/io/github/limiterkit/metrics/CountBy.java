package io.github.limiterkit.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** One counter for each constant of an enum. Counting takes no lock. */
final class CountBy<E extends Enum<E>> {

  private final Map<E, LongAdder> counts;

  CountBy(Class<E> type) {
    counts = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      counts.put(constant, new LongAdder());
    }
  }

  void increment(E constant) {
    adder(constant).increment();
  }

  long sum(E constant) {
    return adder(constant).sum();
  }

  private LongAdder adder(E constant) {
    return Objects.requireNonNull(counts.get(constant), "every constant was put in");
  }
}
