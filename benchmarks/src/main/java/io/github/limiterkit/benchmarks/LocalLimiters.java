package io.github.limiterkit.benchmarks;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.local.LocalLimiter;
import io.github.limiterkit.setup.LimiterKit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The contenders in memory, by name. Each has a limiter per key, as a server needs it, and is told
 * the key as text. A peer is asked in the cheapest way that it has, for a yes or a no; this kit
 * makes its whole answer, with what remains and how long to wait.
 */
final class LocalLimiters {

  /** Room for all keys and some more, so that nothing has to be evicted. */
  private static final double SPARE = 1.5;

  private static final Map<String, BiFunction<Quota, Integer, LocalContender>> MAKERS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(Contenders.KIT, LocalLimiters::kit),
              Map.entry("kit-facade", LocalLimiters::facade),
              Map.entry(Contenders.FLOOR, (quota, keys) -> floor()),
              Map.entry(Contenders.BUCKET4J, (quota, keys) -> LocalPeers.bucket4j(quota)),
              Map.entry(
                  "bucket4j-synchronized", (quota, keys) -> LocalPeers.bucket4jSynchronized(quota)),
              Map.entry(Contenders.GUAVA, (quota, keys) -> LocalPeers.guava(quota)),
              Map.entry("resilience4j", (quota, keys) -> LocalPeers.resilience4j(quota)),
              Map.entry(
                  "resilience4j-registry", (quota, keys) -> LocalPeers.resilience4jRegistry(quota)),
              Map.entry("tomcat-fast", (quota, keys) -> TomcatLimiter.fast(quota)),
              Map.entry("tomcat-exact", (quota, keys) -> TomcatLimiter.exact(quota)),
              Map.entry("jetty", (quota, keys) -> LocalPeers.jetty(quota))));

  private LocalLimiters() {}

  /** Everybody. */
  static List<String> all() {
    return List.copyOf(MAKERS.keySet());
  }

  /** Those that are to run in a scenario, this kit among them. */
  static List<String> chosen(Settings.Peers peers, String scenario) {
    return switch (peers) {
      case ALL -> all();
      case NEEDED -> namedBy(scenario).contains(Contenders.FASTEST) ? contenders() : few();
      case FEW -> few();
    };
  }

  /** All but those that are another one with something around it, and so never the fastest. */
  private static List<String> contenders() {
    return all().stream()
        .filter(name -> !name.equals("kit-facade") && !name.equals("resilience4j-registry"))
        .toList();
  }

  private static List<String> few() {
    return all().stream()
        .filter(
            name ->
                name.equals(Contenders.KIT)
                    || name.startsWith(Contenders.BUCKET4J)
                    || name.startsWith(Contenders.GUAVA))
        .toList();
  }

  private static List<String> namedBy(String scenario) {
    return Bar.ALL.stream()
        .filter(bar -> bar.scenario().equals(scenario))
        .flatMap(bar -> Stream.ofNullable(bar.peer()))
        .toList();
  }

  static LocalContender create(String name, Quota quota, int keys) {
    BiFunction<Quota, Integer, LocalContender> maker = MAKERS.get(name);
    if (maker == null) {
      throw new IllegalArgumentException("no contender is named " + name);
    }
    return maker.apply(quota, keys);
  }

  private static LocalContender kit(Quota quota, int keys) {
    Policy policy =
        Policy.named("bench").limits(List.of(new Limit(quota.permits(), quota.window()))).build();
    LocalLimiter limiter = new LocalLimiter(Ticker.system(), room(keys));
    return (key, sink) -> consumed(limiter.acquire(Charge.of(policy, key)), sink);
  }

  /** The same through the front door: the policy by its name, and every decision counted. */
  private static LocalContender facade(Quota quota, int keys) {
    HttpPolicy policy =
        HttpPolicy.named("bench")
            .limits(new Limit(quota.permits(), quota.window()).toString())
            .build();
    LimiterKit kit = LimiterKit.inMemory().maxKeys(room(keys)).policy(policy).build();
    return new LocalContender() {
      @Override
      public boolean admits(String key, Blackhole sink) {
        return consumed(kit.acquire("bench", key), sink);
      }

      @Override
      public void close() {
        kit.close();
      }
    };
  }

  private static LocalContender floor() {
    PerKey<String> map = new PerKey<>(key -> key);
    return (key, sink) -> {
      sink.consume(map.get(key));
      sink.consume(System.nanoTime());
      return true;
    };
  }

  private static boolean consumed(Decision decision, Blackhole sink) {
    // The whole answer leaves the method, as it does in an application.
    sink.consume(decision);
    return decision.allowed();
  }

  private static int room(int keys) {
    return (int) (keys * SPARE) + 1;
  }
}
