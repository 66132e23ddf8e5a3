package io.github.limiterkit.http;

import org.jspecify.annotations.Nullable;

/** Reads one cookie out of the {@code Cookie} field, without a container's help. */
final class Cookies {

  private Cookies() {}

  /** The value of a cookie; null if it is not there, or there twice, which names nobody. */
  static @Nullable String value(RequestView request, String name) {
    String found = null;
    for (String line : request.headers("Cookie")) {
      for (int from = 0; from <= line.length(); ) {
        int semicolon = line.indexOf(';', from);
        int to = semicolon < 0 ? line.length() : semicolon;
        int equals = line.indexOf('=', from);
        if (equals >= 0 && equals < to && line.substring(from, equals).strip().equals(name)) {
          if (found != null) {
            return null;
          }
          found = line.substring(equals + 1, to).strip();
        }
        from = to + 1;
      }
    }
    return found;
  }
}
