package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Limit;
import io.github.limiterkit.Policy;
import io.github.limiterkit.WhenStoreFails;
import java.util.List;

/**
 * What this instance would have answered by itself, beside what the store answered: the quality of
 * the parachute before it is needed. It judges as in the middle of an outage, where all that an
 * instance has admitted was its own decision.
 */
final class Rehearsal {

  private final Shares shares;
  private final DegradedListener listener;

  Rehearsal(Shares shares, DegradedListener listener) {
    this.shares = shares;
    this.listener = listener;
  }

  /** Whether this instance would have admitted a charge, before that is booked. */
  boolean admits(Charge charge, OwnLog log, long now) {
    Policy policy = charge.policy();
    if (policy.whenStoreFails() != WhenStoreFails.LOCAL) {
      return policy.whenStoreFails() == WhenStoreFails.OPEN;
    }
    List<Limit> limits = policy.limits();
    for (int i = 0; i < limits.size(); i++) {
      long quota =
          LocalRule.quotaHere(limits.get(i), policy.safety(), shares.share(charge, i, log, now));
      if (log.ownUnits(i, now) + charge.cost() > quota) {
        return false;
      }
    }
    return true;
  }

  /** Tells if the store decided otherwise. */
  void compare(boolean storeAllowed, boolean allowedHere) {
    if (storeAllowed && !allowedHere) {
      listener.rehearsedStricter();
    } else if (allowedHere && !storeAllowed) {
      listener.rehearsedLaxer();
    }
  }
}
