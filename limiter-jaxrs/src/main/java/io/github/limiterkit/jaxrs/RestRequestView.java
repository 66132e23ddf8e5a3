package io.github.limiterkit.jaxrs;

import io.github.limiterkit.http.RawPath;
import io.github.limiterkit.http.RequestView;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A REST request as the rules see it. */
final class RestRequestView implements RequestView {

  private final ContainerRequestContext request;
  private final @Nullable Peer peer;
  private final AddressResolver addresses;

  RestRequestView(ContainerRequestContext request, AddressResolver addresses) {
    this.request = request;
    this.peer = Peer.of(request);
    this.addresses = addresses;
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public @Nullable String path() {
    // The path of UriInfo lacks what the application is mounted at, so that a route would mean
    // something else here than in a servlet filter.
    return peer != null
        ? peer.path()
        : RawPath.decoded(request.getUriInfo().getRequestUri().getRawPath());
  }

  @Override
  public List<String> headers(String name) {
    List<String> lines = request.getHeaders().get(name);
    return lines == null ? List.of() : lines;
  }

  @Override
  public @Nullable String remoteAddress() {
    return peer != null ? peer.remoteAddress() : addresses.addressOf(request);
  }

  @Override
  public @Nullable String principal() {
    SecurityContext security = request.getSecurityContext();
    Principal user = security == null ? null : security.getUserPrincipal();
    return user == null ? null : user.getName();
  }

  @Override
  public @Nullable Object attribute(String name) {
    return request.getProperty(name);
  }

  @Override
  public void attribute(String name, Object value) {
    request.setProperty(name, value);
  }
}
