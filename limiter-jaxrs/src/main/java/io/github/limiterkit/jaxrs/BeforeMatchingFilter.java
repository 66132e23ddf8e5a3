package io.github.limiterkit.jaxrs;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;

/** Runs for every request, also for those that no resource answers, and before authentication. */
@PreMatching
final class BeforeMatchingFilter implements ContainerRequestFilter {

  private final Gatekeeper gatekeeper;
  private final StartCheck startCheck;

  BeforeMatchingFilter(Gatekeeper gatekeeper, StartCheck startCheck) {
    this.gatekeeper = gatekeeper;
    this.startCheck = startCheck;
  }

  Gatekeeper gatekeeper() {
    return gatekeeper;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    startCheck.end();
    gatekeeper.checkBeforeMatching(request);
  }
}
