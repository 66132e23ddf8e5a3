package io.github.limiterkit.servlet;

import io.github.limiterkit.http.Field;
import io.github.limiterkit.http.HttpRateLimiter;
import io.github.limiterkit.http.Phase;
import io.github.limiterkit.http.Refusal;
import io.github.limiterkit.http.RequestView;
import io.github.limiterkit.http.Reservation;
import io.github.limiterkit.http.ResponseView;
import io.github.limiterkit.http.Verdict;
import io.github.limiterkit.setup.Carriers;
import io.github.limiterkit.setup.LimiterConfigurationException;
import io.github.limiterkit.setup.LimiterKit;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the requests that it is mapped to.
 *
 * <p>From web.xml, or from {@code @WebFilter} on an empty subclass, it builds its own kit out of
 * init-params, or of the file that the init-param {@code config} names, and closes it; a
 * context-param of the same name with {@code limiterkit.} before it stands in for an init-param
 * that is not there. In code it is given a kit, which stays the caller's:
 *
 * <pre>{@code
 * RateLimitFilter.register(servletContext, "limits", kit);
 * }</pre>
 *
 * <p>Map it to the dispatcher type {@code REQUEST} only, with async support, after the filters for
 * CORS and authentication: a refusal then carries the fields that browsers ask for, and a policy by
 * principal knows the user. Includes, errors and asynchronous dispatches are not charged, nor is a
 * request that meets the filter again.
 *
 * <p>Where failed log-ins are to count, too, take two of them with one kit, one in front of
 * authentication and one behind it: {@link Phase}, or the init-param {@code phase}, says which is
 * which, and all other init-params are the same.
 *
 * <p>This class is made to be extended and has nothing to override. Safe for use by any number of
 * threads.
 */
public class RateLimitFilter implements Filter {

  /** Where the filters of an application find each other. */
  private static final String CARRIERS = "io.github.limiterkit.servlet.carriers";

  private final @Nullable LimiterKit given;
  private volatile @Nullable Phase phase;
  private volatile @Nullable LimiterKit kit;
  private volatile @Nullable FilterConfig started;

  /** For web.xml and {@code @WebFilter}: the kit is built from init-params. */
  public RateLimitFilter() {
    this.given = null;
  }

  /**
   * For registration in code.
   *
   * @param kit what limits; stays the caller's to close
   */
  public RateLimitFilter(LimiterKit kit) {
    this.given = Objects.requireNonNull(kit, "kit");
    this.kit = kit;
  }

  /**
   * For registration in code, of one of two filters with the same kit: one in front of
   * authentication and one behind it. Each policy is charged by one of them.
   *
   * @param kit what limits; stays the caller's to close
   * @param phase which of the two this is
   */
  public RateLimitFilter(LimiterKit kit, Phase phase) {
    this(kit);
    this.phase = Objects.requireNonNull(phase, "phase");
  }

  /**
   * Registers a filter on all paths, with async support, after the filters that web.xml declares.
   *
   * @param context of the application, while it starts
   * @param name of the filter
   * @param kit what limits; stays the caller's to close
   * @return the registration
   * @throws IllegalStateException if there is a filter of that name already, or the context has
   *     started
   */
  public static FilterRegistration.Dynamic register(
      ServletContext context, String name, LimiterKit kit) {
    return map(add(context, name, new RateLimitFilter(kit)), null);
  }

  /**
   * Registers one of two filters with the same kit on all paths, with async support: the one before
   * authentication in front of all filters that web.xml declares, the other behind them.
   *
   * @param context of the application, while it starts
   * @param name of the filter
   * @param kit what limits; stays the caller's to close
   * @param phase which of the two this is
   * @return the registration
   * @throws IllegalStateException if there is a filter of that name already, or the context has
   *     started
   */
  public static FilterRegistration.Dynamic register(
      ServletContext context, String name, LimiterKit kit, Phase phase) {
    return map(add(context, name, new RateLimitFilter(kit, phase)), phase);
  }

  private static FilterRegistration.Dynamic add(
      ServletContext context, String name, RateLimitFilter filter) {
    FilterRegistration.Dynamic registration = context.addFilter(name, filter);
    if (registration == null) {
      throw new IllegalStateException(
          "there is a filter named \"" + name + "\" already; give this one another name");
    }
    return registration;
  }

  static FilterRegistration.Dynamic map(
      FilterRegistration.Dynamic registration, @Nullable Phase phase) {
    registration.setAsyncSupported(true);
    boolean behind = phase != Phase.BEFORE_AUTHENTICATION;
    registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), behind, "/*");
    return registration;
  }

  @Override
  public final void init(FilterConfig config) throws ServletException {
    String owner = owner(config);
    if (given != null) {
      Map<String, String> unused = FilterParameters.own(config);
      if (!unused.isEmpty()) {
        throw new ServletException(
            owner
                + ": the init-params "
                + String.join(", ", unused.keySet())
                + " have no effect, for the filter was given a kit; remove them");
      }
      started(config, given);
      return;
    }
    try {
      phase = FilterParameters.phase(config);
    } catch (IllegalArgumentException wrong) {
      throw new ServletException(owner + ": " + wrong.getMessage(), wrong);
    }
    try {
      LimiterKit own = own(config, owner);
      kit = own;
      started(config, own);
    } catch (LimiterConfigurationException wrong) {
      throw new ServletException(wrong.getMessage(), wrong);
    }
  }

  /** A kit of this filter's own, or that of the other one of two. */
  private LimiterKit own(FilterConfig config, String owner) {
    ServletContext context = config.getServletContext();
    Map<String, String> parameters = FilterParameters.of(config);
    Supplier<LimiterKit> building =
        () -> LimiterKit.fromParameters(owner, parameters, FilterParameters.locations(context));
    return phase == null ? building.get() : SharedKits.of(context).take(parameters, building);
  }

  private void started(FilterConfig config, LimiterKit with) {
    started = config;
    carriers(config.getServletContext()).add(owner(config), with);
    if (phase != Phase.BEFORE_AUTHENTICATION) {
      with.http().startSecondPhase();
    }
  }

  private static String owner(FilterConfig config) {
    return "filter \"" + config.getFilterName() + "\"";
  }

  /** Filters start one after the other, so that no two of them make it. */
  private static Carriers carriers(ServletContext context) {
    if (context.getAttribute(CARRIERS) instanceof Carriers present) {
      return present;
    }
    Carriers first = new Carriers();
    context.setAttribute(CARRIERS, first);
    return first;
  }

  @Override
  public final void destroy() {
    FilterConfig config = started;
    if (config != null) {
      carriers(config.getServletContext()).remove(owner(config));
    }
    LimiterKit own = kit;
    if (given == null && own != null) {
      if (phase == null || config == null) {
        own.close();
      } else {
        SharedKits.of(config.getServletContext()).giveBack(own);
      }
    }
  }

  @Override
  public final void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    FilterChain next = chain;
    if (request instanceof HttpServletRequest httpRequest
        && response instanceof HttpServletResponse httpResponse
        && !httpResponse.isCommitted()) {
      next = watched(chain, httpRequest);
      Verdict verdict = check(httpRequest, httpResponse);
      Refusal refusal = verdict.refusal();
      if (refusal != null) {
        if (Objects.requireNonNull(kit).http().usesErrorPage()) {
          httpResponse.sendError(refusal.status());
        } else {
          send(refusal, httpResponse);
        }
        return;
      }
      Reservation reservation = verdict.reservation();
      if (reservation != null) {
        new OutcomeWatch(reservation, httpResponse).follow(httpRequest, next);
        return;
      }
    }
    next.doFilter(request, response);
  }

  /** A chain that shows whether another filter asks what the first of two leaves to it. */
  private FilterChain watched(FilterChain chain, HttpServletRequest request) {
    if (phase != Phase.BEFORE_AUTHENTICATION) {
      return chain;
    }
    HttpRateLimiter limiter = Objects.requireNonNull(kit, "init was not called").http();
    FilterConfig config = started;
    return config != null && limiter.awaitsSecondPhase(new ServletRequestView(request))
        ? new FirstPhaseChain(chain, limiter, owner(config))
        : chain;
  }

  private Verdict check(HttpServletRequest request, HttpServletResponse response) {
    HttpRateLimiter limiter = Objects.requireNonNull(kit, "init was not called").http();
    RequestView view = new ServletRequestView(request);
    // To be told that there are none costs less than an empty collection of them.
    ResponseView said =
        name -> response.containsHeader(name) ? response.getHeaders(name) : List.of();
    switch (request.getDispatcherType()) {
      case REQUEST, FORWARD -> {
        Phase part = phase;
        Verdict verdict =
            part == null ? limiter.check(view, said) : limiter.check(view, said, part);
        set(verdict.fields(), response);
        return verdict;
      }
      case ERROR -> {
        // Too late to count, and Undertow has taken away what was set before an exception.
        set(limiter.fields(view, said, response.getStatus()), response);
        return Verdict.PASS;
      }
      default -> {
        return Verdict.PASS; // an include can set nothing, and async dispatches are too late
      }
    }
  }

  private static void set(List<Field> fields, HttpServletResponse response) {
    for (Field field : fields) {
      response.setHeader(field.name(), field.value());
    }
  }

  private static void send(Refusal refusal, HttpServletResponse response) throws IOException {
    response.resetBuffer(); // and not reset, which takes the fields of other filters away
    response.setStatus(refusal.status());
    response.setContentType(refusal.contentType());
    byte[] content = refusal.content();
    response.setContentLength(refusal.bodySent() ? content.length : refusal.contentLength());
    try {
      response.getOutputStream().write(content);
    } catch (IllegalStateException writerInUse) {
      if (refusal.bodySent()) {
        response.getWriter().write(refusal.body());
      }
    }
  }
}
