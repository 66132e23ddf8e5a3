package io.github.limiterkit.servlet;

import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Registers a {@link RateLimitFilter} in an application that asks for it by a context-param,
 * without any filter in its web.xml.
 *
 * <pre>{@code
 * <context-param><param-name>limiterkit.register</param-name><param-value>true</param-value></context-param>
 * <context-param>
 *   <param-name>limiterkit.config</param-name><param-value>/WEB-INF/limiter.yaml</param-value>
 * </context-param>
 * }</pre>
 *
 * <p>The filter is named {@code limiterkit}, is mapped to all paths after the filters that web.xml
 * declares, and is told the rest by context-params. Where nobody asks, nothing happens: the jar on
 * the class path alone limits nothing.
 */
public final class RateLimitInitializer implements ServletContainerInitializer {

  private static final String NAME = "limiterkit";

  /** For the container, which finds this class by itself. */
  public RateLimitInitializer() {}

  @Override
  public void onStartup(@Nullable Set<Class<?>> classes, ServletContext context)
      throws ServletException {
    String asked = context.getInitParameter(FilterParameters.REGISTER);
    if (asked == null || asked.strip().equals("false")) {
      return;
    }
    if (!asked.strip().equals("true")) {
      throw new ServletException(
          "context-param %s: there is no \"%s\" (true, false)"
              .formatted(FilterParameters.REGISTER, asked.strip()));
    }
    FilterRegistration.Dynamic registration = context.addFilter(NAME, new RateLimitFilter());
    if (registration == null) {
      throw new ServletException(
          "context-param %s: there is a filter named \"%s\" already; give that one another name"
              .formatted(FilterParameters.REGISTER, NAME));
    }
    RateLimitFilter.map(registration, null);
  }
}
