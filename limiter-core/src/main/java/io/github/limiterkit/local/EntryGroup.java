package io.github.limiterkit.local;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;

/** The entries of one joint decision, locked together, in an order that is everybody's. */
final class EntryGroup<S extends LocalTable.State> {

  private final List<Entry<S>> asked;
  private final List<Entry<S>> ordered;

  /**
   * Puts them in order; locks nothing yet.
   *
   * @param asked in the order of the charges
   * @throws IllegalArgumentException if one occurs twice; the message names the policy
   */
  EntryGroup(List<Entry<S>> asked) {
    this.asked = asked;
    this.ordered = new ArrayList<>(asked);
    ordered.sort(Comparator.comparingLong(entry -> entry.id));
    for (int i = 1; i < ordered.size(); i++) {
      if (ordered.get(i) == ordered.get(i - 1)) {
        throw new IllegalArgumentException(
            "two charges to policy \"%s\" have the same key; add up their costs"
                .formatted(ordered.get(i).policy));
      }
    }
  }

  void lock() {
    for (Entry<S> entry : ordered) {
      entry.lock();
    }
  }

  void unlock() {
    for (int i = ordered.size() - 1; i >= 0; i--) {
      ordered.get(i).unlock();
    }
  }

  boolean allAlive() {
    for (Entry<S> entry : asked) {
      if (entry.dead) {
        return false;
      }
    }
    return true;
  }

  boolean someIdle(long now) {
    for (Entry<S> entry : asked) {
      if (entry.state.isIdle(now)) {
        return true;
      }
    }
    return false;
  }

  /** In the order of the charges. */
  List<S> states() {
    List<S> states = new ArrayList<>(asked.size());
    for (Entry<S> entry : asked) {
      states.add(entry.state);
    }
    return states;
  }

  /** One time for all of them, so that their logs agree on when the charges happened. */
  long see(LongSupplier clock) {
    long now = clock.getAsLong();
    for (Entry<S> entry : asked) {
      now = entry.notBefore(now);
    }
    for (Entry<S> entry : asked) {
      entry.see(now);
    }
    return now;
  }
}
