package io.github.limiterkit.jaxrs;

import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;

/**
 * Looks at every resource method that is known at the start, and registers nothing.
 *
 * <p>Most implementations come back with the methods of a sub-resource when a request reaches them;
 * it is too late then to fail the start, and the request itself is refused.
 */
final class StartCheck implements DynamicFeature {

  private final Annotations annotations;
  private volatile boolean ended;

  StartCheck(Annotations annotations) {
    this.annotations = annotations;
  }

  @Override
  public void configure(ResourceInfo resource, FeatureContext context) {
    if (!ended) {
      annotations.check(resource);
    }
  }

  /** There is a request, so that the start is over. */
  void end() {
    if (!ended) {
      ended = true;
    }
  }
}
