package io.github.limiterkit.benchmarks;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * One object per key, as an application keeps the limiters of a library that has no table. It is
 * never cleaned up, which favours those that need it: a real one would have to be bounded.
 */
final class PerKey<T> {

  private final ConcurrentHashMap<String, T> map = new ConcurrentHashMap<>();
  private final Function<String, T> maker;

  PerKey(Function<String, T> maker) {
    this.maker = maker;
  }

  T get(String key) {
    // Looked up first: computeIfAbsent may lock even if the key is there.
    T known = map.get(key);
    return known != null ? known : map.computeIfAbsent(key, maker);
  }
}
