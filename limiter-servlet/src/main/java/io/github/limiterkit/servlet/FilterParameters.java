package io.github.limiterkit.servlet;

import io.github.limiterkit.http.Phase;
import io.github.limiterkit.setup.ConfigLocations;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What web.xml says about a filter: its own init-params, and context-params for what it leaves out.
 */
final class FilterParameters {

  /** Context-params are shared by everything in an application, so that ours name their kind. */
  static final String PREFIX = "limiterkit.";

  /** For the one who registers the filter, and not for the filter. */
  static final String REGISTER = PREFIX + "register";

  private static final String PHASE = "phase";

  private FilterParameters() {}

  static Map<String, String> of(FilterConfig config) {
    Map<String, String> parameters = new TreeMap<>();
    ServletContext context = config.getServletContext();
    for (String name : Collections.list(context.getInitParameterNames())) {
      if (name.startsWith(PREFIX) && !name.equals(REGISTER)) {
        parameters.put(name.substring(PREFIX.length()), context.getInitParameter(name));
      }
    }
    parameters.putAll(own(config));
    parameters.remove(PHASE);
    return parameters;
  }

  /** Which of two filters this is; null if there is but one. */
  static @Nullable Phase phase(FilterConfig config) {
    String word = config.getInitParameter(PHASE);
    return word == null ? null : Phase.parse(word.strip());
  }

  /**
   * Where a filter's file is: in the application ({@code /WEB-INF/limiter.yaml}), on its class path
   * ({@code classpath:limiter.yaml}), or in the file system.
   */
  static ConfigLocations locations(ServletContext context) {
    ConfigLocations elsewhere = ConfigLocations.standard(context.getClassLoader());
    return location ->
        location.startsWith("/WEB-INF/")
            ? context.getResourceAsStream(location)
            : elsewhere.open(location);
  }

  static Map<String, String> own(FilterConfig config) {
    Map<String, String> parameters = new TreeMap<>();
    for (String name : Collections.list(config.getInitParameterNames())) {
      parameters.put(name, config.getInitParameter(name));
    }
    return parameters;
  }
}
