package io.github.limiterkit.setup;

import io.github.limiterkit.Mode;
import io.github.limiterkit.Source;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.degraded.DegradedListener;
import io.github.limiterkit.degraded.Transition;
import io.github.limiterkit.metrics.DecisionCounters;
import io.github.limiterkit.metrics.KitMetrics;
import io.github.limiterkit.metrics.Outcome;
import io.github.limiterkit.metrics.StoreCounters;
import io.github.limiterkit.store.Fleet;
import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees what happens between the kit and its store, and says it: to the counters always, to the log
 * once per change.
 */
final class StoreWatch implements DegradedListener, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");

  private final StoreCounters counters = new StoreCounters();
  private final List<KitMetrics.Publication> publications = new CopyOnWriteArrayList<>();
  private final Alarms alarms;

  /** Node to what was decided here before it was lost. */
  private final Map<String, Decided> lost = new ConcurrentHashMap<>();

  private volatile @Nullable Voice voice;

  /** What is said only while the kit runs, after its start block and before its close. */
  private record Voice(DecisionCounters decisions, Supplier<String> share) {}

  /** Decisions from this instance's memory so far. */
  private record Decided(long all, long refused) {

    static Decided by(DecisionCounters decisions) {
      long refused = decisions.count(Source.LOCAL, Outcome.REFUSED);
      return new Decided(decisions.count(Source.LOCAL, Outcome.ALLOWED) + refused, refused);
    }
  }

  StoreWatch(Ticker ticker) {
    this.alarms = new Alarms(ticker);
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
  void begin(DecisionCounters decisions, List<String> silent, Supplier<String> share) {
    voice = new Voice(decisions, share);
    for (String node : silent) {
      log.warn("store {} does not answer yet: {}", node, share.get());
    }
  }

  @Override
  public void transition(Transition transition) {
    counters.countTransition(transition.to());
    if (transition.to() == Mode.SHARED) {
      alarms.clear(transition.node());
    }
    Voice now = voice;
    if (now != null) {
      say(transition, now);
    }
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
  public void close() {
    voice = null;
    publications.forEach(KitMetrics.Publication::close);
  }

  private void say(Transition transition, Voice now) {
    String node = transition.node();
    if (transition.from() == Mode.SHARED) {
      lost.put(node, Decided.by(now.decisions()));
      log.warn("store {} is lost ({}): {}", node, transition.reason(), now.share().get());
    } else if (transition.to() == Mode.SHARED) {
      log.info("{}", back(transition, Decided.by(now.decisions()), lost.remove(node)));
    } else {
      log.debug("store {}: {} ({})", node, transition.to(), transition.reason());
    }
  }

  private static String back(Transition transition, Decided now, @Nullable Decided before) {
    Decided then = before == null ? new Decided(0, 0) : before;
    return String.format(
        Locale.ROOT,
        "store %s %s after %s: limiting together; %,d decided here meanwhile, %,d of them refused",
        transition.node(),
        before == null ? "answers" : "is back",
        seconds(transition.lasted().toMillis()),
        now.all() - then.all(),
        now.refused() - then.refused());
  }

  private static String seconds(long millis) {
    return millis < 10_000
        ? String.format(Locale.ROOT, "%.1f s", millis / 1_000.0)
        : millis / 1_000 + " s";
  }
}
