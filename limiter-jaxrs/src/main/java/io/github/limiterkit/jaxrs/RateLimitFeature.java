package io.github.limiterkit.jaxrs;

import io.github.limiterkit.setup.LimiterKit;
import jakarta.ws.rs.RuntimeType;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import java.util.Objects;

/**
 * Limits the requests to an application.
 *
 * <pre>{@code
 * resourceConfig.register(new RateLimitFeature(kit));   // Jersey; elsewhere among the singletons
 * }</pre>
 *
 * <p>The kit's routes apply to every request, whether a resource answers it or not; their paths are
 * those of the web application, with what the REST application is mounted at, so that a route means
 * the same here and in a servlet filter. {@link RateLimited} adds policies to methods.
 *
 * <p>Policies whose key needs no user are asked before a resource is looked for and before
 * authentication (priority 900), so that they count failed log-ins, too. All others, and those of
 * annotations, are asked after authentication and before authorisation (priority 1500).
 * Sub-resource locators run before that: if one is expensive, give its path a route by address.
 *
 * <p>A name in an annotation that no policy has fails the start. Where an implementation does not
 * tell of a method before a request reaches it, as beneath a locator, such requests are refused
 * with 503 and the log names the method.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class RateLimitFeature implements Feature {

  /** Before {@link jakarta.ws.rs.Priorities#AUTHENTICATION}. */
  private static final int BEFORE_AUTHENTICATION = 900;

  /** Before whatever needs to know the server under the implementation. */
  private static final int FIRST = 100;

  /** After authentication and before {@link jakarta.ws.rs.Priorities#AUTHORIZATION}. */
  private static final int AFTER_AUTHENTICATION = 1500;

  /** Response filters run in descending order, so that this is after those of the application. */
  private static final int LATE = 900;

  private final Gatekeeper gatekeeper;

  /**
   * For a servlet container, which tells the address of the peer.
   *
   * @param kit what limits; stays the caller's to close
   */
  public RateLimitFeature(LimiterKit kit) {
    this(kit, request -> null);
  }

  /**
   * For a server that is no servlet container.
   *
   * @param kit what limits; stays the caller's to close
   * @param addresses finds the address of the peer; not asked in a servlet container
   */
  public RateLimitFeature(LimiterKit kit, AddressResolver addresses) {
    this.gatekeeper =
        new Gatekeeper(
            Objects.requireNonNull(kit, "kit"), Objects.requireNonNull(addresses, "addresses"));
  }

  /**
   * Registers the filters, once.
   *
   * @param context of the application
   * @return whether it registered them
   * @throws IllegalStateException if the application has such filters with another kit
   */
  @Override
  public boolean configure(FeatureContext context) {
    Configuration configuration = context.getConfiguration();
    if (configuration.getRuntimeType() == RuntimeType.CLIENT || isRegistered(configuration)) {
      return false;
    }
    if (hasServletApi()) {
      context.register(ServletPeers.filter(), FIRST);
    }
    Annotations annotations = new Annotations(gatekeeper.kit().http());
    StartCheck startCheck = new StartCheck(annotations);
    context.register(startCheck);
    context.register(new BeforeMatchingFilter(gatekeeper, startCheck), BEFORE_AUTHENTICATION);
    context.register(new AfterMatchingFilter(gatekeeper, annotations), AFTER_AUTHENTICATION);
    context.register(new FieldsFilter(gatekeeper), LATE);
    return true;
  }

  private boolean isRegistered(Configuration configuration) {
    for (Object instance : configuration.getInstances()) {
      if (instance instanceof BeforeMatchingFilter other) {
        if (other.gatekeeper().kit() == gatekeeper.kit()) {
          return true;
        }
        throw new IllegalStateException(
            "two RateLimitFeatures with different kits are registered; put all policies into one kit,"
                + " for most implementations drop the second");
      }
    }
    return false;
  }

  private static boolean hasServletApi() {
    try {
      Class.forName(
          "jakarta.servlet.http.HttpServletResponse",
          false,
          RateLimitFeature.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }

  /** Keeps the class that names the Servlet API from being loaded without it. */
  private static final class ServletPeers {
    static Object filter() {
      return new ServletPeerFilter();
    }
  }
}
