package io.github.limiterkit.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request of which more is known than its adapter tells: the client behind trusted proxies, the
 * canonical path, and the route on which a policy applies. Used by one thread at a time.
 */
final class ClientRequest implements RequestView {

  private final RequestView request;
  private final ClientAddresses addresses;
  private final boolean ignoresCase;
  private @Nullable String canonicalPath;
  private boolean pathKnown;
  private @Nullable String client;
  private boolean clientKnown;
  private @Nullable Route route;

  ClientRequest(RequestView request, ClientAddresses addresses, boolean ignoresCase) {
    this.request = request;
    this.addresses = addresses;
    this.ignoresCase = ignoresCase;
  }

  /** One spelling for the path; null if it cannot be made out for certain. */
  @Nullable String canonicalPath() {
    if (!pathKnown) {
      String path = CanonicalPath.of(request.path());
      canonicalPath = ignoresCase && path != null ? CanonicalPath.lowerCase(path) : path;
      pathKnown = true;
    }
    return canonicalPath;
  }

  /** The key of the client's address. */
  String addressKey() {
    return addresses.key(remoteAddress());
  }

  /** On which route the policy applies whose key is looked for now; null if on none. */
  @Nullable Route route() {
    return route;
  }

  /** Sets the route on which the policy applies whose key is looked for next. */
  ClientRequest on(@Nullable Route matched) {
    route = matched;
    return this;
  }

  @Override
  public String method() {
    return request.method();
  }

  @Override
  public @Nullable String path() {
    return request.path();
  }

  @Override
  public List<String> headers(String name) {
    return request.headers(name);
  }

  /** The address of the client, not of the proxy that is trusted. */
  @Override
  public @Nullable String remoteAddress() {
    if (!clientKnown) {
      client = addresses.of(request);
      clientKnown = true;
    }
    return client;
  }

  @Override
  public @Nullable String principal() {
    return request.principal();
  }

  @Override
  public @Nullable Object attribute(String name) {
    return request.attribute(name);
  }

  @Override
  public void attribute(String name, Object value) {
    request.attribute(name, value);
  }
}
