package io.github.limiterkit.jaxrs;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;

/**
 * Sets the fields on every response, whatever its status and whoever made it, and takes the status
 * for the outcome of the request.
 */
final class FieldsFilter implements ContainerResponseFilter {

  private final Gatekeeper gatekeeper;

  FieldsFilter(Gatekeeper gatekeeper) {
    this.gatekeeper = gatekeeper;
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    Reservations.settle(request, response.getStatus());
    gatekeeper.setFields(request, response.getHeaders(), response.getStatus());
  }
}
