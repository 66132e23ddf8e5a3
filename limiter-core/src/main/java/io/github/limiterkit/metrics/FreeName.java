package io.github.limiterkit.metrics;

import java.util.function.Consumer;

/** Finds a name that a registry still has room for. */
final class FreeName {

  private static final int MOST = 1_000;

  private FreeName() {}

  /**
   * Tries {@code name}, {@code name-2}, {@code name-3} and so on. The registry itself says what is
   * taken, so that two kits that are built at the same time cannot both get a name.
   *
   * @param register throws {@link IllegalArgumentException} if the name is taken
   */
  static String claim(String name, Consumer<String> register) {
    for (int i = 1; i < MOST; i++) {
      String candidate = i == 1 ? name : name + "-" + i;
      try {
        register.accept(candidate);
        return candidate;
      } catch (IllegalArgumentException taken) {
        // The next one then.
      }
    }
    throw new IllegalStateException(
        "the registry has %d kits under \"%s\" already; are they ever closed?"
            .formatted(MOST, name));
  }
}
