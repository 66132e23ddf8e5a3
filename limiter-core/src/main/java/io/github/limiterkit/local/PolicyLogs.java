package io.github.limiterkit.local;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Limit;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Receipt;
import io.github.limiterkit.window.SlidingLog;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The logs of one key, one per limit of its policy. Not safe for use by several threads: a {@link
 * LocalTable} guards it.
 *
 * <p>They are also the receipt for what was charged to them: logs that took their place, because
 * the key was forgotten meanwhile, are others, and nothing can be taken back out of those.
 */
public final class PolicyLogs implements LocalTable.State, Receipt {

  private static final SlidingLog[] NONE = {};

  private Policy policy;

  /** One per limit of the policy, in its order. */
  private SlidingLog[] logs;

  /** The first of them, which is most often the only one: so one step less in a cold memory. */
  private SlidingLog first;

  /** Windows that the policy no longer has, for as long as they hold something. */
  private SlidingLog[] former = NONE;

  /**
   * Creates empty logs.
   *
   * @param policy whose limits are counted
   */
  public PolicyLogs(Policy policy) {
    this.policy = policy;
    this.logs = new SlidingLog[policy.limits().size()];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = new SlidingLog(policy.limits().get(i).windowMillis());
    }
    this.first = logs[0];
  }

  /**
   * Turns to a policy of the same name whose limits may be others: a window that was known goes on
   * counting, against the quota of now, and a new one begins empty.
   *
   * <p>Windows that went away are kept while they hold something, because two policies of one name
   * may take turns for a while (a reload, two tiers); else each turn would be an amnesty.
   *
   * @param policy the policy to follow from now on
   * @param now the time, in milliseconds
   */
  public void turnTo(Policy policy, long now) {
    if (policy == this.policy) {
      return;
    }
    if (policy.limits().equals(this.policy.limits())) {
      this.policy = policy;
      return;
    }
    List<SlidingLog> known = new ArrayList<>(List.of(logs));
    known.addAll(List.of(former));
    List<Limit> limits = policy.limits();
    SlidingLog[] turned = new SlidingLog[limits.size()];
    for (int i = 0; i < turned.length; i++) {
      turned[i] = take(known, limits.get(i).windowMillis());
    }
    known.removeIf(log -> !log.isLive(now));
    this.policy = policy;
    this.logs = turned;
    this.first = turned[0];
    this.former = known.toArray(NONE);
  }

  /**
   * The log of one limit.
   *
   * @param limit which of the policy's limits, from 0
   * @return the log, live
   */
  public SlidingLog log(int limit) {
    return limit == 0 ? first : logs[limit];
  }

  @Override
  public List<Receipt> split(List<Charge> charges) {
    throw new IllegalStateException("one charge is not divided");
  }

  /**
   * Takes units out again.
   *
   * @param charge policy, whose limits need no longer be those that are followed now, and as cost
   *     the units to take
   * @param stamp when they were added
   * @param now the time, in milliseconds
   * @return units that were taken: the most of any limit, 0 to the cost
   */
  public long refund(Charge charge, long stamp, long now) {
    long most = 0;
    for (Limit limit : charge.policy().limits()) {
      SlidingLog log = find(limit.windowMillis());
      if (log != null) {
        most = Math.max(most, log.refund(now, stamp, charge.cost(), limit.permits()));
      }
    }
    return most;
  }

  /**
   * What remains if all is forgotten that happened until a time. These logs must not be used any
   * more, and are no good as a receipt for the others.
   *
   * @param time until when, in milliseconds
   * @return logs that take the place of these
   */
  public PolicyLogs after(long time) {
    PolicyLogs rest = new PolicyLogs(policy);
    rest.logs = logs;
    rest.first = first;
    rest.former = former;
    for (SlidingLog log : logs) {
      log.forgetUntil(time);
    }
    for (SlidingLog log : former) {
      log.forgetUntil(time);
    }
    return rest;
  }

  @Override
  public long liveUnits(long nowMillis) {
    long most = 0;
    for (SlidingLog log : logs) {
      most = Math.max(most, log.total(nowMillis));
    }
    for (SlidingLog log : former) {
      most = Math.max(most, log.total(nowMillis));
    }
    return most;
  }

  @Override
  public double usedPart(long nowMillis) {
    double largest = 0;
    for (int i = 0; i < logs.length; i++) {
      double permits = policy.limits().get(i).permits();
      largest = Math.max(largest, logs[i].total(nowMillis) / permits);
    }
    return largest;
  }

  private @Nullable SlidingLog find(long windowMillis) {
    for (SlidingLog log : logs) {
      if (log.windowMillis() == windowMillis) {
        return log;
      }
    }
    for (SlidingLog log : former) {
      if (log.windowMillis() == windowMillis) {
        return log;
      }
    }
    return null;
  }

  private static SlidingLog take(List<SlidingLog> known, long windowMillis) {
    for (SlidingLog log : known) {
      if (log.windowMillis() == windowMillis) {
        known.remove(log);
        return log;
      }
    }
    return new SlidingLog(windowMillis);
  }
}
