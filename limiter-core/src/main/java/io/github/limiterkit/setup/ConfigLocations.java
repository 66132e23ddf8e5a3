package io.github.limiterkit.setup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds the file that an init-param {@code config} names, for adapters whose framework has places
 * of its own.
 *
 * <p>Implementations are asked once, while a kit is built.
 */
@FunctionalInterface
public interface ConfigLocations {

  /** What stands before the name of a file on the class path. */
  String CLASSPATH = "classpath:";

  /**
   * Opens a file.
   *
   * @param location as it is configured
   * @return its bytes, closed by the caller; null if there is no such file
   * @throws IOException if it cannot be read
   */
  @Nullable InputStream open(String location) throws IOException;

  /**
   * Finds {@code classpath:limiter.yaml} on a class path, and everything else in the file system.
   *
   * @param loader of the class path
   * @return the locations
   */
  static ConfigLocations standard(ClassLoader loader) {
    return location -> {
      if (location.startsWith(CLASSPATH)) {
        String name = location.substring(CLASSPATH.length());
        return loader.getResourceAsStream(name.startsWith("/") ? name.substring(1) : name);
      }
      try {
        return Files.newInputStream(Path.of(location));
      } catch (NoSuchFileException | InvalidPathException absent) {
        return null;
      }
    };
  }
}
