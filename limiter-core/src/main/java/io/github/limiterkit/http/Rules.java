package io.github.limiterkit.http;

import io.github.limiterkit.http.address.Networks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are limited, and by which policies.
 *
 * @param routes in the order they were added
 * @param policies by name
 * @param exempt paths without limits
 * @param allow addresses without limits
 * @param deny addresses without service
 * @param preflight what CORS preflights are charged to; nothing if empty
 * @param ignoresCase whether a path is the same in any letter case
 */
record Rules(
    List<Route> routes,
    Map<String, HttpPolicy> policies,
    List<PathPattern> exempt,
    Networks allow,
    Networks deny,
    List<HttpPolicy> preflight,
    boolean ignoresCase) {

  /** How a request is to be treated before any policy is asked. */
  enum Standing {
    DENIED,
    FREE,
    LIMITED
  }

  /** Thrown by a look-up for a name that no policy has: a mistake in the application. */
  static final class UnknownPolicy extends Exception {
    private static final long serialVersionUID = 1L;

    UnknownPolicy(String name) {
      super(name, null, false, false);
    }
  }

  Standing standing(ClientRequest request) {
    if (!deny.isEmpty() && deny.contain(request.remoteAddress())) {
      return Standing.DENIED; // asked first, so that no other setting lets it pass
    }
    return (preflight.isEmpty() && isPreflight(request))
            || (!exempt.isEmpty() && isExempt(request.canonicalPath()))
            || (!allow.isEmpty() && allow.contain(request.remoteAddress()))
        ? Standing.FREE
        : Standing.LIMITED;
  }

  /**
   * The policies to charge, each once, by routes and by names.
   *
   * @param authenticated whether the policies are meant, too, whose key needs the user
   */
  List<Asked> asked(ClientRequest request, Collection<String> names, boolean authenticated)
      throws UnknownPolicy {
    List<Asked> asked = new ArrayList<>(2);
    if (!preflight.isEmpty() && isPreflight(request)) {
      preflight.forEach(policy -> add(policy, null, asked));
      return asked; // no other policy: the request that follows it is charged to them
    }
    for (Route route : routes) {
      if (route.matches(request)) {
        for (HttpPolicy policy : route.policies()) {
          if (authenticated || !policy.needsPrincipal()) {
            add(policy, route, asked);
          }
        }
      }
    }
    for (String name : names) {
      HttpPolicy policy = policies.get(name);
      if (policy == null) {
        throw new UnknownPolicy(name);
      }
      add(policy, null, asked);
    }
    return asked;
  }

  /** Whether a policy by user is to be charged for a request, once the user is known. */
  boolean leavesPolicies(ClientRequest request) {
    for (Route route : routes) {
      if (route.matches(request.method(), request.canonicalPath())) {
        for (HttpPolicy policy : route.policies()) {
          if (policy.needsPrincipal()) {
            return preflight.isEmpty() || !isPreflight(request);
          }
        }
      }
    }
    return false;
  }

  private static void add(HttpPolicy policy, @Nullable Route route, List<Asked> asked) {
    for (Asked other : asked) {
      if (other.policy() == policy) {
        return;
      }
    }
    asked.add(new Asked(policy, route));
  }

  private boolean isExempt(@Nullable String path) {
    if (path != null) {
      for (PathPattern pattern : exempt) {
        if (pattern.matches(path)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Browsers send it by themselves and without credentials, and a refused one is shown as a fault.
   */
  private static boolean isPreflight(RequestView request) {
    return request.method().equals("OPTIONS")
        && !request.headers("Origin").isEmpty()
        && !request.headers("Access-Control-Request-Method").isEmpty();
  }
}
