package io.github.limiterkit.http;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.RateLimiter;
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
  private final KeyFinder keys;
  private final LogGate limiterGate;
  private final LogGate costGate;

  Charging(RateLimiter limiter, Ticker ticker) {
    this.limiter = limiter;
    this.keys = new KeyFinder(ticker);
    this.limiterGate = new LogGate(ticker);
    this.costGate = new LogGate(ticker);
  }

  /** How often a key resolver threw. */
  long resolverFailures() {
    return keys.failures();
  }

  /**
   * The charges of a request, one for each policy. A policy whose key the request lacks, and that
   * refuses it for that, is put into the other list.
   */
  List<Charge> charges(ClientRequest request, List<Asked> asked, List<HttpPolicy> keyless) {
    List<Charge> charges = new ArrayList<>(asked.size());
    for (Asked one : asked) {
      HttpPolicy policy = one.policy();
      String key = keys.find(policy, request.on(one.route()));
      if (key == null) {
        keyless.add(policy);
      } else {
        charges.add(new Charge(policy.policy(), key, cost(policy, request)));
      }
    }
    return charges;
  }

  private long cost(HttpPolicy policy, ClientRequest request) {
    try {
      long cost = policy.cost(request);
      if (cost >= 0) {
        return Math.min(cost, Limit.MAX_PERMITS);
      }
      sayCost(policy, "is negative");
    } catch (RuntimeException thrown) {
      // Its message may quote the request, so only the kind of the exception is told.
      sayCost(policy, "threw " + thrown.getClass().getName());
    }
    return 1;
  }

  private void sayCost(HttpPolicy policy, String what) {
    long kept = costGate.pass();
    if (kept >= 0) {
      log.warn(
          "the cost of policy {} {}; the request costs 1 ({} more since the last such line)",
          policy.name(),
          what,
          kept);
    }
  }

  Decision acquire(List<Charge> charges) {
    try {
      return limiter.acquire(charges);
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
