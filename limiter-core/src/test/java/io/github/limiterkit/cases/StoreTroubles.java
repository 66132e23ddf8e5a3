package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import com.codahale.metrics.MetricRegistry;
import io.github.limiterkit.Mode;
import io.github.limiterkit.cases.SteadyTraffic.Asked;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.setup.LogCapture;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Has a kit meet one trouble under traffic, and holds it to what is promised. */
final class StoreTroubles {

  /** How long a trouble lasts once the kit has given the node up: a few probes. */
  private static final Duration LASTS = Duration.ofMillis(400);

  /** Far less than anything that is waited for without an end in sight. */
  private static final Duration BUSY_MACHINE = Duration.ofMillis(400);

  private final StoreTrouble trouble;
  private final MetricRegistry registry = new MetricRegistry();

  private StoreTroubles(StoreTrouble trouble) {
    this.trouble = trouble;
  }

  /** Returns what the kit did, for the page. */
  static StoreFaultsPage.Row meet(StoreTrouble trouble) {
    return new StoreTroubles(trouble).meet();
  }

  private StoreFaultsPage.Row meet() {
    try (TroubledStore store = new TroubledStore(trouble);
        LogCapture log = new LogCapture();
        LimiterKit kit = kit(store.url(trouble.asUser()));
        SteadyTraffic traffic = new SteadyTraffic(kit)) {
      long start = System.nanoTime();
      await().until(() -> traffic.first(start, Asked::isShared).isPresent());
      long began = System.nanoTime();
      trouble.provoke(store);
      await().until(() -> isSeen(traffic, began));
      pass(LASTS);
      boolean red = kit.status().alarm() != null;
      String decided = decided(traffic, began);
      trouble.mend(store);
      long mended = store.overSince();
      await().until(() -> traffic.first(mended, Asked::isShared).isPresent());
      List<Asked> meanwhile = traffic.since(began);
      assertThat(meanwhile).allMatch(asked -> asked.decision().allowed());
      assertThat(longest(meanwhile)).isLessThan(Kits.DEADLINE.plus(BUSY_MACHINE));
      return new StoreFaultsPage.Row(
          trouble.words(),
          counted(),
          gate(log),
          decided,
          alarm(log, red),
          shutAfter(traffic, began),
          backAfter(traffic, mended),
          millis(longest(meanwhile)));
    }
  }

  private LimiterKit kit(String url) {
    // What is slow is not the point here, and on a busy machine all is.
    return Kits.shared(
        LimiterKit.builder()
            .store(RedisStore.at(url).readableKeys().deadline(Kits.DEADLINE))
            .slow(Kits.DEADLINE)
            .fleetSize(1)
            .policy(Kits.plenty())
            .metrics(DropwizardMetrics.on(registry))
            .build());
  }

  private boolean isSeen(SteadyTraffic traffic, long began) {
    assertThat(traffic.isRunning()).as("nothing is thrown").isTrue();
    if (trouble.shuts()) {
      return traffic.first(began, Asked::isWithoutStore).isPresent();
    }
    return trouble.fault() == null ? unreadable() > 0 : faults() > 5;
  }

  private static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    await().pollInterval(Duration.ofMillis(5)).until(() -> System.nanoTime() - end > 0);
  }

  private String counted() {
    StoreFault fault = trouble.fault();
    assertThat(fault == null ? unreadable() : faults()).isPositive();
    return fault == null ? "`unreadable`" : "`faults." + word(fault) + "`";
  }

  private long faults() {
    return registry.counter("limiterkit.store.faults." + word(trouble.fault())).getCount();
  }

  private long unreadable() {
    return registry.counter("limiterkit.store.unreadable").getCount();
  }

  private static String word(StoreFault fault) {
    return fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private String gate(LogCapture log) {
    List<String> lost =
        log.at(Level.WARN).stream().filter(line -> line.contains("is lost")).toList();
    if (!trouble.shuts()) {
      assertThat(lost).isEmpty();
      return "stays open";
    }
    assertThat(lost).hasSize(1);
    if (trouble.fault().shutsAtOnce()) {
      assertThat(lost.get(0)).contains("is lost (" + word(trouble.fault()).replace('-', ' '));
      return "shuts at once";
    }
    assertThat(lost.get(0)).containsAnyOf("is lost (no answer", "is lost (unreachable");
    return "shuts when it repeats";
  }

  private String decided(SteadyTraffic traffic, long began) {
    if (trouble.fault() == null) {
      assertThat(traffic.since(began)).allMatch(Asked::isShared);
      return "in the store, from a fresh count";
    }
    Asked first = traffic.first(began, this::isAffected).orElseThrow();
    List<Asked> since = traffic.since(first.ended());
    assertThat(since).filteredOn(Asked::isLocal).hasSizeGreaterThan(20);
    if (!trouble.endsByItself()) {
      assertThat(since).noneMatch(Asked::isShared);
    }
    return "locally";
  }

  private boolean isAffected(Asked asked) {
    return trouble.shuts() ? asked.isWithoutStore() : asked.isLocal();
  }

  private String alarm(LogCapture log, boolean red) {
    List<String> errors = log.at(Level.ERROR);
    StoreFault fault = trouble.fault();
    assertThat(red).isEqualTo(fault != null && fault.alarms());
    assertThat(errors).hasSize(red || fault == null ? 1 : 0);
    return red ? "ERROR, health check red" : errors.isEmpty() ? "–" : "ERROR";
  }

  private String shutAfter(SteadyTraffic traffic, long began) {
    if (!trouble.shuts()) {
      return "–";
    }
    Asked first = traffic.first(began, Asked::isLocal).orElseThrow();
    Asked shut = traffic.first(began, asked -> asked.mode() != Mode.SHARED).orElseThrow();
    return millis(Duration.ofNanos(Math.max(0, shut.ended() - first.began())));
  }

  private String backAfter(SteadyTraffic traffic, long mended) {
    Asked back = traffic.first(mended, Asked::isShared).orElseThrow();
    return trouble.fault() == null ? "–" : millis(Duration.ofNanos(back.ended() - mended));
  }

  private static Duration longest(List<Asked> meanwhile) {
    return meanwhile.stream().map(Asked::took).max(Duration::compareTo).orElse(Duration.ZERO);
  }

  private static String millis(Duration time) {
    return String.format(Locale.ROOT, "%,d ms", (time.toNanos() + 500_000) / 1_000_000);
  }
}
