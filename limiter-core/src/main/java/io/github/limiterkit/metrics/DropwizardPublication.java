package io.github.limiterkit.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import io.github.limiterkit.Mode;
import io.github.limiterkit.OperatorSwitch;
import io.github.limiterkit.Source;
import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreFault;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** One kit's metrics in one registry. */
final class DropwizardPublication implements KitMetrics.Publication {

  private static final List<Mode> OF_NODES = List.of(Mode.SHARED, Mode.DEGRADED, Mode.PROBING);

  private final MetricRegistry registry;
  private final Map<String, Metric> metrics = new LinkedHashMap<>();
  private final Timer roundTrips = new Timer();

  private DropwizardPublication(MetricRegistry registry) {
    this.registry = registry;
  }

  static DropwizardPublication of(MetricRegistry registry, String prefix, KitFigures figures) {
    DropwizardPublication publication = new DropwizardPublication(registry);
    // The modes first: every kit has them, so a taken prefix shows at the first name.
    publication.addModes(figures);
    publication.addDecisions(figures.decisions());
    publication.addStore(figures.store());
    publication.addLocal(figures);
    FreeName.claim(prefix, publication::register);
    return publication;
  }

  @Override
  public void sample(Sample sample) {
    // A pause of this process says nothing about the store.
    if (!sample.selfPaused()) {
      roundTrips.update(sample.roundTripNanos(), TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void close() {
    registry.removeMatching((name, metric) -> metrics.containsValue(metric));
  }

  private void addDecisions(DecisionCounters decisions) {
    for (String policy : decisions.policies()) {
      for (Source source : Source.values()) {
        for (Outcome outcome : Outcome.values()) {
          count(
              "decisions.%s.%s.%s".formatted(policy, word(source), word(outcome)),
              () -> decisions.count(policy, source, outcome));
        }
      }
      count("refunded-units." + policy, () -> decisions.refundedUnits(policy));
    }
  }

  private void addModes(KitFigures figures) {
    gauge("mode", () -> number(figures.mode()));
    gauge("override", () -> number(figures.override()));
    int index = 0;
    for (String node : figures.nodes()) {
      // Two addresses may look alike without their punctuation, so each has its number too.
      String name = node.replaceAll("[^A-Za-z0-9_-]+", "_");
      String prefix = "nodes.%d.%s.".formatted(index++, name);
      gauge(prefix + "mode", () -> number(figures.mode(node)));
      for (Mode mode : OF_NODES) {
        count(prefix + "millis." + word(mode), () -> figures.timeIn(node, mode).toMillis());
      }
    }
  }

  private void addStore(StoreCounters store) {
    for (Mode mode : OF_NODES) {
      count("store.transitions." + word(mode), () -> store.transitions(mode));
    }
    for (StoreFault fault : StoreFault.values()) {
      count("store.faults." + word(fault), () -> store.faults(fault));
    }
    count("store.outcome-unknown", store::outcomeUnknown);
    count("store.shed", store::shed);
    count("store.unreadable", store::unreadable);
    count("store.floor-refusals", store::floorRefusals);
    count("local.lowered-refusals", store::loweredRefusals);
    count("rehearsal.stricter", store::rehearsedStricter);
    count("rehearsal.laxer", store::rehearsedLaxer);
    metrics.put("store.round-trips", roundTrips);
  }

  private void addLocal(KitFigures figures) {
    gauge("store.in-flight", figures::inFlight);
    gauge("fleet.size", figures::fleetSize);
    gauge("fleet.missing", figures::missingInstances);
    gauge("local.keys", figures::localKeys);
    count("local.forgotten-units", figures::forgottenUnits);
    gauge("alarm", () -> figures.alarm() == null ? 0 : 1);
  }

  private void gauge(String name, LongSupplier value) {
    metrics.put(name, (Gauge<Long>) value::getAsLong);
  }

  private void count(String name, LongSupplier value) {
    metrics.put(name, new Reading(value));
  }

  /** All of them, or none. */
  private void register(String prefix) {
    try {
      metrics.forEach((name, metric) -> registry.register(prefix + "." + name, metric));
    } catch (IllegalArgumentException taken) {
      close();
      throw taken;
    }
  }

  /** So that an alert can say "above 0": whatever is as it was configured to be is 0. */
  private static long number(Mode mode) {
    return switch (mode) {
      case SHARED, LOCAL -> 0;
      case PROBING -> 1;
      case DEGRADED -> 2;
    };
  }

  private static long number(OperatorSwitch position) {
    return switch (position) {
      case NORMAL -> 0;
      case LOCAL_ONLY -> 1;
      case ALLOW_ALL -> 2;
    };
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A counter that is kept elsewhere: exporters see a counter, the request pays for one only. */
  private static final class Reading extends Counter {

    private final LongSupplier value;

    Reading(LongSupplier value) {
      this.value = value;
    }

    @Override
    public long getCount() {
      return value.getAsLong();
    }
  }
}
