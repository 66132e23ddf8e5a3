package io.github.limiterkit.benchmarks;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Keys as applications have them, and the order in which they are asked for. Nothing is random. */
final class Keys {

  private static final long SEED = 20_260_101;

  private Keys() {}

  static String[] named(int count) {
    String[] keys = new String[count];
    for (int i = 0; i < count; i++) {
      keys[i] = "user:customer-" + i;
    }
    return keys;
  }

  /** A source of picks that is the same in every run, and another for each thread. */
  static SplittableRandom random(int thread) {
    return new SplittableRandom(SEED + thread);
  }

  /** Picks by Zipf's law with exponent 1: the n-th key comes 1/n as often as the first. */
  static int[] zipf(int keys, int picks, int thread) {
    double[] below = new double[keys];
    double sum = 0;
    for (int i = 0; i < keys; i++) {
      sum += 1.0 / (i + 1);
      below[i] = sum;
    }
    SplittableRandom random = random(thread);
    int[] picked = new int[picks];
    for (int i = 0; i < picks; i++) {
      int at = Arrays.binarySearch(below, random.nextDouble() * sum);
      picked[i] = Math.min(keys - 1, at < 0 ? -at - 1 : at);
    }
    return picked;
  }
}
