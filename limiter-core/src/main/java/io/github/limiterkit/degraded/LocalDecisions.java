package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Scope;
import io.github.limiterkit.Source;
import io.github.limiterkit.WhenStoreFails;
import io.github.limiterkit.local.LocalReceipts;
import io.github.limiterkit.local.PolicyLogs;
import java.util.ArrayList;
import java.util.List;

/** Decides by the local rule, from this instance's own logs; all charges together or none. */
final class LocalDecisions {

  private final Shares shares;
  private final DegradedListener listener;

  LocalDecisions(Shares shares, DegradedListener listener) {
    this.shares = shares;
    this.listener = listener;
  }

  /** Decides while the locks of the logs are held. */
  Decision decide(List<Charge> charges, List<OwnLog> logs, long now) {
    boolean allowed = admit(charges, logs, now);
    if (countsShared(charges)) {
      listener.decidedHere(allowed, !allowed && wouldAdmitWithTheWhole(charges, logs, now));
    }
    return settle(charges, logs, allowed, now);
  }

  /** Whether something is charged to a limit that is lowered here; looks charge nothing. */
  private static boolean countsShared(List<Charge> charges) {
    for (Charge charge : charges) {
      Policy policy = charge.policy();
      if (charge.cost() > 0
          && policy.scope() == Scope.SHARED
          && policy.whenStoreFails() == WhenStoreFails.LOCAL) {
        return true;
      }
    }
    return false;
  }

  /** Whether all would be admitted if this instance had the whole of each quota to give out. */
  private static boolean wouldAdmitWithTheWhole(List<Charge> charges, List<OwnLog> logs, long now) {
    for (int i = 0; i < charges.size(); i++) {
      Charge charge = charges.get(i);
      Policy policy = charge.policy();
      if (policy.whenStoreFails() == WhenStoreFails.CLOSED) {
        return false;
      }
      for (int l = 0; l < policy.limits().size(); l++) {
        long counted =
            policy.scope() == Scope.INSTANCE
                ? logs.get(i).ceilingUnits(l, now)
                : logs.get(i).ownUnits(l, now);
        boolean full = counted + charge.cost() > policy.limits().get(l).permits();
        if (full && policy.whenStoreFails() == WhenStoreFails.LOCAL) {
          return false;
        }
      }
    }
    return true;
  }

  /** Books charges if they are allowed, and says how their limits stand. */
  Decision settle(List<Charge> charges, List<OwnLog> logs, boolean allowed, long now) {
    List<LimitUsage> usages = new ArrayList<>();
    List<PolicyLogs> booked = new ArrayList<>();
    Source source = Source.LOCAL;
    for (int i = 0; i < charges.size(); i++) {
      Charge charge = charges.get(i);
      switch (charge.policy().whenStoreFails()) {
        case LOCAL -> {
          booked.add(logs.get(i).local());
          addLocal(usages, charge, logs.get(i), allowed, now);
        }
        case OPEN -> source = Source.POSTURE;
        case CLOSED -> {
          source = Source.POSTURE;
          addClosed(usages, charge);
        }
      }
    }
    return allowed && !booked.isEmpty()
        ? Decision.charged(source, usages, LocalReceipts.of(booked), now)
        : new Decision(allowed, source, usages);
  }

  /** Whether there is room for all of them. Books nothing, but remembers whom it refuses. */
  boolean admit(List<Charge> charges, List<OwnLog> logs, long now) {
    boolean allowed = true;
    for (int i = 0; i < charges.size(); i++) {
      Charge charge = charges.get(i);
      logs.get(i).turnTo(charge.policy(), now);
      allowed &= admits(charge, logs.get(i), now);
    }
    return allowed;
  }

  private boolean admits(Charge charge, OwnLog log, long now) {
    WhenStoreFails posture = charge.policy().whenStoreFails();
    if (posture != WhenStoreFails.LOCAL) {
      return posture == WhenStoreFails.OPEN;
    }
    for (int i = 0; i < charge.policy().limits().size(); i++) {
      if (room(charge, i, log, now) < charge.cost()) {
        rememberRefusal(charge, log, now);
        return false;
      }
    }
    return true;
  }

  private void rememberRefusal(Charge charge, OwnLog log, long now) {
    if (charge.policy().scope() == Scope.INSTANCE || charge.cost() == 0) {
      return;
    }
    List<Limit> limits = charge.policy().limits();
    long[] quotas = new long[limits.size()];
    boolean lowered = false;
    for (int i = 0; i < quotas.length; i++) {
      quotas[i] = quotaHere(charge, i, log, now);
      lowered |= quotas[i] < limits.get(i).permits();
    }
    if (lowered) {
      log.refusedHere(new LoweredQuotas(charge.policy(), quotas, now));
    }
  }

  /** The smaller room of the two tests; below 0 if more is counted than may be. */
  private long room(Charge charge, int limit, OwnLog log, long now) {
    Policy policy = charge.policy();
    Limit of = policy.limits().get(limit);
    if (policy.scope() == Scope.INSTANCE) {
      return of.permits() - log.ceilingUnits(limit, now);
    }
    return Math.min(
        quotaHere(charge, limit, log, now) - log.localUnits(limit, now),
        quotaOfOwn(charge, limit, log, now) - log.ownUnits(limit, now));
  }

  private void addLocal(
      List<LimitUsage> usages, Charge charge, OwnLog log, boolean allowed, long now) {
    if (allowed) {
      log.addLocal(charge.policy(), charge.cost(), now);
    }
    List<Limit> limits = charge.policy().limits();
    for (int i = 0; i < limits.size(); i++) {
      long quota = quotaHere(charge, i, log, now);
      usages.add(
          new LimitUsage(
              charge,
              i,
              quota,
              Math.max(0, room(charge, i, log, now)),
              allowed ? 0 : retryAfter(charge, i, log, now),
              log.resetAfter(i, now, quota),
              Source.LOCAL));
    }
  }

  /** The quota in force on this instance: of a ceiling the whole, always. */
  private long quotaHere(Charge charge, int limit, OwnLog log, long now) {
    Policy policy = charge.policy();
    Limit of = policy.limits().get(limit);
    return policy.scope() == Scope.INSTANCE
        ? of.permits()
        : LocalRule.quotaHere(of, policy.safety(), shares.share(charge, limit, log, now));
  }

  /** What this instance may have admitted in all, before and after the store was lost. */
  private long quotaOfOwn(Charge charge, int limit, OwnLog log, long now) {
    double part =
        Math.max(shares.share(charge, limit, log, now), shares.partBefore(charge, limit, log, now));
    return LocalRule.quotaOfOwn(charge.policy().limits().get(limit), part);
  }

  private long retryAfter(Charge charge, int limit, OwnLog log, long now) {
    Policy policy = charge.policy();
    Limit of = policy.limits().get(limit);
    long cost = charge.cost();
    if (policy.scope() == Scope.INSTANCE) {
      return log.ceilingRetryAfter(limit, now, cost, of);
    }
    if (cost > of.permits()) {
      return LimitUsage.NEVER;
    }
    long wait =
        Math.max(
            log.localRetryAfter(limit, now, cost, quotaHere(charge, limit, log, now)),
            log.ownRetryAfter(limit, now, cost, of, quotaOfOwn(charge, limit, log, now)));
    // Only the lowered limit is too small for it, and nobody knows when the store comes back.
    return wait == LimitUsage.NEVER ? policy.retryAfterHint().toMillis() : wait;
  }

  private static void addClosed(List<LimitUsage> usages, Charge charge) {
    long hint = charge.policy().retryAfterHint().toMillis();
    List<Limit> limits = charge.policy().limits();
    for (int i = 0; i < limits.size(); i++) {
      usages.add(new LimitUsage(charge, i, limits.get(i).permits(), 0, hint, 0, Source.POSTURE));
    }
  }
}
