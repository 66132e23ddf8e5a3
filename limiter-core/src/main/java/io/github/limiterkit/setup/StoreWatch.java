package io.github.limiterkit.setup;

import io.github.limiterkit.Mode;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.degraded.DegradedListener;
import io.github.limiterkit.degraded.Transition;
import io.github.limiterkit.metrics.KitMetrics;
import io.github.limiterkit.metrics.StoreCounters;
import io.github.limiterkit.store.Fleet;
import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sees what happens between the kit and its store, and says it: to the counters always, to the log
 * once per change.
 */
final class StoreWatch implements DegradedListener, AutoCloseable {

  private final StoreCounters counters = new StoreCounters();
  private final List<KitMetrics.Publication> publications = new CopyOnWriteArrayList<>();
  private final Alarms alarms;

  private final NodeLog nodes;

  StoreWatch(Ticker ticker) {
    this.alarms = new Alarms(ticker);
    this.nodes = new NodeLog(ticker, counters);
  }

  StoreCounters counters() {
    return counters;
  }

  @Nullable String alarm() {
    return alarms.active();
  }

  void publishedBy(KitMetrics.Publication publication) {
    publications.add(publication);
  }

  /**
   * From now on changes are told in the log, and first of all which nodes have not answered yet.
   *
   * @param silent the nodes that are not in use
   * @param share tells what this instance gives out without them
   */
  void begin(List<String> silent, Supplier<String> share) {
    nodes.begin(silent, share);
  }

  /** Tells of what was kept back. For a background thread. */
  void sayWhatWasKept() {
    nodes.sayWhatWasKept();
  }

  @Override
  public void transition(Transition transition) {
    counters.countTransition(transition.to());
    if (transition.to() == Mode.SHARED) {
      alarms.clear(transition.node());
    }
    nodes.transition(transition);
  }

  @Override
  public void sample(Sample sample) {
    for (KitMetrics.Publication publication : publications) {
      publication.sample(sample);
    }
  }

  @Override
  public void fault(String node, StoreException failure) {
    counters.countFault(failure.fault());
    if (failure.outcomeUnknown()) {
      counters.countOutcomeUnknown();
    }
    if (failure.fault().alarms()) {
      alarms.raise(node, failure);
    }
  }

  @Override
  public void heartbeat(String node, Fleet fleet) {
    alarms.fleetKnown(node);
  }

  @Override
  public void heartbeatFailed(String node, StoreException failure) {
    counters.countFault(failure.fault());
    if (failure.fault().alarms()) {
      alarms.fleetUnknown(node, failure);
    }
  }

  @Override
  public void floorRefusal() {
    counters.countFloorRefusal();
  }

  @Override
  public void rehearsedStricter() {
    counters.countRehearsedStricter();
  }

  @Override
  public void rehearsedLaxer() {
    counters.countRehearsedLaxer();
  }

  @Override
  public void shed() {
    counters.countShed();
  }

  @Override
  public void replacedUnreadable(String node, long states) {
    counters.countUnreadable(states);
    alarms.unreadable(node, states);
  }

  @Override
  public void decidedHere(boolean allowed, boolean loweredAlone) {
    counters.countDecidedHere(allowed, loweredAlone);
  }

  @Override
  public void close() {
    nodes.end();
    publications.forEach(KitMetrics.Publication::close);
  }
}
