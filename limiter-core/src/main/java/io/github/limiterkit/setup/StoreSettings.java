package io.github.limiterkit.setup;

import io.github.limiterkit.redis.RedisStore;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes the store out of the words that files and init-params have for it. */
final class StoreSettings {

  static final String URL = "url";
  static final String NAMESPACE = "namespace";
  static final String DEADLINE = "deadline";

  static final List<String> WORDS = List.of(URL, NAMESPACE, DEADLINE);

  private StoreSettings() {}

  /**
   * Reads them all, to tell of every mistake.
   *
   * @param settings value by word; with a URL
   * @param place what a word is called in messages
   * @return the store, perhaps not as wanted if there were errors
   */
  static RedisStore read(
      Map<String, String> settings, Function<String, String> place, Errors errors) {
    String url = settings.getOrDefault(URL, "");
    @Nullable RedisStore at = errors.attempt(place.apply(URL), () -> RedisStore.at(url));
    // Without a readable URL the other settings are tried on any, for the sake of their errors.
    RedisStore[] store = {at == null ? RedisStore.at("redis://localhost") : at};
    String namespace = settings.get(NAMESPACE);
    if (namespace != null) {
      errors.attempt(place.apply(NAMESPACE), () -> store[0] = store[0].namespace(namespace));
    }
    String deadline = settings.get(DEADLINE);
    if (deadline != null) {
      errors.attempt(
          place.apply(DEADLINE), () -> store[0] = store[0].deadline(Words.time(deadline)));
    }
    return store[0];
  }
}
