package io.github.limiterkit.jaxrs;

import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * What only the server under the REST implementation knows of a request. No type of the Servlet API
 * is named here, so that the adapter works without it.
 */
interface Peer {

  /** The request property that holds it. */
  String PROPERTY = "io.github.limiterkit.jaxrs.peer";

  /** The address as the server spells it. */
  @Nullable String remoteAddress();

  /** The decoded path within the web application; null if it cannot be decoded. */
  @Nullable String path();

  /** The lines of a field that filters outside of the REST implementation have set. */
  Collection<String> responseHeaders(String name);

  static @Nullable Peer of(ContainerRequestContext request) {
    return request.getProperty(PROPERTY) instanceof Peer peer ? peer : null;
  }
}
