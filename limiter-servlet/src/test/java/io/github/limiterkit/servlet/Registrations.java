package io.github.limiterkit.servlet;

import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.EnumSet;
import java.util.EventListener;

/** Puts an application into a context that starts, by nothing but the servlet API. */
final class Registrations {

  private Registrations() {}

  static void register(App app, ServletContext context) {
    app.listeners.forEach(listener -> context.addListener((EventListener) listener));
    app.filters.forEach(filter -> register(filter, context));
    app.servlets.forEach(
        (pattern, servlet) -> {
          ServletRegistration.Dynamic registration = context.addServlet("at " + pattern, servlet);
          registration.setAsyncSupported(true);
          registration.addMapping(pattern);
        });
  }

  private static void register(App.FilterSpec filter, ServletContext context) {
    FilterRegistration.Dynamic registration =
        filter.instance() == null
            ? context.addFilter(filter.name(), filter.type())
            : context.addFilter(filter.name(), filter.instance());
    registration.setAsyncSupported(true);
    registration.setInitParameters(filter.params());
    registration.addMappingForUrlPatterns(
        EnumSet.copyOf(filter.dispatches()), true, filter.patterns().toArray(String[]::new));
  }
}
