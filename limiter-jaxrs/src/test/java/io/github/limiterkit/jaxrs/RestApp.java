package io.github.limiterkit.jaxrs;

import jakarta.servlet.Filter;
import jakarta.ws.rs.core.Application;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** An application in words that every implementation understands; it is mounted at /api. */
final class RestApp extends Application {

  final List<Filter> servletFilters = new ArrayList<>();
  private final Set<Object> singletons = new LinkedHashSet<>();
  private final Set<Class<?>> classes = new LinkedHashSet<>();

  RestApp with(Object... resourcesAndProviders) {
    singletons.addAll(List.of(resourcesAndProviders));
    return this;
  }

  RestApp with(Class<?> type) {
    classes.add(type);
    return this;
  }

  RestApp behind(Filter filter) {
    servletFilters.add(filter);
    return this;
  }

  @Override
  @SuppressWarnings("deprecation") // but there is no other way that all implementations have
  public Set<Object> getSingletons() {
    return singletons;
  }

  @Override
  public Set<Class<?>> getClasses() {
    return classes;
  }

  /** Runs an application on a port of its choice. */
  @FunctionalInterface
  interface Server {
    Running start(RestApp app) throws Exception;
  }

  /** An application that runs. */
  record Running(int port, Stop stop) implements AutoCloseable {

    @Override
    public void close() {
      try {
        stop.stop();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Stops an application. */
  @FunctionalInterface
  interface Stop {
    void stop() throws Exception;
  }
}
