package io.github.limiterkit.jaxrs;

import jakarta.ws.rs.container.ContainerRequestContext;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address of the peer where there is no servlet container to tell it.
 *
 * <p>Implementations are safe for use by several threads and do not block.
 */
@FunctionalInterface
public interface AddressResolver {

  /**
   * Finds the address.
   *
   * @param request the request
   * @return an address literal without port, never what a client says of itself; null if there is
   *     none, and then all such requests count as one client
   */
  @Nullable String addressOf(ContainerRequestContext request);
}
