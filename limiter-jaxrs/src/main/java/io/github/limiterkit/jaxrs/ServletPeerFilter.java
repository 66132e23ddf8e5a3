package io.github.limiterkit.jaxrs;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Context;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notes what the servlet container knows. The only class that names the Servlet API, so that it is
 * loaded only where there is one.
 */
@PreMatching
final class ServletPeerFilter implements ContainerRequestFilter {

  @Context private @Nullable HttpServletRequest servletRequest;
  @Context private @Nullable HttpServletResponse servletResponse;

  @Override
  public void filter(ContainerRequestContext request) {
    HttpServletRequest source = servletRequest;
    if (source == null) {
      return;
    }
    String address;
    try {
      address = source.getRemoteAddr();
    } catch (RuntimeException noServletContainer) {
      return; // the API is on the class path, but somebody else serves
    }
    request.setProperty(Peer.PROPERTY, new ServletPeer(address, path(source), servletResponse));
  }

  private static @Nullable String path(HttpServletRequest request) {
    try {
      String servletPath = request.getServletPath();
      String pathInfo = request.getPathInfo();
      return pathInfo == null ? servletPath : servletPath + pathInfo;
    } catch (IllegalArgumentException undecodable) {
      return null;
    }
  }

  /** The response is the implementation's proxy and is asked during the request only. */
  private record ServletPeer(
      @Nullable String remoteAddress, @Nullable String path, @Nullable HttpServletResponse response)
      implements Peer {

    @Override
    public Collection<String> responseHeaders(String name) {
      try {
        Collection<String> lines = response == null ? null : response.getHeaders(name);
        return lines == null ? List.of() : lines;
      } catch (RuntimeException outsideOfTheRequest) {
        return List.of();
      }
    }
  }
}
