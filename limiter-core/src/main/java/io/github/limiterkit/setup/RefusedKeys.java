package io.github.limiterkit.setup;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Finds which keys are refused most, in a few kilobytes however many there are: the "space saving"
 * algorithm of Metwally, Agrawal and El Abbadi. When all places are taken, the key with the least
 * count gives way, and the new one inherits its count as a possible error; whoever has more than
 * one part in {@value #PLACES} of all refusals is among them in any case.
 *
 * <p>Safe for use by several threads, and none waits for another: if one is at it, the others'
 * refusals are in the total only. So what is told of a key is a lower bound.
 */
final class RefusedKeys {

  static final int PLACES = 64;

  private final ReentrantLock lock = new ReentrantLock();
  private final LongAdder total = new LongAdder();
  private final Map<Who, Count> counts = new HashMap<>();

  /** A key of a policy. */
  record Who(String policy, String key) {}

  /** How often it was refused at least. */
  record Refused(Who who, long atLeast) {}

  private static final class Count {
    private long count;
    private final long error;

    Count(long error) {
      this.count = error;
      this.error = error;
    }

    long atLeast() {
      return count - error;
    }
  }

  void add(String policy, String key) {
    total.increment();
    if (lock.tryLock()) {
      try {
        place(new Who(policy, key)).count++;
      } finally {
        lock.unlock();
      }
    }
  }

  /** All refusals since the last {@link #forget}. */
  long total() {
    return total.sum();
  }

  /** Those who were refused most, the first of them most of all. */
  List<Refused> most() {
    lock.lock();
    try {
      List<Refused> most = new ArrayList<>();
      counts.forEach((who, count) -> most.add(new Refused(who, count.atLeast())));
      most.sort(Comparator.comparingLong(Refused::atLeast).reversed());
      return most;
    } finally {
      lock.unlock();
    }
  }

  void forget() {
    lock.lock();
    try {
      total.reset();
      counts.clear();
    } finally {
      lock.unlock();
    }
  }

  private Count place(Who who) {
    Count known = counts.get(who);
    if (known != null) {
      return known;
    }
    Count fresh = new Count(counts.size() < PLACES ? 0 : makeRoom());
    counts.put(who, fresh);
    return fresh;
  }

  /** The count of whoever gave way. */
  private long makeRoom() {
    Map.Entry<Who, Count> least = null;
    for (Map.Entry<Who, Count> entry : counts.entrySet()) {
      if (least == null || entry.getValue().count < least.getValue().count) {
        least = entry;
      }
    }
    if (least == null) {
      return 0;
    }
    counts.remove(least.getKey());
    return least.getValue().count;
  }
}
