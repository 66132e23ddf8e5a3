package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.GcFinalization;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RedisServer;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An application that is deployed and undeployed, with the kit and Jedis among its own jars. */
class K35RedeployIT {

  private static final int TIMES = 20;

  @Test
  @Tag("deep")
  @DisplayName("ST-087 twenty times deployed and undeployed, no class loader is held")
  void letsGoOfTheApplicationsClassLoader() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
      for (int i = 0; i < TIMES; i++) {
        loaders.add(deployUseAndUndeploy(redis.url()));
      }

      // All but the last, which a cache of the JVM may still know.
      for (WeakReference<ClassLoader> loader : loaders.subList(0, TIMES - 1)) {
        GcFinalization.awaitClear(loader);
      }
      assertThat(Thread.getAllStackTraces().keySet())
          .extracting(Thread::getName)
          .noneMatch(name -> name.startsWith("limiterkit-"));
    }
  }

  private static WeakReference<ClassLoader> deployUseAndUndeploy(String url) throws Exception {
    try (URLClassLoader application =
        new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      Thread.currentThread().setContextClassLoader(application);
      Class<?> main = Class.forName(Application.class.getName(), true, application);
      assertThat(main).isNotEqualTo(Application.class);
      main.getMethod("run", String.class).invoke(null, url);
      return new WeakReference<>(application);
    } finally {
      Thread.currentThread().setContextClassLoader(K35RedeployIT.class.getClassLoader());
    }
  }

  private static URL[] classPath() throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /** What runs inside the application's class loader. */
  public static final class Application {

    private Application() {}

    /** Builds a kit, uses it and closes it. */
    public static void run(String url) {
      HttpPolicy policy = HttpPolicy.named("hello").limits("5/10s").build();
      try (LimiterKit kit =
          LimiterKit.builder().store(RedisStore.at(url)).fleetSize(1).route("/*", policy).build()) {
        kit.acquire("hello", "user:ada");
      }
    }
  }
}
