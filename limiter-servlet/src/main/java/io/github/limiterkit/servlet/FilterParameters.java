package io.github.limiterkit.servlet;

import io.github.limiterkit.setup.ConfigLocations;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What web.xml says about a filter: its own init-params, and context-params for what it leaves out.
 */
final class FilterParameters {

  /** Context-params are shared by everything in an application, so that ours name their kind. */
  static final String PREFIX = "limiterkit.";

  private FilterParameters() {}

  static Map<String, String> of(FilterConfig config) {
    Map<String, String> parameters = new TreeMap<>();
    ServletContext context = config.getServletContext();
    for (String name : Collections.list(context.getInitParameterNames())) {
      if (name.startsWith(PREFIX)) {
        parameters.put(name.substring(PREFIX.length()), context.getInitParameter(name));
      }
    }
    parameters.putAll(own(config));
    return parameters;
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
