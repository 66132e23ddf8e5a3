package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.OperatorSwitch;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Reset;
import io.github.limiterkit.Source;
import java.util.List;

/**
 * Lets an operator's switch come before every decision.
 *
 * <p>What {@link OperatorSwitch#ALLOW_ALL} lets pass is booked nowhere, neither here nor in a
 * store: otherwise it would come back as a mass refusal when the switch is over. So there is
 * nothing to refund of it, and {@link #usage} goes on saying how a key really stands.
 *
 * <p>Safe for use by any number of threads.
 */
public final class OverridingLimiter implements RateLimiter {

  private static final Decision LET_PASS = new Decision(true, Source.OVERRIDE, List.of());

  private final RateLimiter usual;
  private final RateLimiter alone;
  private final OperatorOverride override;

  /**
   * Wraps a limiter.
   *
   * @param usual decides while nothing is switched
   * @param alone decides without asking a shared store; counts in the same memory as the first
   * @param override the switch
   */
  public OverridingLimiter(RateLimiter usual, RateLimiter alone, OperatorOverride override) {
    this.usual = usual;
    this.alone = alone;
    this.override = override;
  }

  @Override
  public Decision acquire(List<Charge> charges) {
    OperatorOverride.Active active = override.active();
    if (active == null) {
      return usual.acquire(charges);
    }
    if (active.position() == OperatorSwitch.ALLOW_ALL && !charges.isEmpty()) {
      active.countDecision();
      return LET_PASS;
    }
    Decision decision = alone.acquire(charges);
    active.countDecision();
    return decision;
  }

  @Override
  public Decision acquire(Charge charge) {
    return override.active() == null ? usual.acquire(charge) : acquire(List.of(charge));
  }

  @Override
  public Refund refund(Decision decision, long units) {
    return toAsk().refund(decision, units);
  }

  @Override
  public List<LimitUsage> usage(Policy policy, String key) {
    return toAsk().usage(policy, key);
  }

  @Override
  public Reset reset(Policy policy, String key) {
    return toAsk().reset(policy, key);
  }

  private RateLimiter toAsk() {
    return override.position() == OperatorSwitch.LOCAL_ONLY ? alone : usual;
  }
}
