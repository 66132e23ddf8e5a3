package io.github.limiterkit.degraded;

import io.github.limiterkit.store.Fleet;
import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands on what happens to a listener of the user's, and goes on if that throws against its word. A
 * limiter whose metrics are broken still limits: neither a request nor one of the kit's threads may
 * end for their sake.
 */
final class ShieldedListener implements DegradedListener {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");

  private final DegradedListener listener;
  private final AtomicBoolean said = new AtomicBoolean();

  ShieldedListener(DegradedListener listener) {
    this.listener = listener;
  }

  @Override
  public void transition(Transition transition) {
    tell(to -> to.transition(transition));
  }

  @Override
  public void sample(Sample sample) {
    tell(to -> to.sample(sample));
  }

  @Override
  public void fault(String node, StoreException failure) {
    tell(to -> to.fault(node, failure));
  }

  @Override
  public void heartbeat(String node, Fleet fleet) {
    tell(to -> to.heartbeat(node, fleet));
  }

  @Override
  public void heartbeatFailed(String node, StoreException failure) {
    tell(to -> to.heartbeatFailed(node, failure));
  }

  @Override
  public void floorRefusal() {
    tell(DegradedListener::floorRefusal);
  }

  @Override
  public void rehearsedStricter() {
    tell(DegradedListener::rehearsedStricter);
  }

  @Override
  public void rehearsedLaxer() {
    tell(DegradedListener::rehearsedLaxer);
  }

  @Override
  public void decidedHere(boolean allowed, boolean loweredAlone) {
    tell(to -> to.decidedHere(allowed, loweredAlone));
  }

  @Override
  public void shed() {
    tell(DegradedListener::shed);
  }

  @Override
  public void replacedUnreadable(String node, long states) {
    tell(to -> to.replacedUnreadable(node, states));
  }

  private void tell(Consumer<DegradedListener> what) {
    try {
      what.accept(listener);
    } catch (RuntimeException broken) {
      sayOnce(broken);
    }
  }

  private void sayOnce(RuntimeException broken) {
    if (said.compareAndSet(false, true)) {
      try {
        log.error("a listener or metrics threw; limiting goes on, and this is said once", broken);
      } catch (RuntimeException logIsBroken) {
        // It may be the log itself that threw, and there is nobody else to tell.
      }
    }
  }
}
