package io.github.limiterkit.http;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The first of two keys that a request has. */
record FirstKey(KeyResolver first, KeyResolver other) implements KeyResolver {

  FirstKey {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(other, "other");
  }

  @Override
  public @Nullable String resolve(RequestView request) {
    String key = first.resolve(request);
    return key == null || key.isEmpty() ? other.resolve(request) : key;
  }

  @Override
  public boolean needsPrincipal() {
    return first.needsPrincipal() || other.needsPrincipal();
  }

  @Override
  public String toString() {
    return Keys.describe(first) + ", else " + Keys.describe(other);
  }
}
