package io.github.limiterkit.window;

import io.github.limiterkit.LimitUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The sliding window as one would explain it, to compare {@link SlidingLog} with: one entry per
 * admission, nothing merged, everything looked at again for every answer.
 */
final class ExactLog {

  private record Admission(long time, long cost) {}

  private final long window;
  private List<Admission> admissions = new ArrayList<>();

  ExactLog(long window) {
    this.window = window;
  }

  boolean charge(long now, long cost, long quota) {
    if (cost == 0) {
      return admits(now, cost, quota);
    }
    admissions = clamped(now);
    if (!admits(now, cost, quota)) {
      return false;
    }
    record(now, cost);
    return true;
  }

  void clamp(long now) {
    admissions = clamped(now);
  }

  void record(long now, long cost) {
    admissions.removeIf(admission -> expiry(admission) <= now);
    admissions.add(new Admission(now, cost));
  }

  /** Takes units out that were recorded at a time, and says how many there were. */
  long refund(long now, long stamp, long cost) {
    long taken = 0;
    List<Admission> left = new ArrayList<>();
    for (Admission admission : admissions) {
      boolean same = admission.time() == stamp && expiry(admission) > now;
      long take = same ? Math.min(cost - taken, admission.cost()) : 0;
      taken += take;
      if (take < admission.cost()) {
        left.add(new Admission(admission.time(), admission.cost() - take));
      }
    }
    admissions = left;
    return taken;
  }

  boolean admits(long now, long cost, long quota) {
    return total(now) + cost <= quota;
  }

  long total(long now) {
    return totalOf(admissions, now);
  }

  long remaining(long now, long quota) {
    return total(now) > quota ? 0 : quota - total(now);
  }

  long retryAfter(long now, long cost, long quota) {
    if (admits(now, cost, quota)) {
      return 0;
    }
    if (cost > quota) {
      return LimitUsage.NEVER;
    }
    // Something changes only when an admission expires, so no other moment need be tried.
    List<Admission> fromNowOn = clamped(now);
    return expiries(now)
        .filter(expiry -> totalOf(fromNowOn, expiry) + cost <= quota)
        .map(expiry -> expiry - now)
        .min()
        .orElseThrow();
  }

  long resetAfter(long now) {
    return expiries(now).map(expiry -> expiry - now).min().orElse(0);
  }

  private LongStream expiries(long now) {
    return clamped(now).stream().mapToLong(this::expiry).filter(expiry -> expiry > now);
  }

  private List<Admission> clamped(long now) {
    List<Admission> clamped = new ArrayList<>();
    for (Admission admission : admissions) {
      clamped.add(new Admission(Math.min(admission.time(), now), admission.cost()));
    }
    return clamped;
  }

  private long totalOf(List<Admission> some, long now) {
    return some.stream()
        .filter(admission -> expiry(admission) > now)
        .mapToLong(Admission::cost)
        .sum();
  }

  private long expiry(Admission admission) {
    return admission.time() + window;
  }
}
