package io.github.limiterkit.http.answer;

import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Source;
import io.github.limiterkit.WhenStoreFails;
import java.util.List;

/**
 * How one policy came out of a decision.
 *
 * @param text the policy as clients see it
 * @param usages how its limits stood, none for a policy that was not looked at
 * @param source who decided the request
 * @param status what a refusal by this policy is answered with: 429 or 503
 * @param shown whether this answer may name the policy
 */
public record Judged(
    PolicyText text, List<LimitUsage> usages, Source source, int status, boolean shown) {

  /** Whether all limits were looked at with the quotas that they were configured with. */
  boolean isAsConfigured() {
    return usages.size() == text.names().size() && PolicyText.isAsConfigured(usages);
  }

  /** Whether {@link WhenStoreFails#CLOSED} refused, so that nobody knows the wait. */
  boolean closed() {
    if (text.policy().whenStoreFails() != WhenStoreFails.CLOSED) {
      return false;
    }
    for (LimitUsage usage : usages) {
      if (usage.refused() && usage.source() == Source.POSTURE) {
        return true;
      }
    }
    return usages.isEmpty() && source == Source.POSTURE;
  }

  /** Whether it was let pass uncounted, so that there is nothing to tell. */
  boolean open() {
    boolean byPosture =
        source == Source.POSTURE && text.policy().whenStoreFails() == WhenStoreFails.OPEN;
    return usages.isEmpty() && (byPosture || source == Source.OVERRIDE);
  }
}
