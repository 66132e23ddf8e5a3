package io.github.limiterkit.setup;

import io.github.limiterkit.Mode;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.local.LocalLimiter;
import java.time.Duration;
import java.util.List;

/** A kit without a store: a choice, not a fault. */
final class LocalEngine implements Engine {

  private final LocalLimiter limiter;

  LocalEngine(Ticker ticker, int maxKeys) {
    limiter = new LocalLimiter(ticker, maxKeys);
  }

  @Override
  public void start(long untilNanos) {}

  @Override
  public RateLimiter limiter() {
    return limiter;
  }

  @Override
  public RateLimiter alone() {
    return limiter;
  }

  @Override
  public Mode mode() {
    return Mode.LOCAL;
  }

  @Override
  public List<String> nodes() {
    return List.of();
  }

  @Override
  public Mode mode(String node) {
    throw noNode(node);
  }

  @Override
  public Duration timeIn(String node, Mode mode) {
    throw noNode(node);
  }

  @Override
  public int fleetSize() {
    return 1;
  }

  @Override
  public int missingInstances() {
    return 0;
  }

  @Override
  public long inFlight() {
    return 0;
  }

  @Override
  public long localKeys() {
    return limiter.size();
  }

  @Override
  public long forgottenUnits() {
    return limiter.forgottenUnits();
  }

  @Override
  public void sweep() {
    limiter.sweep();
  }

  @Override
  public void close() {}

  private static IllegalArgumentException noNode(String node) {
    return new IllegalArgumentException("a kit without a store has no node \"" + node + "\"");
  }
}
