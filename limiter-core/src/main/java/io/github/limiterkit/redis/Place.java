package io.github.limiterkit.redis;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of one subject of a policy within a flush: one for each window, by number from 1. */
final class Place {

  /** The last group that asks something of them. */
  @Nullable Group last;

  private long[] windows = new long[1];
  private int[] numbers = new int[1];
  private int size;

  /** The number of a window's key, which is added to the keys unless it is there. */
  int number(long windowMillis, byte[] key, List<byte[]> keys) {
    for (int i = 0; i < size; i++) {
      if (windows[i] == windowMillis) {
        return numbers[i];
      }
    }
    keys.add(key);
    if (size == windows.length) {
      windows = Arrays.copyOf(windows, 2 * size);
      numbers = Arrays.copyOf(numbers, 2 * size);
    }
    windows[size] = windowMillis;
    numbers[size] = keys.size();
    return numbers[size++];
  }
}
