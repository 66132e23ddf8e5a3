package io.github.limiterkit.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Who is measured when: everybody once a round, in an order that changes from round to round. */
final class Schedule {

  private final int rounds;
  private final long endNanos;

  Schedule(int rounds, Duration budget) {
    this.rounds = rounds;
    this.endNanos = System.nanoTime() + budget.toNanos();
  }

  /**
   * Whether one more round begins. There is at least one, and no further one when the time is up.
   *
   * @param round counts from 0
   */
  boolean begins(int round) {
    return round == 0 || (round < rounds && System.nanoTime() - endNanos < 0);
  }

  /**
   * The order of a round: it starts with another contender each time and every second round runs
   * backwards, so that nobody always follows the same neighbour.
   */
  static <T> List<T> order(List<T> contenders, int round) {
    List<T> order = new ArrayList<>(contenders);
    Collections.rotate(order, -round);
    if (round % 2 == 1) {
      Collections.reverse(order);
    }
    return order;
  }
}
