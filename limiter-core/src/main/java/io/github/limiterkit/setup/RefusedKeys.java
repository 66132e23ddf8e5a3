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

  /** Where each key has its place; the rest is in arrays, where the least is found at once. */
  private final Map<Who, Integer> places = new HashMap<>();

  private final Who[] who = new Who[PLACES];
  private final long[] count = new long[PLACES];
  private final long[] error = new long[PLACES];

  /** A key of a policy. */
  record Who(String policy, String key) {}

  /** How often it was refused at least. */
  record Refused(Who who, long atLeast) {}

  void add(String policy, String key) {
    total.increment();
    if (lock.tryLock()) {
      try {
        count[place(new Who(policy, key))]++;
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
      for (int place = 0; place < places.size(); place++) {
        most.add(new Refused(who[place], count[place] - error[place]));
      }
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
      places.clear();
    } finally {
      lock.unlock();
    }
  }

  private int place(Who asked) {
    Integer known = places.get(asked);
    if (known != null) {
      return known;
    }
    int place = places.size();
    if (place < PLACES) {
      count[place] = 0;
    } else {
      place = least();
      places.remove(who[place]);
    }
    error[place] = count[place];
    who[place] = asked;
    places.put(asked, place);
    return place;
  }

  private int least() {
    int least = 0;
    for (int place = 1; place < PLACES; place++) {
      if (count[place] < count[least]) {
        least = place;
      }
    }
    return least;
  }
}
