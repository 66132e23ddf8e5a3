package io.github.limiterkit.cases;

import io.github.limiterkit.LimitUsage;
import java.util.ArrayList;
import java.util.List;

/**
 * The rule in its plainest form: a call is admitted if the units in {@code (t - W, t]} and its own
 * do not exceed L.
 */
final class ExactOracle {

  private record Admitted(long at, long cost) {}

  private final long limit;
  private final long window;
  private final List<Admitted> log = new ArrayList<>();

  ExactOracle(long limit, long window) {
    this.limit = limit;
    this.window = window;
  }

  boolean ask(long now, long cost) {
    boolean room = used(now) + cost <= limit;
    if (room) {
      log.add(new Admitted(now, cost));
    }
    return room;
  }

  long remaining(long now) {
    return limit - used(now);
  }

  /** By trying: the smallest wait, found among the moments at which something leaves. */
  long retryAfter(long now, long cost) {
    if (cost > limit) {
      return LimitUsage.NEVER;
    }
    long least = used(now) + cost <= limit ? 0 : LimitUsage.NEVER;
    for (Admitted one : log) {
      long leaves = one.at() + window;
      if (leaves > now && used(leaves) + cost <= limit) {
        least = Math.min(least, leaves - now);
      }
    }
    return least;
  }

  private long used(long now) {
    long used = 0;
    for (Admitted one : log) {
      used += one.at() > now - window ? one.cost() : 0;
    }
    return used;
  }
}
