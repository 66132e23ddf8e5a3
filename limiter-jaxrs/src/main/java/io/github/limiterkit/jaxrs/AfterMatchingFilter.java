package io.github.limiterkit.jaxrs;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import org.jspecify.annotations.Nullable;

/**
 * Runs once a resource method is found and the user is known, for all methods.
 *
 * <p>It is bound to none: CXF does not tell a {@code DynamicFeature} of the methods of
 * sub-resources, so that a filter bound by one would miss them.
 */
final class AfterMatchingFilter implements ContainerRequestFilter {

  private final Gatekeeper gatekeeper;
  private final Annotations annotations;

  @Context private @Nullable ResourceInfo resourceInfo;

  AfterMatchingFilter(Gatekeeper gatekeeper, Annotations annotations) {
    this.gatekeeper = gatekeeper;
    this.annotations = annotations;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    gatekeeper.checkAfterMatching(
        request, annotations.policiesOf(resourceInfo, request.getUriInfo()));
  }
}
