package io.github.limiterkit.servlet;

import static io.github.limiterkit.testing.RawHttp.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import com.google.common.base.Preconditions;
import com.google.common.util.concurrent.internal.InternalFutureFailureAccess;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import redis.clients.jedis.Connection;

/** An application that brings the kit along, and leaves nothing behind in a Tomcat that runs on. */
class TomcatUndeployIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final String WEB_XML =
      """
      <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true">
        <filter>
          <filter-name>limits</filter-name>
          <filter-class>io.github.limiterkit.servlet.RateLimitFilter</filter-class>
          <async-supported>true</async-supported>
          <init-param><param-name>config</param-name><param-value>/WEB-INF/limiter.yaml</param-value></init-param>
        </filter>
        <filter-mapping>
          <filter-name>limits</filter-name>
          <url-pattern>/*</url-pattern>
        </filter-mapping>
        <servlet>
          <servlet-name>hello</servlet-name>
          <servlet-class>io.github.limiterkit.servlet.HelloServlet</servlet-class>
          <async-supported>true</async-supported>
        </servlet>
        <servlet-mapping>
          <servlet-name>hello</servlet-name>
          <url-pattern>/*</url-pattern>
        </servlet-mapping>
      </web-app>
      """;

  @TempDir private Path folder;

  private Tomcat tomcat;

  @Test
  @DisplayName(
      "HT-151: no thread, no thread-local, no bean and no class is left after undeployment")
  void leavesNothingBehind() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      write(redis.url());
      Set<Thread> threads = threads();
      Set<String> beans = beans();
      try (App.Running running =
          TomcatContainer.start(
              (server, base) -> {
                tomcat = server;
                server.setAddDefaultWebXmlToWebapp(false);
                Context context = server.addWebapp("", folder.toString());
                ((StandardJarScanner) context.getJarScanner()).setScanClassPath(false);
                // Or Tomcat would end the threads that have served it, and what they hold.
                ((StandardContext) context).setRenewThreadsWhenStoppingContext(false);
                return context;
              })) {
        for (int i = 0; i < 3; i++) {
          assertThat(get(running.port(), "/").status()).isEqualTo(i < 2 ? 200 : 429);
          assertThat(get(running.port(), "/login").status()).isEqualTo(200);
        }
        Set<Thread> started = threads();
        started.removeAll(threads);
        assertThat(started).isNotEmpty();

        WeakReference<ClassLoader> loader = undeploy();

        await().atMost(PATIENCE).until(() -> started.stream().noneMatch(Thread::isAlive));
        started.clear(); // a thread that has ended keeps its class loader as long as it is held
        assertThat(beans()).isEqualTo(beans);
        useAnotherRecord();
        await("the classes of the application")
            .atMost(PATIENCE)
            .until(
                () -> {
                  System.gc();
                  return loader.get() == null;
                });
      }
    }
  }

  /**
   * Java 17 itself remembers the record whose methods it has made last (java.lang.runtime's
   * ObjectMethods), with its class loader, until there is another; this is another.
   */
  private static void useAnotherRecord() {
    Another one = new Another("a", 1, 2, List.of(), true);
    assertThat(one).isEqualTo(new Another("a", 1, 2, List.of(), true)).hasToString(one.toString());
    assertThat(one.hashCode()).isEqualTo(new Another("a", 1, 2, List.of(), true).hashCode());
  }

  private record Another(Object any, long number, int count, List<String> list, boolean truth) {}

  /** In a method of its own, so that no variable of the test holds what is to go. */
  private WeakReference<ClassLoader> undeploy() throws ClassNotFoundException {
    Context context = (Context) tomcat.getHost().findChildren()[0];
    ClassLoader loader = context.getLoader().getClassLoader();
    for (Class<?> type : List.of(LimiterKit.class, RateLimitFilter.class, Connection.class)) {
      assertThat(loader.loadClass(type.getName()).getClassLoader()).isSameAs(loader);
    }
    tomcat.getHost().removeChild(context);
    return new WeakReference<>(loader);
  }

  private void write(String redis) throws IOException {
    Path inf = Files.createDirectories(folder.resolve("WEB-INF"));
    Files.createDirectories(inf.resolve("lib"));
    Files.writeString(inf.resolve("web.xml"), WEB_XML);
    Files.writeString(
        inf.resolve("limiter.yaml"),
        """
        store: { url: "%s", deadline: 2s }
        policies:
          per-client: { limits: 2/1h }
          login: { limits: 5/1h, count: failures }
        routes:
          - { path: /, policies: [per-client] }
          - { path: /login, policies: [login] }
        """
            .formatted(redis));
    for (Class<?> type :
        List.of(
            RateLimitFilter.class,
            HelloServlet.class,
            LimiterKit.class,
            Preconditions.class,
            InternalFutureFailureAccess.class,
            Load.class,
            Connection.class,
            MetricRegistry.class)) {
      bring(Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()), inf);
    }
  }

  /** Puts what holds a class into the application: a folder of classes, or a jar. */
  private static void bring(Path from, Path inf) throws IOException {
    if (!Files.isDirectory(from)) {
      Files.copy(from, inf.resolve("lib").resolve(from.getFileName()));
      return;
    }
    try (Stream<Path> files = Files.walk(from)) {
      files.filter(Files::isRegularFile).forEach(file -> copy(from, file, inf));
    }
  }

  private static void copy(Path from, Path file, Path inf) {
    try {
      Path to = inf.resolve("classes").resolve(from.relativize(file).toString());
      Files.createDirectories(to.getParent());
      Files.copy(file, to);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The threads of kits. */
  private static Set<Thread> threads() {
    Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    threads.removeIf(thread -> !thread.getName().startsWith("limiterkit-"));
    return threads;
  }

  private static Set<String> beans() {
    return ManagementFactory.getPlatformMBeanServer().queryNames(null, null).stream()
        .map(Object::toString)
        .filter(name -> name.contains("limiter"))
        .collect(Collectors.toSet());
  }
}
