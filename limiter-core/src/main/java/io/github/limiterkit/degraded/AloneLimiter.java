package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Reset;
import io.github.limiterkit.local.LocalTable;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Limits by the local rule, from this instance's own logs, and asks no store whatever happens. */
final class AloneLimiter implements RateLimiter {

  private final LocalTable<OwnLog> ownLogs;
  private final LocalDecisions decisions;
  private final Corrections corrections;
  private final Function<Policy, OwnLog> newLog;
  private final LongSupplier clockMillis;

  /**
   * Creates it.
   *
   * @param corrections those that reach no store
   * @param newLog makes what stands in for a key that nothing is known of
   */
  AloneLimiter(
      LocalTable<OwnLog> ownLogs,
      LocalDecisions decisions,
      Corrections corrections,
      Function<Policy, OwnLog> newLog,
      LongSupplier clockMillis) {
    this.ownLogs = ownLogs;
    this.decisions = decisions;
    this.corrections = corrections;
    this.newLog = newLog;
    this.clockMillis = clockMillis;
  }

  @Override
  public Decision acquire(List<Charge> charges) {
    if (charges.isEmpty()) {
      throw new IllegalArgumentException("at least one charge is needed");
    }
    return ownLogs.with(charges, decisions::decide);
  }

  @Override
  public Refund refund(Decision decision, long units) {
    return corrections.refund(decision, units);
  }

  @Override
  public List<LimitUsage> usage(Policy policy, String key) {
    Charge look = new Charge(policy, key, 0);
    Decision known =
        ownLogs.ifPresent(
            look, (charge, log, now) -> decisions.decide(List.of(charge), List.of(log), now));
    if (known != null) {
      return known.usages();
    }
    List<OwnLog> empty = List.of(newLog.apply(policy));
    return decisions.decide(List.of(look), empty, clockMillis.getAsLong()).usages();
  }

  @Override
  public Reset reset(Policy policy, String key) {
    return corrections.reset(policy, key);
  }
}
