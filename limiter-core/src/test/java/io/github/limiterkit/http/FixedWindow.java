package io.github.limiterkit.http;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts in one window that never ends; all charges or none. Remembers what it was asked. */
final class FixedWindow implements RateLimiter {

  final List<List<Charge>> asked = new ArrayList<>();
  private final Map<String, Long> used = new HashMap<>();

  @Override
  public Decision acquire(List<Charge> charges) {
    asked.add(charges);
    boolean allowed = charges.stream().allMatch(this::fits);
    List<LimitUsage> usages = new ArrayList<>();
    for (Charge charge : charges) {
      for (int i = 0; i < charge.policy().limits().size(); i++) {
        if (allowed) {
          used.merge(slot(charge, i), charge.cost(), Long::sum);
        }
        Limit limit = charge.policy().limits().get(i);
        long left = limit.permits() - used.getOrDefault(slot(charge, i), 0L);
        long wait = allowed || left >= charge.cost() ? 0 : limit.windowMillis();
        usages.add(
            new LimitUsage(
                charge, i, limit.permits(), left, wait, limit.windowMillis(), Source.LOCAL));
      }
    }
    return new Decision(allowed, Source.LOCAL, usages);
  }

  private boolean fits(Charge charge) {
    for (int i = 0; i < charge.policy().limits().size(); i++) {
      long after = used.getOrDefault(slot(charge, i), 0L) + charge.cost();
      if (after > charge.policy().limits().get(i).permits()) {
        return false;
      }
    }
    return true;
  }

  private static String slot(Charge charge, int index) {
    return charge.policy().name() + " " + index + " " + charge.key();
  }

  /** The keys of the last question. */
  List<String> keys() {
    return asked.get(asked.size() - 1).stream().map(Charge::key).toList();
  }
}
