package io.github.limiterkit.setup;

import io.github.limiterkit.Mode;
import io.github.limiterkit.OperatorSwitch;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.degraded.OperatorOverride;
import io.github.limiterkit.http.HttpRateLimiter;
import io.github.limiterkit.metrics.DecisionCounters;
import io.github.limiterkit.metrics.KitFigures;
import io.github.limiterkit.metrics.KitMetrics;
import io.github.limiterkit.metrics.StoreCounters;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a kit at work, and the one list of what has to be stopped. */
final class RunningKit implements KitFigures {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");

  private final Engine engine;
  private final OperatorOverride override;
  private final DecisionCounters decisions;
  private final HttpRateLimiter http;
  private final StoreWatch watch;
  private final AttackLog attacks;
  private final AtomicBoolean closed = new AtomicBoolean();
  private @Nullable Housekeeping housekeeping;
  private @Nullable JmxDoor jmx;

  RunningKit(
      Engine engine,
      OperatorOverride override,
      DecisionCounters decisions,
      HttpRateLimiter http,
      StoreWatch watch,
      AttackLog attacks) {
    this.engine = engine;
    this.override = override;
    this.decisions = decisions;
    this.http = http;
    this.watch = watch;
    this.attacks = attacks;
  }

  void start(List<KitMetrics> metrics, boolean withJmx, StartBlock block, long untilNanos) {
    try {
      for (KitMetrics each : metrics) {
        watch.publishedBy(each.publish(this));
      }
      jmx = withJmx ? JmxDoor.open(this) : null;
      engine.start(untilNanos);
      housekeeping = Housekeeping.start(this::keepHouse);
    } catch (RuntimeException | Error failed) {
      close();
      throw failed;
    }
    log.info("{}", block.text(engine.mode()));
    block.warnings().forEach(warning -> log.warn("{}", warning));
    List<String> silent =
        engine.nodes().stream().filter(node -> engine.mode(node) != Mode.SHARED).toList();
    watch.begin(silent, () -> StartBlock.shareInWords(engine.fleetSize()));
  }

  private void keepHouse() {
    override.endIfDue();
    watch.sayWhatWasKept();
    attacks.sayIfDue();
    engine.sweep();
  }

  HttpRateLimiter http() {
    return http;
  }

  RateLimiter limiter() {
    return decisions;
  }

  KitStatus status() {
    Map<String, Mode> nodes = new LinkedHashMap<>();
    for (String node : engine.nodes()) {
      nodes.put(node, engine.mode(node));
    }
    return new KitStatus(
        mode(),
        Collections.unmodifiableMap(nodes),
        alarm(),
        override.standing(),
        decisions.policies(),
        decisions.counts());
  }

  void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (jmx != null) {
      jmx.close();
    }
    override.close();
    watch.close();
    if (housekeeping != null) {
      housekeeping.close();
    }
    engine.close();
  }

  OperatorOverride operatorOverride() {
    return override;
  }

  @Override
  public OperatorSwitch override() {
    return override.position();
  }

  @Override
  public DecisionCounters decisions() {
    return decisions;
  }

  @Override
  public StoreCounters store() {
    return watch.counters();
  }

  @Override
  public Mode mode() {
    return engine.mode();
  }

  @Override
  public List<String> nodes() {
    return engine.nodes();
  }

  @Override
  public Mode mode(String node) {
    return engine.mode(node);
  }

  @Override
  public Duration timeIn(String node, Mode mode) {
    return engine.timeIn(node, mode);
  }

  @Override
  public @Nullable String alarm() {
    return watch.alarm();
  }

  @Override
  public long fleetSize() {
    return engine.fleetSize();
  }

  @Override
  public long missingInstances() {
    return engine.missingInstances();
  }

  @Override
  public long inFlight() {
    return engine.inFlight();
  }

  @Override
  public long localKeys() {
    return engine.localKeys();
  }

  @Override
  public long forgottenUnits() {
    return engine.forgottenUnits();
  }
}
