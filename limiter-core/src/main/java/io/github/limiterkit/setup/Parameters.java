package io.github.limiterkit.setup;

import io.github.limiterkit.Limit;
import io.github.limiterkit.http.HeaderMode;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Keys;
import io.github.limiterkit.http.Spelling;
import io.github.limiterkit.redis.RedisStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One inline policy, as a filter's init-params describe it. Every error is noted, so that somebody
 * who has made three mistakes starts the server once more and not three times.
 */
final class Parameters {

  /** In the order in which the documentation shows them. */
  static final List<String> NAMES =
      List.of(
          "name",
          "limits",
          "key",
          "cost",
          "status",
          "headers",
          "when-store-fails",
          "safety",
          "retry-after-hint",
          "exempt",
          "limiter-source",
          "store",
          "namespace",
          "deadline",
          "fleet-size",
          "max-in-flight",
          "slow",
          "failures-in-a-row",
          "failures-of-ten",
          "probe-first",
          "probe-longest",
          "max-keys");

  /** What has no meaning without a store. */
  private static final List<String> NEED_A_STORE =
      NAMES.subList(NAMES.indexOf("namespace"), NAMES.indexOf("max-keys"));

  private final Map<String, String> values = new TreeMap<>();
  private final Errors errors;

  private Parameters(String owner, Map<String, String> parameters) {
    errors = new Errors(owner);
    parameters.forEach(this::take);
  }

  /** Reads the parameters and builds the kit that they describe. */
  static LimiterKit build(String owner, Map<String, String> parameters) {
    return new Parameters(owner, parameters).build();
  }

  private void take(String name, String value) {
    if (NAMES.contains(name)) {
      values.put(name, value.strip());
      return;
    }
    String meant = Spelling.didYouMean(name, NAMES);
    errors.add(
        "there is no init-param \"%s\" (value \"%s\")%s"
            .formatted(name, shown(value), meant.isEmpty() ? "; there are: " + all() : meant));
  }

  private LimiterKit build() {
    LimiterKit.Builder builder = LimiterKit.builder();
    HttpPolicy policy = policy();
    if (policy != null) {
      builder.route("/*", policy);
    }
    set("exempt", text -> Words.list(text).forEach(builder::exempt));
    set("limiter-source", text -> builder.limiterSource(Words.truth(text)));
    degraded(builder);
    set("max-keys", text -> builder.maxKeys((int) Words.number(text, 1, Integer.MAX_VALUE)));
    RedisStore store = store();
    if (store != null) {
      builder.store(store);
    }
    return builder.build(errors);
  }

  private void degraded(LimiterKit.Builder builder) {
    set(
        "fleet-size",
        text -> builder.fleetSize((int) Words.number(text, 1, Blueprint.MOST_INSTANCES)));
    set(
        "max-in-flight",
        text -> builder.maxInFlight((int) Words.number(text, 1, Blueprint.MOST_CALLERS)));
    set("slow", text -> builder.slow(Words.time(text)));
    set("failures-in-a-row", text -> builder.failuresInARow(Words.count(text)));
    set("failures-of-ten", text -> builder.failuresOfTen(Words.count(text)));
    set("probe-first", text -> builder.probeFirst(Words.time(text)));
    set("probe-longest", text -> builder.probeLongest(Words.time(text)));
  }

  private @Nullable HttpPolicy policy() {
    String name = values.get("name");
    if (name == null) {
      errors.add("name: is missing; write a name such as per-client");
    }
    if (!values.containsKey("limits")) {
      errors.add("limits: is missing; write COUNT/TIME, as in 100/1m, 10/1s");
    }
    HttpPolicy.Builder policy =
        errors.attempt("name", () -> HttpPolicy.named(Objects.requireNonNullElse(name, "unnamed")));
    if (policy == null) {
      // The name is noted as wrong; the other settings are read all the same.
      policy = HttpPolicy.named("unnamed");
    }
    int before = errors.count();
    settings(policy);
    boolean whole = name != null && values.containsKey("limits") && errors.count() == before;
    return whole ? errors.attempt("cost", policy::build) : null;
  }

  private void settings(HttpPolicy.Builder policy) {
    set("limits", text -> limits(policy, Words.withoutLastComma(text)));
    set("key", text -> policy.key(Keys.parse(text)));
    set("cost", text -> policy.cost(Words.number(text, 1, Long.MAX_VALUE)));
    set("status", text -> policy.status((int) Words.number(text, 100, 599)));
    set("headers", text -> policy.headers(HeaderMode.parse(text)));
    set("when-store-fails", text -> policy.whenStoreFails(Words.posture(text)));
    set("safety", text -> policy.safety(Words.fraction(text)));
    set("retry-after-hint", text -> policy.retryAfterHint(Words.time(text)));
  }

  private static void limits(HttpPolicy.Builder policy, String text) {
    // Read on its own first, for a message without the policy's name, which the reader knows.
    Limit.parseList(text);
    policy.limits(text);
  }

  private @Nullable RedisStore store() {
    String url = values.get("store");
    if (url == null || url.isEmpty()) {
      for (String dependent : NEED_A_STORE) {
        if (values.containsKey(dependent)) {
          errors.add(
              "%s: \"%s\" has no meaning without a store; add store, as in redis://localhost:6379"
                  .formatted(dependent, values.get(dependent)));
        }
      }
      return null;
    }
    List<RedisStore> store = new ArrayList<>(1);
    set("store", text -> store.add(RedisStore.at(text)));
    // Without a readable URL the other settings are tried on any, for the sake of their errors.
    RedisStore[] built = {store.isEmpty() ? RedisStore.at("redis://localhost") : store.get(0)};
    set("namespace", text -> built[0] = built[0].namespace(text));
    set("deadline", text -> built[0] = built[0].deadline(Words.time(text)));
    return built[0];
  }

  private void set(String name, Consumer<String> setting) {
    String value = values.get(name);
    if (value != null) {
      errors.attempt(
          name,
          () -> {
            setting.accept(value);
            return value;
          });
    }
  }

  private static String all() {
    return String.join(", ", NAMES);
  }

  /** A misspelt {@code store} may hold a password. */
  private static String shown(String value) {
    return value.contains("://") ? "…" : value.strip();
  }
}
