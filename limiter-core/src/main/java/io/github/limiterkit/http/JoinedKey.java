package io.github.limiterkit.http;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Several keys as one: who has all of them in common is one client. */
record JoinedKey(List<KeyResolver> parts) implements KeyResolver {

  JoinedKey {
    parts = List.copyOf(parts);
  }

  @Override
  public @Nullable String resolve(RequestView request) {
    List<String> found = new ArrayList<>(parts.size());
    for (KeyResolver part : parts) {
      String key = part.resolve(request);
      if (key == null || key.isEmpty()) {
        return null;
      }
      found.add(key);
    }
    return join(found);
  }

  /** No two lists of keys give the same text: in the parts a plus sign is written otherwise. */
  static String join(List<String> keys) {
    return keys.stream()
        .map(key -> key.replace("%", "%25").replace("+", "%2B"))
        .collect(Collectors.joining("+", "all:", ""));
  }

  @Override
  public boolean needsPrincipal() {
    return parts.stream().anyMatch(KeyResolver::needsPrincipal);
  }

  @Override
  public String toString() {
    return parts.stream().map(Keys::describe).collect(Collectors.joining(" + "));
  }
}
