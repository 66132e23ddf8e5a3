package io.github.limiterkit.setup;

import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Spelling;
import io.github.limiterkit.redis.RedisStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One inline policy, as a filter's init-params describe it, or the name of a file that says it all.
 * Every error is noted, so that somebody who has made three mistakes starts the server once more
 * and not three times.
 */
final class Parameters {

  private static final String CONFIG = "config";

  /** What the store's words are called here; the others have the same name. */
  private static final String STORE = "store";

  /** In the order in which the documentation shows them. */
  static final List<String> NAMES = names();

  /** Adapters take theirs out before. */
  static final List<String> WITH_THOSE_OF_ADAPTERS =
      Stream.concat(NAMES.stream(), Stream.of("phase")).toList();

  private final Map<String, String> values = new TreeMap<>();
  private final Errors errors;
  private final Blueprint kit = new Blueprint();

  private Parameters(String owner, Map<String, String> parameters) {
    errors = new Errors(owner);
    parameters.forEach(this::take);
  }

  /** Reads the parameters and builds the kit that they describe. */
  static RunningKit start(String owner, Map<String, String> parameters, ConfigLocations locations) {
    String config = parameters.get(CONFIG);
    if (config == null) {
      return new Parameters(owner, parameters).start();
    }
    refuseAllButConfig(owner, parameters);
    Blueprint kit = new Blueprint();
    String location = config.strip();
    Errors errors = new Errors(owner + ", config " + location, location);
    ConfigFile.read(() -> locations.open(location), kit, errors);
    return kit.start(errors);
  }

  /** What is in force is to be found in one place. */
  private static void refuseAllButConfig(String owner, Map<String, String> parameters) {
    Errors errors = new Errors(owner);
    for (String name : new TreeMap<>(parameters).keySet()) {
      if (!name.equals(CONFIG)) {
        errors.add("%s: has no effect beside config; write it into the file".formatted(name));
      }
    }
    if (!errors.none()) {
      throw errors.exception();
    }
  }

  private void take(String name, String value) {
    if (NAMES.contains(name)) {
      values.put(name, value.strip());
      return;
    }
    String meant = Spelling.didYouMean(name, WITH_THOSE_OF_ADAPTERS);
    errors.add(
        "there is no init-param \"%s\" (value \"%s\")%s"
            .formatted(name, shown(value), meant.isEmpty() ? "; there are: " + all() : meant));
  }

  private RunningKit start() {
    HttpPolicy policy = policy();
    if (policy != null) {
      kit.route("/*", policy);
    }
    for (KitSetting setting : KitSetting.values()) {
      set(
          setting.parameter(),
          text -> {
            List<String> each = setting.isList() ? Words.list(text) : List.of(text);
            each.forEach(value -> setting.set(kit, value));
          });
    }
    store();
    return kit.start(errors);
  }

  private @Nullable HttpPolicy policy() {
    String name = values.get("name");
    if (name == null) {
      errors.add("name: is missing; write a name such as per-client");
    }
    if (!values.containsKey(PolicySetting.LIMITS.word())) {
      errors.add("limits: is missing; write COUNT/TIME, as in 100/1m, 10/1s");
    }
    HttpPolicy.Builder named =
        errors.attempt("name", () -> HttpPolicy.named(Objects.requireNonNullElse(name, "unnamed")));
    // With a name that is wrong the settings are read all the same, for the sake of their errors.
    HttpPolicy.Builder policy = named == null ? HttpPolicy.named("unnamed") : named;
    String shown = named == null || name == null ? "unnamed" : name;
    int before = errors.count();
    for (PolicySetting setting : PolicySetting.values()) {
      set(setting.word(), text -> setting.set(policy, shown, text));
    }
    boolean whole =
        name != null && values.containsKey(PolicySetting.LIMITS.word()) && errors.count() == before;
    return whole ? errors.attempt("cost", () -> PolicySetting.build(policy, shown)) : null;
  }

  private void store() {
    if (values.getOrDefault(STORE, "").isEmpty()) {
      for (String dependent : needAStore()) {
        if (values.containsKey(dependent)) {
          errors.add(
              "%s: \"%s\" has no meaning without a store; add store, as in redis://localhost:6379"
                  .formatted(dependent, values.get(dependent)));
        }
      }
      return;
    }
    Map<String, String> settings = new LinkedHashMap<>();
    for (String word : StoreSettings.WORDS) {
      String value = values.get(storeParameter(word));
      if (value != null) {
        settings.put(word, value);
      }
    }
    RedisStore store = StoreSettings.read(settings, Parameters::storeParameter, errors);
    kit.store(store);
  }

  private static List<String> needAStore() {
    List<String> names = new ArrayList<>(List.of(StoreSettings.NAMESPACE, StoreSettings.DEADLINE));
    for (KitSetting setting : KitSetting.values()) {
      if (setting.needsStore()) {
        names.add(setting.parameter());
      }
    }
    return names;
  }

  private static String storeParameter(String word) {
    return word.equals(StoreSettings.URL) ? STORE : word;
  }

  private void set(String name, Consumer<String> setting) {
    String value = values.get(name);
    if (value != null) {
      errors.attempt(name, () -> setting.accept(value));
    }
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>(List.of("name"));
    names.addAll(PolicySetting.WORDS);
    StoreSettings.WORDS.forEach(word -> names.add(storeParameter(word)));
    names.addAll(KitSetting.PARAMETERS);
    names.add(CONFIG);
    return List.copyOf(names);
  }

  private static String all() {
    return String.join(", ", NAMES);
  }

  /** A misspelt {@code store} may hold a password. */
  private static String shown(String value) {
    return value.contains("://") ? "…" : value.strip();
  }
}
