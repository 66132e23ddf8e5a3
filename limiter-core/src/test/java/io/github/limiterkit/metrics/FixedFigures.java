package io.github.limiterkit.metrics;

import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.OperatorSwitch;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Figures of a kit that does not exist. */
final class FixedFigures implements KitFigures {

  final DecisionCounters decisions;
  final StoreCounters store = new StoreCounters();
  volatile Mode mode = Mode.SHARED;
  volatile @Nullable String alarm;
  volatile OperatorSwitch override = OperatorSwitch.NORMAL;

  FixedFigures(String... policies) {
    RateLimiter yes = charges -> new Decision(true, Source.SHARED, List.of());
    decisions = new DecisionCounters(yes, List.of(policies));
  }

  @Override
  public DecisionCounters decisions() {
    return decisions;
  }

  @Override
  public StoreCounters store() {
    return store;
  }

  @Override
  public Mode mode() {
    return mode;
  }

  @Override
  public List<String> nodes() {
    return List.of("127.0.0.1:6379");
  }

  @Override
  public Mode mode(String node) {
    return mode;
  }

  @Override
  public Duration timeIn(String node, Mode in) {
    return Duration.ofMillis(in == Mode.DEGRADED ? 1_234 : 0);
  }

  @Override
  public @Nullable String alarm() {
    return alarm;
  }

  @Override
  public OperatorSwitch override() {
    return override;
  }

  @Override
  public long fleetSize() {
    return 4;
  }

  @Override
  public long missingInstances() {
    return 1;
  }

  @Override
  public long inFlight() {
    return 5;
  }

  @Override
  public long localKeys() {
    return 3;
  }

  @Override
  public long forgottenUnits() {
    return 7;
  }
}
