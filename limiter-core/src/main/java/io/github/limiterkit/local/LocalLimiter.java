package io.github.limiterkit.local;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Receipt;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Reset;
import io.github.limiterkit.Source;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.window.SlidingLog;
import java.util.ArrayList;
import java.util.List;

/**
 * Limits this instance alone, from its own memory, with the full quota of every policy.
 *
 * <pre>{@code
 * Policy orders = Policy.named("orders").limits("60/1m, 5/1s").build();
 * RateLimiter limiter = new LocalLimiter(Ticker.system(), LocalTable.DEFAULT_MAX_KEYS);
 *
 * Decision decision = limiter.acquire(Charge.of(orders, "user:customer-42"));
 * }</pre>
 *
 * <p>In every interval as long as a window, wherever it begins, at most the permits of its limit
 * are admitted, as long as the key is not evicted: see {@link LocalTable} for when that happens and
 * {@link #forgottenUnits} for how often it did. A key is known by the <em>name</em> of its policy;
 * when a policy of the same name comes with other permits, what was counted goes on counting, and
 * with another window the count begins afresh.
 *
 * <p>Safe for use by any number of threads. Never waits for anything but another decision about the
 * same key. It starts no thread: call {@link #sweep} now and then to get memory back without
 * traffic.
 */
public final class LocalLimiter implements RateLimiter {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final LocalTable<PolicyLogs> table;

  /**
   * Creates one that has counted nothing.
   *
   * @param ticker the clock, read while a key's lock is held; readings that come out of order count
   *     as the latest one before them
   * @param maxKeys how many keys are counted at once, 1 or more; see {@link LocalTable}
   * @throws IllegalArgumentException if {@code maxKeys} is below 1
   */
  public LocalLimiter(Ticker ticker, int maxKeys) {
    // A ticker may begin anywhere and wrap, so only its distance from the start means anything.
    long start = ticker.read();
    this.table =
        new LocalTable<>(
            maxKeys, () -> Math.floorDiv(ticker.read() - start, NANOS_PER_MILLI), PolicyLogs::new);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if {@code charges} is empty, or has two of the same policy
   *     name and the same key; the message names the policy
   */
  @Override
  public Decision acquire(List<Charge> charges) {
    return charges.size() == 1
        ? acquire(charges.get(0))
        : table.with(charges, LocalLimiter::decideAll);
  }

  @Override
  public Decision acquire(Charge charge) {
    return table.with(charge, LocalLimiter::decide);
  }

  @Override
  public Refund refund(Decision decision, long units) {
    Receipt receipt = decision.takeReceipt(units);
    if (receipt == null) {
      return Refund.NOTHING;
    }
    long stamp = decision.stampMillis();
    return new Refund(
        LocalReceipts.refund(
            decision, receipt, units, (charge, logs) -> takeOut(charge, logs, stamp)),
        true);
  }

  private long takeOut(Charge charge, PolicyLogs logs, long stamp) {
    Long taken =
        table.ifPresent(
            charge, (asked, state, now) -> state == logs ? state.refund(asked, stamp, now) : 0L);
    return taken == null ? 0 : taken;
  }

  @Override
  public List<LimitUsage> usage(Policy policy, String key) {
    Charge look = new Charge(policy, key, 0);
    Decision looked = table.ifPresent(look, LocalLimiter::decide);
    return (looked == null ? decide(look, new PolicyLogs(policy), 0) : looked).usages();
  }

  /**
   * {@inheritDoc}
   *
   * @return always {@link Reset#DONE}: nobody else counts
   */
  @Override
  public Reset reset(Policy policy, String key) {
    table.renew(new Charge(policy, key, 0));
    return Reset.DONE;
  }

  /**
   * Drops the keys of which no unit is live any more, in short slices. For a background thread.
   *
   * @return how many keys were dropped
   */
  public int sweep() {
    return table.sweep();
  }

  /**
   * How many keys are held.
   *
   * @return 0 or more
   */
  public int size() {
    return table.size();
  }

  /**
   * How many keys may be held.
   *
   * @return 1 or more
   */
  public int maxKeys() {
    return table.maxKeys();
  }

  /**
   * Units that were live when their key had to make room for another.
   *
   * @return units since this limiter was created
   */
  public long forgottenUnits() {
    return table.forgottenUnits();
  }

  private static Decision decide(Charge charge, PolicyLogs state, long now) {
    state.turnTo(charge.policy(), now);
    boolean allowed = admits(charge, state, now);
    if (allowed) {
      add(charge, state, now);
    }
    boolean counted = allowed && charge.cost() > 0;
    List<Limit> limits = charge.policy().limits();
    if (limits.size() == 1) {
      LimitUsage usage = usage(charge, 0, limits.get(0).permits(), state.log(0), allowed, now);
      return counted ? Decision.charged(usage, state, now) : new Decision(allowed, usage);
    }
    List<LimitUsage> usages = new ArrayList<>(limits.size());
    addUsages(usages, charge, state, allowed, now);
    return counted
        ? Decision.charged(Source.LOCAL, usages, state, now)
        : new Decision(allowed, Source.LOCAL, usages);
  }

  private static Decision decideAll(List<Charge> charges, List<PolicyLogs> states, long now) {
    boolean allowed = true;
    for (int i = 0; i < charges.size(); i++) {
      states.get(i).turnTo(charges.get(i).policy(), now);
      allowed &= admits(charges.get(i), states.get(i), now);
    }
    List<LimitUsage> usages = new ArrayList<>();
    for (int i = 0; i < charges.size(); i++) {
      if (allowed) {
        add(charges.get(i), states.get(i), now);
      }
      addUsages(usages, charges.get(i), states.get(i), allowed, now);
    }
    return allowed
        ? Decision.charged(Source.LOCAL, usages, LocalReceipts.of(states), now)
        : new Decision(false, Source.LOCAL, usages);
  }

  private static boolean admits(Charge charge, PolicyLogs state, long now) {
    List<Limit> limits = charge.policy().limits();
    for (int i = 0; i < limits.size(); i++) {
      if (!state.log(i).admits(now, charge.cost(), limits.get(i).permits())) {
        return false;
      }
    }
    return true;
  }

  private static void add(Charge charge, PolicyLogs state, long now) {
    List<Limit> limits = charge.policy().limits();
    for (int i = 0; i < limits.size(); i++) {
      state.log(i).add(now, charge.cost(), limits.get(i).permits());
    }
  }

  private static void addUsages(
      List<LimitUsage> usages, Charge charge, PolicyLogs state, boolean allowed, long now) {
    List<Limit> limits = charge.policy().limits();
    for (int i = 0; i < limits.size(); i++) {
      usages.add(usage(charge, i, limits.get(i).permits(), state.log(i), allowed, now));
    }
  }

  private static LimitUsage usage(
      Charge charge, int limit, long quota, SlidingLog log, boolean allowed, long now) {
    long remaining = log.remaining(now, quota);
    long retryAfter = allowed ? 0 : log.retryAfter(now, charge.cost(), quota);
    long resetAfter = log.resetAfter(now, quota);
    return new LimitUsage(charge, limit, quota, remaining, retryAfter, resetAfter, Source.LOCAL);
  }
}
