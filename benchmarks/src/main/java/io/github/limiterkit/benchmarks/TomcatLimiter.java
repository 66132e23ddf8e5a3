package io.github.limiterkit.benchmarks;

import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import java.lang.reflect.Proxy;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.catalina.util.ExactRateLimiter;
import org.apache.catalina.util.FastRateLimiter;
import org.apache.catalina.util.RateLimiter;
import org.openjdk.jmh.infra.Blackhole;

/** Tomcat's counters of fixed windows, asked as Tomcat's own filter asks them. */
final class TomcatLimiter implements LocalContender {

  private final RateLimiter limiter;
  private final ScheduledExecutorService executor;
  private final int requests;

  private TomcatLimiter(RateLimiter limiter, Quota quota) {
    this.limiter = limiter;
    this.executor = Executors.newSingleThreadScheduledExecutor(TomcatLimiter::daemon);
    limiter.setDuration((int) quota.window().toSeconds());
    limiter.setRequests(quota.intPermits());
    limiter.setFilterConfig(config(executor));
    // The fast one rounds the window to a power of two, and the number of requests with it.
    this.requests = limiter.getRequests();
  }

  static LocalContender fast(Quota quota) {
    return new TomcatLimiter(new FastRateLimiter(), quota);
  }

  static LocalContender exact(Quota quota) {
    return new TomcatLimiter(new ExactRateLimiter(), quota);
  }

  @Override
  public boolean admits(String key, Blackhole sink) {
    return limiter.increment(key) <= requests;
  }

  @Override
  public void close() {
    limiter.destroy();
    executor.shutdownNow();
  }

  /** Of all that a container offers, the limiters ask only for its executor. */
  private static FilterConfig config(ScheduledExecutorService executor) {
    ServletContext context =
        fake(ServletContext.class, name -> name.equals("getAttribute") ? executor : null);
    return fake(FilterConfig.class, name -> name.equals("getServletContext") ? context : null);
  }

  private static <T> T fake(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.to(method.getName())));
  }

  /** Answers by the name of the method. */
  @FunctionalInterface
  private interface Answers {
    @org.jspecify.annotations.Nullable
    Object to(String method);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "tomcat-limiter");
    thread.setDaemon(true);
    return thread;
  }
}
