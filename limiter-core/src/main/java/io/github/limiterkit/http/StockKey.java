package io.github.limiterkit.http;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A resolver of ours.
 *
 * @param words how the configuration writes it
 * @param needsPrincipal whether it looks at the authenticated user
 * @param key finds the key
 */
record StockKey(String words, boolean needsPrincipal, Function<RequestView, @Nullable String> key)
    implements KeyResolver {

  @Override
  public @Nullable String resolve(RequestView request) {
    return key.apply(request);
  }

  @Override
  public String toString() {
    return words;
  }
}
