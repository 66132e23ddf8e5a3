package io.github.limiterkit.metrics;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Reset;
import io.github.limiterkit.Source;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts what another limiter decides, by policy, source and outcome.
 *
 * <p>The counters are made once, from the configured names: no client can add one. What each
 * counts:
 *
 * <ul>
 *   <li>a decision that is allowed counts once for each of its charges' policies;
 *   <li>a decision that is refused counts for those policies that had no room. Nothing was charged
 *       to the others, and nothing is counted for them;
 *   <li>a charge of cost 0 looks without charging and is not counted.
 * </ul>
 *
 * <p>Safe for use by several threads; counting takes no lock.
 */
public final class DecisionCounters implements RateLimiter {

  /**
   * The policy under which charges are counted whose own policy is not one of the configured ones.
   * No policy can have this name.
   */
  public static final String OTHER = "(other)";

  private final RateLimiter limiter;
  private final Consumer<Charge> refused;
  private final Map<String, Tally> byPolicy = new LinkedHashMap<>();
  private final Tally other = new Tally();

  /**
   * Wraps a limiter.
   *
   * @param limiter decides
   * @param policies the names to count by
   */
  public DecisionCounters(RateLimiter limiter, Collection<String> policies) {
    this(limiter, policies, charge -> {});
  }

  /**
   * Wraps a limiter, and tells somebody of refusals.
   *
   * @param limiter decides
   * @param policies the names to count by
   * @param refused takes each charge that a limit had no room for, on the thread that asked; must
   *     be quick and must not throw. A policy that is closed without its store has no such limit.
   */
  public DecisionCounters(
      RateLimiter limiter, Collection<String> policies, Consumer<Charge> refused) {
    this.limiter = Objects.requireNonNull(limiter, "limiter");
    this.refused = Objects.requireNonNull(refused, "refused");
    for (String policy : policies) {
      byPolicy.put(policy, new Tally());
    }
  }

  @Override
  public Decision acquire(List<Charge> charges) {
    Decision decision = limiter.acquire(charges);
    List<LimitUsage> usages = decision.usages();
    boolean namesRefusal = namesRefusal(usages);
    for (Charge charge : charges) {
      count(charge, decision, usages, namesRefusal);
    }
    return decision;
  }

  @Override
  public Decision acquire(Charge charge) {
    Decision decision = limiter.acquire(charge);
    List<LimitUsage> usages = decision.usages();
    count(charge, decision, usages, namesRefusal(usages));
    return decision;
  }

  @Override
  public Refund refund(Decision decision, long units) {
    Refund refund = limiter.refund(decision, units);
    for (Charge charge : refund.givenBack()) {
      byPolicy.getOrDefault(charge.policy().name(), other).countRefund(charge.cost());
    }
    return refund;
  }

  @Override
  public List<LimitUsage> usage(Policy policy, String key) {
    return limiter.usage(policy, key);
  }

  @Override
  public Reset reset(Policy policy, String key) {
    return limiter.reset(policy, key);
  }

  /**
   * The units of a policy that were given back. The decisions that charged them stay counted.
   *
   * @param policy one of the configured names, or {@link #OTHER}
   * @return units so far; 0 for a name that is not configured
   */
  public long refundedUnits(String policy) {
    Tally tally = policy.equals(OTHER) ? other : byPolicy.get(policy);
    return tally == null ? 0 : tally.refundedUnits();
  }

  /**
   * The count of one cell.
   *
   * @param policy one of the configured names, or {@link #OTHER}
   * @param source who decided
   * @param outcome how
   * @return decisions so far; 0 for a name that is not configured
   */
  public long count(String policy, Source source, Outcome outcome) {
    Tally tally = policy.equals(OTHER) ? other : byPolicy.get(policy);
    return tally == null ? 0 : tally.sum(source, outcome);
  }

  /**
   * The count of one kind of decision over all policies.
   *
   * @param source who decided
   * @param outcome how
   * @return decisions so far
   */
  public long count(Source source, Outcome outcome) {
    long sum = other.sum(source, outcome);
    for (Tally tally : byPolicy.values()) {
      sum += tally.sum(source, outcome);
    }
    return sum;
  }

  /**
   * The names that are counted by.
   *
   * @return the configured names in the order given, without {@link #OTHER}
   */
  public List<String> policies() {
    return List.copyOf(byPolicy.keySet());
  }

  /**
   * All counts that are not zero.
   *
   * @return by policy in the order configured, then by source, then by outcome
   */
  public List<DecisionCount> counts() {
    List<DecisionCount> counts = new ArrayList<>();
    byPolicy.forEach((policy, tally) -> add(counts, policy, tally));
    add(counts, OTHER, other);
    return List.copyOf(counts);
  }

  private static void add(List<DecisionCount> counts, String policy, Tally tally) {
    for (Source source : Source.values()) {
      for (Outcome outcome : Outcome.values()) {
        long count = tally.sum(source, outcome);
        if (count > 0) {
          counts.add(new DecisionCount(policy, source, outcome, count));
        }
      }
    }
  }

  private void count(
      Charge charge, Decision decision, List<LimitUsage> usages, boolean namesRefusal) {
    if (charge.cost() == 0) {
      return;
    }
    LimitUsage telling = telling(charge, usages);
    if (namesRefusal && (telling == null || !telling.refused())) {
      return;
    }
    // Without a usage of its own, the posture answered for it and said so in the decision only.
    Source source = telling == null ? decision.source() : telling.source();
    Outcome outcome = decision.allowed() ? Outcome.ALLOWED : Outcome.REFUSED;
    byPolicy.getOrDefault(charge.policy().name(), other).count(source, outcome);
    if (outcome == Outcome.REFUSED && source != Source.POSTURE) {
      refused.accept(charge);
    }
  }

  /**
   * The usage that says how the charge fared: the first that refused, else the weakest source's.
   */
  private static @Nullable LimitUsage telling(Charge charge, List<LimitUsage> usages) {
    LimitUsage telling = null;
    for (LimitUsage usage : usages) {
      if (!usage.charge().equals(charge)) {
        continue;
      }
      if (usage.refused()) {
        return usage;
      }
      if (telling == null || usage.source().compareTo(telling.source()) > 0) {
        telling = usage;
      }
    }
    return telling;
  }

  private static boolean namesRefusal(List<LimitUsage> usages) {
    for (LimitUsage usage : usages) {
      if (usage.refused()) {
        return true;
      }
    }
    return false;
  }
}
