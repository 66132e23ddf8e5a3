package io.github.limiterkit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Looks for Jedis before anything of it is linked, so that its absence has a name. */
final class JedisVersion {

  private static final String NEEDED = "Jedis 5.2 or newer (redis.clients:jedis)";
  private static final String DESCRIPTION = "META-INF/maven/redis.clients/jedis/pom.properties";

  private JedisVersion() {}

  static void check() {
    ClassLoader loader = JedisVersion.class.getClassLoader();
    try {
      Class<?> connection = Class.forName("redis.clients.jedis.Connection", false, loader);
      // Came with 5.2: what is older would fail in the midst of a request.
      Class.forName("redis.clients.jedis.csc.CacheConnection", false, loader);
      connection.getMethod("getOne");
    } catch (ClassNotFoundException | NoSuchMethodException missing) {
      throw new IllegalStateException(
          "a Redis store needs " + NEEDED + " on the class path; found " + found(loader), missing);
    }
  }

  private static String found(ClassLoader loader) {
    try {
      Class.forName("redis.clients.jedis.Protocol", false, loader);
    } catch (ClassNotFoundException none) {
      return "none";
    }
    String version = version(loader);
    return version == null ? "a Jedis that does not tell its version" : "Jedis " + version;
  }

  /** What the library says of itself; its manifest does not name the version. Null if unknown. */
  static @Nullable String version(ClassLoader loader) {
    try (InputStream described = loader.getResourceAsStream(DESCRIPTION)) {
      if (described == null) {
        return null;
      }
      Properties properties = new Properties();
      properties.load(described);
      return properties.getProperty("version");
    } catch (IOException | IllegalArgumentException unreadable) {
      return null;
    }
  }
}
