package io.github.limiterkit.benchmarks;

import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.servlet.RateLimitFilter;
import io.github.limiterkit.setup.LimiterKit;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.util.EnumSet;
import java.util.Map;
import org.eclipse.jetty.ee10.servlets.DoSFilter;

/** What stands before the servlet: a limiter for each client address, or nothing. */
enum HttpGuard {
  /** Nothing. */
  PLAIN("plain") {
    @Override
    void register(ServletContext context, boolean refuses) {}
  },

  /** This kit in memory, with one policy and its header fields. */
  KIT(Contenders.KIT) {
    @Override
    void register(ServletContext context, boolean refuses) throws ServletException {
      HttpPolicy policy =
          HttpPolicy.named("bench").limits(refuses ? "1/1h" : "1000000000/1m").build();
      LimiterKit kit = LimiterKit.inMemory().route("/*", policy).build();
      RateLimitFilter.register(context, "limits", kit);
    }
  },

  /** Jetty's, which is told to refuse at once and not to hold requests back. */
  JETTY("jetty-dosfilter") {
    @Override
    void register(ServletContext context, boolean refuses) {
      // Its memory grows with the number; so many requests a second do not come.
      String permits = refuses ? "1" : "200000";
      add(context, new DoSFilter(), Map.of("maxRequestsPerSec", permits, "delayMs", "-1"));
    }
  },

  /** Tomcat's, which shows no header fields unless it is told to. */
  TOMCAT("tomcat-ratelimit") {
    @Override
    void register(ServletContext context, boolean refuses) {
      addTomcats(context, refuses, false);
    }
  },

  /** Tomcat's with header fields, as this kit has them. */
  TOMCAT_WITH_HEADERS("tomcat-ratelimit-headers") {
    @Override
    void register(ServletContext context, boolean refuses) {
      addTomcats(context, refuses, true);
    }
  };

  private final String title;

  HttpGuard(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  abstract void register(ServletContext context, boolean refuses) throws ServletException;

  private static void addTomcats(ServletContext context, boolean refuses, boolean headers) {
    add(
        context,
        new org.apache.catalina.filters.RateLimitFilter(),
        Map.of(
            "bucketRequests", refuses ? "1" : "1000000000",
            "bucketDuration", refuses ? "3600" : "60",
            "exposeHeaders", String.valueOf(headers)));
  }

  private static void add(ServletContext context, Filter filter, Map<String, String> settings) {
    FilterRegistration.Dynamic added = context.addFilter("limits", filter);
    settings.forEach(added::setInitParameter);
    added.setAsyncSupported(true);
    added.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
  }
}
