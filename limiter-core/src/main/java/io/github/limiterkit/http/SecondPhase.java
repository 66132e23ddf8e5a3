package io.github.limiterkit.http;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether anybody asks after authentication, where an adapter asks before it: else a policy that
 * needs the user is never charged, and nothing else would tell.
 *
 * <p>Some containers make a filter when the first request gets to it, so a filter that is not there
 * shows only once an application has answered.
 */
final class SecondPhase {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");

  private final List<String> waiting;
  private volatile boolean settled;

  SecondPhase(List<Route> routes) {
    this.waiting =
        routes.stream()
            .flatMap(route -> route.policies().stream())
            .filter(HttpPolicy::needsPrincipal)
            .map(HttpPolicy::name)
            .distinct()
            .toList();
    this.settled = waiting.isEmpty();
  }

  /** Whether there is nothing to find out, or it was found out. */
  boolean isSettled() {
    return settled;
  }

  /** Somebody asks after authentication, or is there to do so. */
  void asked() {
    if (!settled) {
      settled = true;
    }
  }

  /** An application has answered a request which such policies were to be charged for. */
  synchronized void missed(String adapter) {
    if (!settled) {
      settled = true;
      log.warn(
          "LK007 {} asks before authentication, and nobody has asked after it so far: what waits for"
              + " that is not charged ({}); add a filter with the same kit and phase {} behind"
              + " authentication",
          adapter,
          String.join(", ", waiting),
          Phase.AFTER_AUTHENTICATION.word());
    }
  }
}
