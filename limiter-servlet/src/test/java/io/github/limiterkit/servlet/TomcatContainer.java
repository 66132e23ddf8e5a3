package io.github.limiterkit.servlet;

import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.Wrapper;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** Tomcat 10.1, or 11 where that is on the class path. */
final class TomcatContainer implements App.Container {

  // Tomcat logs through java.util.logging, and its start and stop are no news here.
  private static final Logger QUIET = Logger.getLogger("org.apache");

  @Override
  public App.Running start(App app) throws Exception {
    return start(
        (tomcat, base) -> {
          Context context = tomcat.addContext(app.contextPath, base.toString());
          configure(context, app);
          return context;
        });
  }

  static void configure(Context context, App app) {
    app.contextParams.forEach(context::addParameter);
    for (Object listener : app.listeners) {
      ((StandardContext) context).addApplicationEventListener(listener);
    }
    app.initializers.forEach(
        initializer -> context.addServletContainerInitializer(initializer, Set.of()));
    for (App.FilterSpec filter : app.filters) {
      FilterDef definition = new FilterDef();
      definition.setFilterName(filter.name());
      definition.setFilterClass(filter.type().getName());
      if (filter.instance() != null) {
        definition.setFilter(filter.instance());
      }
      definition.setAsyncSupported("true");
      filter.params().forEach(definition::addInitParameter);
      context.addFilterDef(definition);
      for (String pattern : filter.patterns()) {
        FilterMap map = new FilterMap();
        map.setFilterName(filter.name());
        map.addURLPattern(pattern);
        for (DispatcherType type : filter.dispatches()) {
          map.setDispatcher(type.name());
        }
        context.addFilterMap(map);
      }
    }
    // Without it a filter does not run for paths that nothing is mapped to.
    add(context, "default", new DefaultServlet(), "/");
    app.servlets.forEach((pattern, servlet) -> add(context, "at " + pattern, servlet, pattern));
    if (app.errorPage != null) {
      ErrorPage page = new ErrorPage();
      page.setLocation(app.errorPage);
      context.addErrorPage(page);
    }
  }

  private static void add(
      Context context, String name, jakarta.servlet.Servlet servlet, String pattern) {
    Wrapper wrapper = Tomcat.addServlet(context, name, servlet);
    wrapper.setAsyncSupported(true);
    wrapper.addMapping(pattern);
  }

  /** Puts an application into a Tomcat whose folder is this one. */
  interface Deployment {
    Context deploy(Tomcat tomcat, Path base) throws Exception;
  }

  static App.Running start(Deployment deployment) throws Exception {
    QUIET.setLevel(Level.OFF);
    Path base = Files.createTempDirectory("tomcat");
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(base.toString());
    tomcat.setPort(0);
    tomcat.getConnector().addUpgradeProtocol(new Http2Protocol());
    tomcat.getHost().setAutoDeploy(false);
    Context context = deployment.deploy(tomcat, base);
    App.Stop stop =
        () -> {
          tomcat.stop();
          tomcat.destroy();
          delete(base);
        };
    tomcat.start();
    if (context.getState() != LifecycleState.STARTED) {
      stop.stop();
      throw new IllegalStateException("the application did not start");
    }
    return new App.Running(tomcat.getConnector().getLocalPort(), stop);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
