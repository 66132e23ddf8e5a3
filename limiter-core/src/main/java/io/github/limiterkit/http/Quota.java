package io.github.limiterkit.http;

import io.github.limiterkit.Policy;
import io.github.limiterkit.http.answer.PolicyText;

/**
 * How much a policy allows: its own limits, or those of one of its tiers under the same name, so
 * that a client who changes the tier keeps what it has used.
 *
 * @param policy what charges are made to
 * @param text the same as clients see it
 */
record Quota(Policy policy, PolicyText text) {

  static Quota of(Policy policy) {
    return new Quota(policy, PolicyText.of(policy));
  }
}
