package io.github.limiterkit.setup;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import io.github.limiterkit.degraded.DegradedLimiter;
import io.github.limiterkit.store.SharedStore;
import java.time.Duration;
import java.util.List;

/** A kit with a store: counts together with others, and alone when it must. */
final class StoreEngine implements Engine {

  private static final long LOOK_AGAIN_MILLIS = 5;

  /** A cost of 0 writes nothing, so this key is never in the store. */
  private static final Charge LOOK =
      new Charge(Policy.named("limiterkit-start").limits("1/1s").build(), "start", 0);

  private final SharedStore store;
  private final DegradedLimiter limiter;

  StoreEngine(SharedStore store, DegradedLimiter limiter) {
    this.store = store;
    this.limiter = limiter;
  }

  @Override
  public void start(long untilNanos) {
    limiter.start();
    try {
      while (limiter.mode() != Mode.SHARED && untilNanos - System.nanoTime() > 0) {
        Thread.sleep(LOOK_AGAIN_MILLIS);
      }
      look(untilNanos);
    } catch (InterruptedException hurry) {
      // The kit works from the first moment, if from memory only.
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Asks the store once without charging, so that a cold JVM loads what a decision needs now and
   * not within the deadline of the first request.
   */
  private void look(long untilNanos) {
    while (limiter.mode() == Mode.SHARED && untilNanos - System.nanoTime() > 0) {
      if (limiter.acquire(LOOK).source() == Source.SHARED) {
        return;
      }
    }
  }

  @Override
  public RateLimiter limiter() {
    return limiter;
  }

  @Override
  public RateLimiter alone() {
    return limiter.alone();
  }

  @Override
  public Mode mode() {
    return limiter.mode();
  }

  @Override
  public List<String> nodes() {
    return store.nodes();
  }

  @Override
  public Mode mode(String node) {
    return limiter.mode(node);
  }

  @Override
  public Duration timeIn(String node, Mode mode) {
    return limiter.timeIn(node, mode);
  }

  @Override
  public int fleetSize() {
    return limiter.fleetSize();
  }

  @Override
  public int missingInstances() {
    return limiter.missingInstances();
  }

  @Override
  public long inFlight() {
    return limiter.inFlight();
  }

  @Override
  public long localKeys() {
    return limiter.keys();
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
  public void close() {
    limiter.close();
  }
}
