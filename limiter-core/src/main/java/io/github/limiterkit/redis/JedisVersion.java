package io.github.limiterkit.redis;

/** Looks for Jedis before anything of it is linked, so that its absence has a name. */
final class JedisVersion {

  private static final String NEEDED = "Jedis 5.2 or newer (redis.clients:jedis)";

  private JedisVersion() {}

  static void check() {
    ClassLoader loader = JedisVersion.class.getClassLoader();
    try {
      Class<?> connection = Class.forName("redis.clients.jedis.Connection", false, loader);
      // Came with 5.2, and the kit's own configuration of a connection depends on it.
      Class.forName("redis.clients.jedis.authentication.AuthXManager", false, loader);
      connection.getMethod("getOne");
    } catch (ClassNotFoundException | NoSuchMethodException missing) {
      throw new IllegalStateException(
          "a Redis store needs " + NEEDED + " on the class path; found " + found(loader), missing);
    }
  }

  private static String found(ClassLoader loader) {
    try {
      Package jedis = Class.forName("redis.clients.jedis.Protocol", false, loader).getPackage();
      String version = jedis.getImplementationVersion();
      return version == null ? "a Jedis that does not tell its version" : "Jedis " + version;
    } catch (ClassNotFoundException none) {
      return "none";
    }
  }
}
