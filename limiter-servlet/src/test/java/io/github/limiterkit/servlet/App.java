package io.github.limiterkit.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** An application in words that every container understands. */
final class App {

  final List<FilterSpec> filters = new ArrayList<>();
  final Map<String, HttpServlet> servlets = new LinkedHashMap<>();
  final Map<String, String> contextParams = new LinkedHashMap<>();
  final List<Object> listeners = new ArrayList<>();
  final List<ServletContainerInitializer> initializers = new ArrayList<>();
  String contextPath = "";
  String errorPage;

  /** A filter by instance, or by class, so that the container makes one and gives it parameters. */
  record FilterSpec(
      String name,
      Filter instance,
      Class<? extends Filter> type,
      Map<String, String> params,
      List<String> patterns,
      Set<DispatcherType> dispatches) {}

  /** What a handler does. */
  @FunctionalInterface
  interface Handler {
    void handle(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException;
  }

  App filter(String name, Filter filter, String... patterns) {
    return filter(name, filter, EnumSet.of(DispatcherType.REQUEST), patterns);
  }

  App filter(String name, Filter filter, Set<DispatcherType> dispatches, String... patterns) {
    List<String> where = patterns.length == 0 ? List.of("/*") : List.of(patterns);
    filters.add(new FilterSpec(name, filter, filter.getClass(), Map.of(), where, dispatches));
    return this;
  }

  App filter(String name, Class<? extends Filter> type, Map<String, String> params) {
    filters.add(
        new FilterSpec(
            name, null, type, params, List.of("/*"), EnumSet.of(DispatcherType.REQUEST)));
    return this;
  }

  App filter(String name, Filter filter, Map<String, String> params) {
    filters.add(
        new FilterSpec(
            name,
            filter,
            filter.getClass(),
            params,
            List.of("/*"),
            EnumSet.of(DispatcherType.REQUEST)));
    return this;
  }

  App servlet(String pattern, Handler handler) {
    servlets.put(pattern, new HandlerServlet(handler));
    return this;
  }

  App listener(Object listener) {
    listeners.add(listener);
    return this;
  }

  /** Runs while the application starts, as a user's own code does. */
  App onStart(Consumer<ServletContext> action) {
    initializers.add((classes, context) -> action.accept(context));
    return this;
  }

  App contextParam(String name, String value) {
    contextParams.put(name, value);
    return this;
  }

  App contextPath(String path) {
    contextPath = path;
    return this;
  }

  App errorPage(String path) {
    errorPage = path;
    return this;
  }

  /** Every method is one to handle. */
  static final class HandlerServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private final transient Handler handler;

    HandlerServlet(Handler handler) {
      this.handler = handler;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      handler.handle(request, response);
    }
  }

  /** Runs an application on a port of its choice. */
  @FunctionalInterface
  interface Container {
    Running start(App app) throws Exception;
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
