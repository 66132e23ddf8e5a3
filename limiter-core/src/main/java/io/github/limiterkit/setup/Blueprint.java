package io.github.limiterkit.setup;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.degraded.DegradedLimiter;
import io.github.limiterkit.degraded.GateSettings;
import io.github.limiterkit.degraded.OperatorOverride;
import io.github.limiterkit.degraded.OverridingLimiter;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.HttpRateLimiter;
import io.github.limiterkit.http.RefusalBody;
import io.github.limiterkit.http.Route;
import io.github.limiterkit.http.address.AddressGrouping;
import io.github.limiterkit.http.address.Networks;
import io.github.limiterkit.http.address.TrustedProxies;
import io.github.limiterkit.http.answer.Dialect;
import io.github.limiterkit.http.answer.EpochClock;
import io.github.limiterkit.http.answer.LegacyFields;
import io.github.limiterkit.http.answer.PartitionKeys;
import io.github.limiterkit.metrics.DecisionCounters;
import io.github.limiterkit.metrics.KitMetrics;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.store.SharedStore;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What somebody wants, as far as they have said. Whoever starts it hears what is wrong with it. */
final class Blueprint {

  /**
   * How long a start may take with a store that does not answer: enough for one that does, in a
   * cold JVM too, and little enough for the whole to stay within a second.
   */
  private static final long LONGEST_START_NANOS = Duration.ofMillis(700).toNanos();

  static final int MOST_INSTANCES = 100_000;
  static final int MOST_CALLERS = 1_000_000;
  static final int MOST_KEYS = 100_000_000;

  private @Nullable RedisStore store;
  private @Nullable Integer fleetSize;
  private int maxInFlight = DegradedLimiter.DEFAULT_MAX_IN_FLIGHT;
  private final Map<String, UnaryOperator<GateSettings>> gate = new LinkedHashMap<>();
  private int maxKeys = 100_000;
  private Ticker ticker = Ticker.system();
  private boolean limiterSource;
  private Dialect dialect = Dialect.DRAFT_11;
  private LegacyFields legacy = LegacyFields.OFF;
  private boolean exposes;
  private Duration jitter = Duration.ZERO;
  private @Nullable RefusalBody body;
  private @Nullable URI quotaExceeded;
  private @Nullable URI reducedCapacity;
  private boolean enabled = true;
  private boolean jmx = true;
  private boolean shadow;
  private @Nullable Duration retryAfterMax;
  private final List<Rule> rules = new ArrayList<>();
  private final List<String> exempt = new ArrayList<>();
  private Networks allow = Networks.NONE;
  private Networks deny = Networks.NONE;
  private final ProxySettings proxies = new ProxySettings();
  private @Nullable TrustedProxies trusted;
  private int ipv4Prefix = AddressGrouping.DEFAULT.ipv4Prefix();
  private int ipv6Prefix = AddressGrouping.DEFAULT.ipv6Prefix();
  private Networks ipv4In = Networks.NONE;
  private boolean ignoresCase;
  private boolean errorPage;
  private boolean onlyClosest;
  private PartitionKeys partitionKeys = PartitionKeys.NONE;
  private final List<KitMetrics> metrics = new ArrayList<>();

  /** What is charged, and how it is added to the rules, which nobody has tried yet. */
  private record Rule(
      String place, List<HttpPolicy> policies, Consumer<HttpRateLimiter.Builder> adding) {}

  void store(RedisStore value) {
    store = Objects.requireNonNull(value, "store");
  }

  void fleetSize(int instances) {
    fleetSize = instances;
  }

  void maxInFlight(int callers) {
    maxInFlight = callers;
  }

  /**
   * Sets one number of the gates.
   *
   * @param word its name in the configuration, which the error begins with if it is out of range
   * @param number sets it
   */
  void gate(String word, UnaryOperator<GateSettings> number) {
    gate.put(word, number);
  }

  void maxKeys(int keys) {
    maxKeys = keys;
  }

  void ticker(Ticker value) {
    ticker = Objects.requireNonNull(value, "ticker");
  }

  void route(String text, HttpPolicy... charged) {
    Objects.requireNonNull(text, "route");
    List<HttpPolicy> policies = List.of(charged);
    rules.add(
        new Rule(
            "route \"" + text.strip() + "\"",
            policies,
            http -> http.route(text, policies.toArray(HttpPolicy[]::new))));
  }

  void route(Route route) {
    rules.add(new Rule("route \"" + route + "\"", route.policies(), http -> http.route(route)));
  }

  void policy(HttpPolicy... named) {
    for (HttpPolicy policy : named) {
      rules.add(
          new Rule(
              "policy \"" + policy.name() + "\"", List.of(policy), http -> http.policy(policy)));
    }
  }

  void exempt(String... paths) {
    exempt.addAll(List.of(paths));
  }

  void enabled(boolean value) {
    enabled = value;
  }

  void jmx(boolean value) {
    jmx = value;
  }

  void shadow(boolean value) {
    shadow = value;
  }

  void allow(Networks networks) {
    allow = allow.and(networks);
  }

  void deny(Networks networks) {
    deny = deny.and(networks);
  }

  ProxySettings proxies() {
    return proxies;
  }

  void trustedProxies(TrustedProxies value) {
    trusted = Objects.requireNonNull(value, "trustedProxies");
  }

  void ipv4Prefix(int bits) {
    ipv4Prefix = bits;
  }

  void ipv6Prefix(int bits) {
    ipv6Prefix = bits;
  }

  void ipv4In(Networks networks) {
    ipv4In = ipv4In.and(networks);
  }

  void ignoreCase(boolean ignored) {
    ignoresCase = ignored;
  }

  void errorPage(boolean used) {
    errorPage = used;
  }

  void onlyClosest(boolean only) {
    onlyClosest = only;
  }

  void partitionKeys(PartitionKeys keys) {
    partitionKeys = Objects.requireNonNull(keys, "partitionKeys");
  }

  void preflight(HttpPolicy... charged) {
    for (HttpPolicy policy : charged) {
      rules.add(
          new Rule(
              "preflight \"" + policy.name() + "\"",
              List.of(policy),
              http -> http.preflight(policy)));
    }
  }

  void limiterSource(boolean shown) {
    limiterSource = shown;
  }

  void dialect(Dialect value) {
    dialect = Objects.requireNonNull(value, "dialect");
  }

  void legacyFields(LegacyFields value) {
    legacy = Objects.requireNonNull(value, "legacyFields");
  }

  void exposeFields(boolean exposed) {
    exposes = exposed;
  }

  void jitter(Duration most) {
    jitter = Objects.requireNonNull(most, "jitter");
  }

  void refusalBody(RefusalBody writer) {
    body = Objects.requireNonNull(writer, "refusalBody");
  }

  void problemTypes(URI quota, URI capacity) {
    quotaExceeded = Objects.requireNonNull(quota, "quotaExceeded");
    reducedCapacity = Objects.requireNonNull(capacity, "reducedCapacity");
  }

  void retryAfterMax(Duration longest) {
    retryAfterMax = Objects.requireNonNull(longest, "retryAfterMax");
  }

  void metrics(KitMetrics value) {
    metrics.add(Objects.requireNonNull(value, "metrics"));
  }

  /** Notes what is wrong, and starts nothing. */
  void check(Errors errors) {
    ranges(errors);
    gates(errors);
    rules(Blueprint::nobody, errors);
  }

  /**
   * Starts what was described.
   *
   * @throws LimiterConfigurationException if anything is wrong; nothing runs then
   */
  RunningKit start(Errors errors) {
    long until = System.nanoTime() + LONGEST_START_NANOS;
    ranges(errors);
    GateSettings gates = gates(errors);
    StoreWatch watch = new StoreWatch(ticker);
    Engine engine = errors.none() ? errors.attempt("store", () -> engine(watch, gates)) : null;
    OperatorOverride override = new OperatorOverride(ticker);
    RateLimiter limiter =
        engine == null
            ? Blueprint::nobody
            : new OverridingLimiter(engine.limiter(), engine.alone(), override);
    RedisStore used = store;
    AttackLog attacks =
        new AttackLog(ticker, used == null ? KeyHash::of : used::hashOf, triedOut());
    DecisionCounters decisions = new DecisionCounters(limiter, names(), attacks::refused);
    HttpRateLimiter http = rules(decisions, errors);
    if (engine == null || http == null || !errors.none()) {
      if (engine != null) {
        engine.close();
      }
      throw errors.exception();
    }
    RunningKit kit = new RunningKit(engine, override, decisions, http, watch, attacks);
    kit.start(metrics, jmx, new StartBlock(this.store, fleetSize, http, exempt), until);
    return kit;
  }

  private void ranges(Errors errors) {
    inRange(errors, "fleetSize", fleetSize == null ? 1 : fleetSize, MOST_INSTANCES);
    inRange(errors, "maxInFlight", maxInFlight, MOST_CALLERS);
    inRange(errors, "maxKeys", maxKeys, MOST_KEYS);
  }

  private GateSettings gates(Errors errors) {
    GateSettings[] gates = {GateSettings.defaults()};
    gate.forEach((word, number) -> errors.attempt(word, () -> gates[0] = number.apply(gates[0])));
    RedisStore used = store;
    if (used != null) {
      errors.attempt(
          "degraded",
          () -> {
            gates[0].requireFits(used.deadline());
            return gates[0];
          });
    }
    return gates[0];
  }

  private Engine engine(StoreWatch watch, GateSettings gates) {
    if (store == null || !enabled) {
      return new LocalEngine(ticker, maxKeys);
    }
    SharedStore opened = store.open();
    return new StoreEngine(
        opened,
        DegradedLimiter.over(opened)
            .fleetSize(fleetSize == null ? 1 : fleetSize)
            .maxInFlight(maxInFlight)
            .gate(gates)
            .maxKeys(maxKeys)
            .ticker(ticker)
            .listener(watch)
            .build());
  }

  private @Nullable HttpRateLimiter rules(RateLimiter limiter, Errors errors) {
    HttpRateLimiter.Builder http =
        HttpRateLimiter.over(limiter)
            .enabled(enabled)
            .shadow(shadow)
            .sourceField(limiterSource)
            .ticker(ticker);
    answers(http, errors);
    for (Rule rule : rules) {
      errors.attempt(rule.place(), () -> rule.adding().accept(http));
    }
    for (String path : exempt) {
      errors.attempt("exempt \"" + path.strip() + "\"", () -> http.exempt(path));
    }
    http.allow(allow).deny(deny);
    http.ignoreCase(ignoresCase).errorPage(errorPage);
    errors.attempt(
        "client-address",
        () -> http.clientAddress(new AddressGrouping(ipv4Prefix, ipv6Prefix, ipv4In)));
    TrustedProxies believed =
        trusted == null ? errors.attempt("trusted-proxies", proxies::build) : trusted;
    if (believed != null) {
      http.trustedProxies(believed);
    }
    if (rules.isEmpty() && errors.none()) {
      errors.add("there is no policy; add route(\"/*\", policy) or policy(policy)");
    }
    return errors.attempt("policies", http::build);
  }

  private void answers(HttpRateLimiter.Builder http, Errors errors) {
    http.dialect(dialect).legacyFields(legacy, EpochClock.system()).exposeFields(exposes);
    http.onlyClosest(onlyClosest).partitionKeys(partitionKeys);
    errors.attempt(
        "jitter",
        () -> http.jitter(jitter, most -> ThreadLocalRandom.current().nextLong(most + 1)));
    Duration longest = retryAfterMax;
    if (longest != null) {
      errors.attempt("retryAfterMax", () -> http.retryAfterMax(longest));
    }
    if (body != null) {
      http.refusalBody(body);
    }
    if (quotaExceeded != null && reducedCapacity != null) {
      http.problemTypes(quotaExceeded, reducedCapacity);
    }
  }

  private Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    for (Rule rule : rules) {
      rule.policies().forEach(policy -> names.add(policy.name()));
    }
    return names;
  }

  /** Those that count and refuse nobody. */
  private Set<String> triedOut() {
    Set<String> names = new LinkedHashSet<>();
    for (Rule rule : rules) {
      for (HttpPolicy policy : rule.policies()) {
        if (shadow || policy.shadow()) {
          names.add(policy.name());
        }
      }
    }
    return names;
  }

  private static Decision nobody(List<Charge> charges) {
    throw new IllegalStateException("a kit that was not built decides nothing");
  }

  private static void inRange(Errors errors, String place, int value, int most) {
    if (value < 1 || value > most) {
      errors.add("%s: %d is outside 1 to %d".formatted(place, value, most));
    }
  }
}
