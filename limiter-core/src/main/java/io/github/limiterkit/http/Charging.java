package io.github.limiterkit.http;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Source;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.WhenStoreFails;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes charges out of requests and has them decided. What an application's own code or the limiter
 * throws is kept from the request, counted, and told in the log at most once a minute.
 */
final class Charging {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");

  private final RateLimiter limiter;
  private final boolean shadow;
  private final KeyFinder keys;
  private final LogGate limiterGate;
  private final LogGate applicationGate;

  Charging(RateLimiter limiter, boolean shadow, Ticker ticker) {
    this.limiter = limiter;
    this.shadow = shadow;
    this.keys = new KeyFinder(ticker);
    this.limiterGate = new LogGate(ticker);
    this.applicationGate = new LogGate(ticker);
  }

  /** How often a key resolver threw. */
  long resolverFailures() {
    return keys.failures();
  }

  /**
   * The charges of a request, one for each policy. A policy whose key the request lacks, and that
   * refuses it for that, is put into the other list.
   */
  List<Charged> charges(ClientRequest request, List<Asked> asked, List<HttpPolicy> keyless) {
    List<Charged> charges = new ArrayList<>(asked.size());
    for (Asked one : asked) {
      HttpPolicy policy = one.policy();
      String key = keys.find(policy, request.on(one.route()));
      if (key != null) {
        Quota quota = quota(policy, request);
        charges.add(
            new Charged(policy, quota, new Charge(quota.policy(), key, cost(policy, request))));
      } else if (!isShadow(policy)) {
        keyless.add(policy);
      }
    }
    return charges;
  }

  /** Whether a policy counts and refuses nobody. */
  boolean isShadow(HttpPolicy policy) {
    return shadow || policy.shadow();
  }

  /**
   * Asks for all charges at once. If only policies in shadow refuse, those that may refuse are
   * asked by themselves: what is tried out must not change any answer.
   */
  Outcome decide(List<Charged> charged) {
    List<Charged> binding = binding(charged);
    Decision all = ask(charged);
    if (binding.size() == charged.size()) {
      return new Outcome(charged, charged, all, all);
    }
    if (binding.isEmpty()) {
      return new Outcome(charged, binding, new Decision(true, all.source(), List.of()), all);
    }
    boolean told = all.allowed() || refuses(all, binding);
    Decision decision = told ? all : ask(binding);
    return new Outcome(charged, binding, decision, decision);
  }

  private List<Charged> binding(List<Charged> charged) {
    if (areBinding(charged)) {
      return charged;
    }
    List<Charged> binding = new ArrayList<>(charged.size());
    for (Charged one : charged) {
      if (!isShadow(one.policy())) {
        binding.add(one);
      }
    }
    return binding;
  }

  private boolean areBinding(List<Charged> charged) {
    for (int i = 0; i < charged.size(); i++) {
      if (isShadow(charged.get(i).policy())) {
        return false;
      }
    }
    return true;
  }

  /** Asks for further units of what a request was charged to. In shadow the answer is yes. */
  Decision further(Charged charged, long units) {
    Charge first = charged.charge();
    Decision made = acquire(List.of(new Charge(first.policy(), first.key(), units)));
    return made.allowed() || !isShadow(charged.policy())
        ? made
        : new Decision(true, made.source(), made.usages());
  }

  /** Gives back at most so many units. Whatever happens meanwhile is kept from the request. */
  Refund refund(Decision decision, long units) {
    try {
      return limiter.refund(decision, units);
    } catch (RuntimeException broken) {
      long kept = limiterGate.pass();
      if (kept >= 0) {
        log.error(
            "the limiter threw; what a request was charged stays counted ({} more since the last"
                + " such line)",
            kept,
            broken);
      }
      return new Refund(List.of(), false);
    }
  }

  private static boolean refuses(Decision decision, List<Charged> binding) {
    for (LimitUsage usage : decision.usages()) {
      if (usage.refused()) {
        for (Charged charged : binding) {
          if (charged.charge().equals(usage.charge())) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private Quota quota(HttpPolicy policy, ClientRequest request) {
    try {
      return policy.quota(request);
    } catch (RuntimeException thrown) {
      say(policy, "tier", "threw " + thrown.getClass().getName(), "the policy's own limits count");
      return policy.quota();
    }
  }

  private long cost(HttpPolicy policy, ClientRequest request) {
    try {
      long cost = policy.cost(request);
      if (cost >= 0) {
        return Math.min(cost, Limit.MAX_PERMITS);
      }
      say(policy, "cost", "is negative", "the request costs 1");
    } catch (RuntimeException thrown) {
      // Its message may quote the request, so only the kind of the exception is told.
      say(policy, "cost", "threw " + thrown.getClass().getName(), "the request costs 1");
    }
    return 1;
  }

  private void say(HttpPolicy policy, String which, String what, String instead) {
    long kept = applicationGate.pass();
    if (kept >= 0) {
      log.warn(
          "the {} of policy {} {}; {} ({} more since the last such line)",
          which,
          policy.name(),
          what,
          instead,
          kept);
    }
  }

  private Decision ask(List<Charged> charged) {
    if (charged.size() == 1) {
      return acquire(List.of(charged.get(0).charge()));
    }
    List<Charge> charges = new ArrayList<>(charged.size());
    for (Charged one : charged) {
      charges.add(one.charge());
    }
    return acquire(charges);
  }

  private Decision acquire(List<Charge> charges) {
    try {
      return charges.size() == 1 ? limiter.acquire(charges.get(0)) : limiter.acquire(charges);
    } catch (RuntimeException broken) {
      long kept = limiterGate.pass();
      if (kept >= 0) {
        log.error(
            "the limiter threw; the request is refused if a policy says closed, else it"
                + " passes uncounted ({} more since the last such line)",
            kept,
            broken);
      }
      boolean closed = false;
      for (Charge charge : charges) {
        closed |= charge.policy().whenStoreFails() == WhenStoreFails.CLOSED;
      }
      return new Decision(!closed, Source.POSTURE, List.of());
    }
  }
}
