package io.github.limiterkit.http;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are charged to which policies.
 *
 * <p>A path is exact ({@code /login}), a prefix ({@code /api/*}, which is also {@code /api} but not
 * {@code /apix}), an extension ({@code *.css}), a template ({@code /users/{id}}, one segment each),
 * or everything ({@code /*}). Every route that matches a request applies, so that adding one can
 * only tighten. A path that cannot be made out for certain matches every route.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class Route {

  private static final Set<String> WELL_KNOWN =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");

  private final List<String> methods;
  private final PathPattern path;
  private final List<HttpPolicy> policies;

  private Route(List<String> methods, PathPattern path, List<HttpPolicy> policies) {
    this.methods = methods;
    this.path = path;
    this.policies = policies;
  }

  /**
   * A route from text.
   *
   * @param text a path, or a method, a space and a path, as in {@code POST /login}
   * @param policies what to charge, at least one
   * @return the route
   * @throws IllegalArgumentException if the text cannot be read, naming the form to use, or there
   *     is no policy
   */
  public static Route of(String text, HttpPolicy... policies) {
    String trimmed = text.strip();
    int space = trimmed.indexOf(' ');
    if (space < 0 || trimmed.startsWith("/") || trimmed.startsWith("*")) {
      return of(List.of(), trimmed, List.of(policies));
    }
    return of(
        List.of(trimmed.substring(0, space)), trimmed.substring(space + 1), List.of(policies));
  }

  /**
   * A route from its parts.
   *
   * @param methods whose requests are meant, in the letter case of the protocol; {@code GET} is
   *     also {@code HEAD}; empty for all
   * @param path which paths are meant
   * @param policies what to charge, at least one
   * @return the route
   * @throws IllegalArgumentException if a part cannot be read, naming the form to use, or there is
   *     no policy
   */
  public static Route of(Collection<String> methods, String path, Collection<HttpPolicy> policies) {
    if (policies.isEmpty()) {
      throw new IllegalArgumentException("route \"" + path.strip() + "\" has no policy");
    }
    List<String> checked = new ArrayList<>();
    for (String method : methods) {
      checked.add(checked(method.strip(), path.strip()));
    }
    return new Route(
        List.copyOf(checked), PathPattern.parse(path), List.copyOf(new LinkedHashSet<>(policies)));
  }

  private static String checked(String method, String path) {
    String upper = method.toUpperCase(Locale.ROOT);
    if (!Tokens.isToken(method)) {
      throw new IllegalArgumentException(
          "route \"%s %s\": \"%s\" is not a method; write METHOD /path, as in POST /login"
              .formatted(method, path, method));
    }
    if (WELL_KNOWN.contains(upper) && !upper.equals(method)) {
      throw new IllegalArgumentException(
          "route \"%s %s\": methods are case-sensitive; write %s %s"
              .formatted(method, path, upper, path));
    }
    return method;
  }

  /**
   * What is charged.
   *
   * @return at least one policy, each once
   */
  public List<HttpPolicy> policies() {
    return policies;
  }

  /** The path as it is configured. */
  String path() {
    return path.toString();
  }

  /** The same for paths in lower case. */
  Route inLowerCase() {
    return new Route(methods, path.inLowerCase(), policies);
  }

  /** Whether a request is meant. Its path is made out only if it makes a difference. */
  boolean matches(ClientRequest request) {
    return path.isEverything()
        ? matchesMethod(request.method())
        : matches(request.method(), request.canonicalPath());
  }

  /**
   * Whether a request is meant.
   *
   * @param method as the client wrote it
   * @param canonicalPath null if the path could not be made out
   */
  boolean matches(String method, @Nullable String canonicalPath) {
    return matchesMethod(method) && (canonicalPath == null || path.matches(canonicalPath));
  }

  private boolean matchesMethod(String method) {
    return methods.isEmpty()
        || methods.contains(method)
        || (method.equals("HEAD") && methods.contains("GET"));
  }

  /** The methods and the path, as in {@code POST /login}. */
  @Override
  public String toString() {
    return methods.isEmpty() ? path.toString() : String.join(" ", methods) + " " + path;
  }
}
