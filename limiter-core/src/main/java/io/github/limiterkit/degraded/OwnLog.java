package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.local.LocalTable;
import io.github.limiterkit.local.PolicyLogs;
import io.github.limiterkit.store.StoreReply.LimitReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that this instance admitted for one key, so that the local counter is warm at the
 * moment when the store is lost. Two logs per limit: what the store admitted, at the store's own
 * stamps, and what was decided here, at the local time. Guarded by the table.
 */
final class OwnLog implements LocalTable.State {

  private final StoreClock storeClock;
  private Policy policy;
  private EpochUnits[] epochs;
  private PolicyLogs shared;
  private PolicyLogs local;

  /** Units that become admissions if the store admits what they belong to. */
  private long held;

  /** A refusal by the store that may still be in force; read without a lock. */
  private volatile @Nullable Denial denial;

  /** By what this instance refused the key last, if it ever did. */
  private @Nullable LoweredQuotas lowered;

  /** A refusal that was asked for before may have been overtaken by a refund or a reset. */
  private long doubtedUntil = Long.MIN_VALUE;

  /** The store's time of the latest reset of the key that is known here. */
  private long resetAt = Long.MIN_VALUE;

  OwnLog(Policy policy, StoreClock storeClock) {
    this.storeClock = storeClock;
    this.policy = policy;
    this.epochs = epochsOf(policy);
    this.shared = new PolicyLogs(policy);
    this.local = new PolicyLogs(policy);
  }

  /** Follows a policy of the same name whose limits are others. */
  void turnTo(Policy policy, long now) {
    if (policy != this.policy) {
      if (!policy.limits().equals(this.policy.limits())) {
        epochs = epochsOf(policy);
      }
      this.policy = policy;
    }
    shared.turnTo(policy, storeClock.at(now));
    local.turnTo(policy, now);
  }

  private static EpochUnits[] epochsOf(Policy policy) {
    EpochUnits[] epochs = new EpochUnits[policy.limits().size()];
    for (int i = 0; i < epochs.length; i++) {
      epochs[i] = new EpochUnits(policy.limits().get(i));
    }
    return epochs;
  }

  /** What was given by the store in which epoch. */
  EpochUnits epochs(int limit) {
    return epochs[limit];
  }

  @Nullable Denial denial() {
    return denial;
  }

  /** The store refused. */
  void deny(Denial refusal) {
    if (refusal.sentMillis() > doubtedUntil) {
      denial = refusal;
    }
  }

  /** Something was given back: there may be room again for what has been refused. */
  long doubtRefusals(long now) {
    denial = null;
    doubtedUntil = now;
    return 0;
  }

  /**
   * The store admitted something: not a reason to forget that it has no room for something dearer.
   */
  void followDenial(Charge charge, List<LimitReply> limits, long now) {
    Denial refusal = denial;
    if (refusal != null && refusal.isInForce(now)) {
      refusal.follow(charge, limits);
    } else {
      denial = null;
    }
  }

  /** This instance refused the key by its own limits. */
  void refusedHere(LoweredQuotas by) {
    lowered = by;
  }

  @Nullable LoweredQuotas lowered() {
    return lowered;
  }

  /** The store admitted so many units at its stamp. */
  void addShared(Policy policy, long cost, long stamp) {
    for (int i = 0; i < policy.limits().size(); i++) {
      long quota = policy.limits().get(i).permits();
      shared.log(i).clamp(stamp, quota);
      shared.log(i).add(stamp, cost, quota);
    }
  }

  /** So many units were admitted here. */
  void addLocal(Policy policy, long cost, long now) {
    for (int i = 0; i < policy.limits().size(); i++) {
      local.log(i).add(now, cost, policy.limits().get(i).permits());
    }
  }

  /** What the store admits next is booked in these logs. */
  PolicyLogs shared() {
    return shared;
  }

  /** What is admitted here next is booked in these logs. */
  PolicyLogs local() {
    return local;
  }

  /** Takes out what the store admitted, if it was booked in the logs there are now. */
  long refundShared(PolicyLogs booked, Charge charge, long stamp, long now) {
    doubtRefusals(now);
    return booked == shared ? shared.refund(charge, stamp, storeClock.at(now)) : 0;
  }

  /** Takes out what was admitted here, if it was booked in the logs there are now. */
  long refundLocal(PolicyLogs booked, Charge charge, long stamp, long now) {
    doubtRefusals(now);
    return booked == local ? local.refund(charge, stamp, now) : 0;
  }

  /**
   * Somebody reset the key, here or on another instance: what was admitted before does not count
   * any more. Receipts for it are void, and to be safe so are those since.
   */
  void followReset(long stamp) {
    if (stamp > resetAt) {
      resetAt = stamp;
      shared = shared.after(stamp);
      local = local.after(storeClock.localBefore(stamp));
      denial = null;
      lowered = null;
    }
  }

  /** So many units take up room until they are let go or admitted. */
  void hold(long cost) {
    held += cost;
  }

  void letGo(long cost) {
    held -= cost;
  }

  /** Units that a ceiling of this instance counts: admitted and still live, or held. */
  long ceilingUnits(int limit, long now) {
    return held + local.log(limit).total(now);
  }

  /** The wait until a ceiling has room for a cost, if all that is held is admitted. */
  long ceilingRetryAfter(int limit, long now, long cost, Limit of) {
    if (held + cost > of.permits() && cost <= of.permits()) {
      return of.windowMillis();
    }
    return local.log(limit).retryAfter(now, held + cost, of.permits());
  }

  /** Units of a limit that were admitted here and still count, at {@code now} and after a wait. */
  long localUnits(int limit, long now) {
    return local.log(limit).total(now);
  }

  /** Units of a limit that this instance admitted either way and still count. */
  long ownUnits(int limit, long now) {
    return shared.log(limit).total(storeClock.at(now)) + local.log(limit).total(now);
  }

  /** The wait until a limit has room for a cost among the units that were admitted here. */
  long localRetryAfter(int limit, long now, long cost, long quota) {
    return local.log(limit).retryAfter(now, cost, quota);
  }

  /** The wait until a limit has room for a cost among all of this instance's units. */
  long ownRetryAfter(int limit, long now, long cost, Limit window, long quota) {
    if (cost > quota) {
      return LimitUsage.NEVER;
    }
    if (ownUnits(limit, now) + cost <= quota) {
      return 0;
    }
    // Two logs on two clocks expire side by side; their sum only falls, and is 0 after a window.
    long refused = 0;
    long admitted = window.windowMillis();
    while (admitted - refused > 1) {
      long middle = (refused + admitted) >>> 1;
      if (ownUnits(limit, now + middle) + cost <= quota) {
        admitted = middle;
      } else {
        refused = middle;
      }
    }
    return admitted;
  }

  /** The time until the next of this instance's units expires, 0 if there is none. */
  long resetAfter(int limit, long now, long quota) {
    long ofShared = shared.log(limit).resetAfter(storeClock.at(now), quota);
    long ofLocal = local.log(limit).resetAfter(now, quota);
    return ofShared == 0 || ofLocal == 0
        ? Math.max(ofShared, ofLocal)
        : Math.min(ofShared, ofLocal);
  }

  @Override
  public long liveUnits(long now) {
    return held + shared.liveUnits(storeClock.at(now)) + local.liveUnits(now);
  }

  @Override
  public boolean isIdle(long now) {
    return liveUnits(now) == 0 && !isDenied(now);
  }

  @Override
  public double usedPart(long now) {
    // What others used up does not show in the own logs, but such a key must not be forgotten
    // first.
    return isDenied(now) ? 1 : shared.usedPart(storeClock.at(now)) + local.usedPart(now);
  }

  private boolean isDenied(long now) {
    Denial refusal = denial;
    return refusal != null && refusal.isInForce(now);
  }
}
