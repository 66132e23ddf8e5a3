package io.github.limiterkit.setup;

import io.github.limiterkit.degraded.GateSettings;
import io.github.limiterkit.http.address.Networks;
import io.github.limiterkit.http.address.TrustedProxies;
import io.github.limiterkit.http.answer.LegacyFields;
import io.github.limiterkit.http.answer.PartitionKeys;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * The settings of a kit beside its policies, by the words that files and init-params have for them.
 */
enum KitSetting {
  ENABLED("enabled", "enabled", false, (kit, text) -> kit.enabled(Words.truth(text))),
  JMX("jmx", "jmx", false, (kit, text) -> kit.jmx(Words.truth(text))),
  /** The only policy of an init-param has the word for itself. */
  SHADOW("shadow", "", false, (kit, text) -> kit.shadow(Words.truth(text))),
  EXEMPT("exempt", "exempt", true, (kit, text) -> kit.exempt(Words.path(text))),
  ALLOW("allow", "allow", true, (kit, text) -> kit.allow(Networks.of(text))),
  DENY("deny", "deny", true, (kit, text) -> kit.deny(Networks.of(text))),
  TRUSTED_HEADER(
      "trusted-proxies.header",
      "trusted-proxies-header",
      false,
      (kit, text) -> kit.proxies().header(text)),
  TRUSTED_NETWORKS(
      "trusted-proxies.networks",
      "trusted-proxies",
      true,
      (kit, text) -> kit.proxies().network(text)),
  TRUSTED_HOPS(
      "trusted-proxies.hops",
      "trusted-proxies-hops",
      false,
      (kit, text) -> kit.proxies().hops((int) Words.number(text, 1, TrustedProxies.MOST_HOPS))),
  IPV4_PREFIX(
      "client-address.ipv4-prefix",
      "ipv4-prefix",
      false,
      (kit, text) -> kit.ipv4Prefix((int) Words.number(text, 16, 32))),
  IPV6_PREFIX(
      "client-address.ipv6-prefix",
      "ipv6-prefix",
      false,
      (kit, text) -> kit.ipv6Prefix((int) Words.number(text, 32, 128))),
  IPV4_IN("client-address.ipv4-in", "ipv4-in", true, (kit, text) -> kit.ipv4In(Networks.of(text))),
  IGNORE_CASE(
      "ignore-case", "ignore-case", false, (kit, text) -> kit.ignoreCase(Words.truth(text))),
  ERROR_PAGE("error-page", "error-page", false, (kit, text) -> kit.errorPage(Words.truth(text))),
  LIMITER_SOURCE(
      "headers.source",
      "limiter-source",
      false,
      (kit, text) -> kit.limiterSource(Words.truth(text))),
  DIALECT("headers.dialect", "dialect", false, (kit, text) -> kit.dialect(Words.dialect(text))),
  LEGACY_X(
      "headers.legacy-x",
      "legacy-x",
      false,
      (kit, text) -> kit.legacyFields(Words.constant(LegacyFields.class, text))),
  EXPOSE(
      "headers.expose",
      "expose-headers",
      false,
      (kit, text) -> kit.exposeFields(Words.truth(text))),
  ONLY_CLOSEST(
      "headers.only-closest",
      "only-closest",
      false,
      (kit, text) -> kit.onlyClosest(Words.truth(text))),
  PARTITION_KEY_SECRET(
      "headers.partition-key-secret",
      "partition-key-secret",
      false,
      (kit, text) -> kit.partitionKeys(PartitionKeys.of(text))),
  JITTER("headers.jitter", "jitter", false, (kit, text) -> kit.jitter(Words.jitter(text))),
  RETRY_AFTER_MAX(
      "headers.retry-after-max",
      "retry-after-max",
      false,
      (kit, text) -> kit.retryAfterMax(Words.seconds(text))),
  FLEET_SIZE(
      "degraded.fleet-size",
      "fleet-size",
      false,
      (kit, text) -> kit.fleetSize(number(text, Blueprint.MOST_INSTANCES))),
  MAX_IN_FLIGHT(
      "degraded.max-in-flight",
      "max-in-flight",
      false,
      (kit, text) -> kit.maxInFlight(number(text, Blueprint.MOST_CALLERS))),
  SLOW("degraded.slow", "slow", false, (kit, text) -> gate(kit, "slow", slow(text))),
  FAILURES_IN_A_ROW(
      "degraded.failures-in-a-row",
      "failures-in-a-row",
      false,
      (kit, text) -> gate(kit, "failures-in-a-row", inARow(text))),
  FAILURES_OF_TEN(
      "degraded.failures-of-ten",
      "failures-of-ten",
      false,
      (kit, text) -> gate(kit, "failures-of-ten", ofTen(text))),
  PROBE_FIRST(
      "degraded.probe-first",
      "probe-first",
      false,
      (kit, text) -> gate(kit, "probe-first", probeFirst(text))),
  PROBE_LONGEST(
      "degraded.probe-longest",
      "probe-longest",
      false,
      (kit, text) -> gate(kit, "probe-longest", probeLongest(text))),
  MAX_KEYS(
      "local.max-keys",
      "max-keys",
      false,
      (kit, text) -> kit.maxKeys(number(text, Blueprint.MOST_KEYS)));

  /** As init-params, in the order in which the documentation shows them. */
  static final List<String> PARAMETERS =
      Arrays.stream(values())
          .map(KitSetting::parameter)
          .filter(parameter -> !parameter.isEmpty())
          .toList();

  private final String path;
  private final String parameter;
  private final boolean list;

  @SuppressWarnings("ImmutableEnumChecker") // it keeps nothing
  private final BiConsumer<Blueprint, String> reader;

  KitSetting(String path, String parameter, boolean list, BiConsumer<Blueprint, String> reader) {
    this.path = path;
    this.parameter = parameter;
    this.list = list;
    this.reader = reader;
  }

  /** Group and word in a file, with a dot between them. */
  String path() {
    return path;
  }

  /** The name of the init-param; empty if there is none. */
  String parameter() {
    return parameter;
  }

  /** Whether it has no meaning without a store. */
  boolean needsStore() {
    return path.startsWith("degraded.");
  }

  /** Whether there may be several values. */
  boolean isList() {
    return list;
  }

  /**
   * Sets one value.
   *
   * @throws IllegalArgumentException if the text cannot be read
   */
  void set(Blueprint kit, String text) {
    reader.accept(kit, text);
  }

  private static int number(String text, int most) {
    return (int) Words.number(text, 1, most);
  }

  private static void gate(Blueprint kit, String word, UnaryOperator<GateSettings> number) {
    // Tried at once for its errors, here where its place is known.
    Objects.requireNonNull(number.apply(GateSettings.defaults()));
    kit.gate(word, number);
  }

  private static UnaryOperator<GateSettings> slow(String text) {
    Duration slow = Words.time(text);
    return gate -> gate.slow(slow);
  }

  private static UnaryOperator<GateSettings> inARow(String text) {
    int failures = Words.count(text);
    return gate -> gate.failuresInARow(failures);
  }

  private static UnaryOperator<GateSettings> ofTen(String text) {
    int failures = Words.count(text);
    return gate -> gate.failuresOfTen(failures);
  }

  private static UnaryOperator<GateSettings> probeFirst(String text) {
    Duration wait = Words.time(text);
    return gate -> gate.probeFirst(wait);
  }

  private static UnaryOperator<GateSettings> probeLongest(String text) {
    Duration wait = Words.time(text);
    return gate -> gate.probeLongest(wait);
  }
}
