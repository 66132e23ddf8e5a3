package io.github.limiterkit.degraded;

import io.github.limiterkit.Mode;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.store.Fleet;
import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.SharedStore;
import io.github.limiterkit.store.StoreException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * The nodes of a store, each with the gate that says whether calls may pass to it, and with the
 * background thread that says there that this instance is alive, or tries it while it is shut.
 */
final class StoreNodes {

  private static final long CLOSE_MILLIS = 200;
  private static final long LEAVE_NANOS = Duration.ofMillis(200).toNanos();

  private final SharedStore store;
  private final GateSettings settings;
  private final FleetSize fleetSize;
  private final LongSupplier clockMillis;
  private final DegradedListener listener;
  private final Map<String, Watched> nodes = new LinkedHashMap<>();

  private record Watched(HealthGate gate, Prober prober) {}

  StoreNodes(
      SharedStore store,
      GateSettings settings,
      FleetSize fleetSize,
      Ticker ticker,
      LongSupplier clockMillis,
      DegradedListener listener) {
    this.store = store;
    this.settings = settings;
    this.fleetSize = fleetSize;
    this.clockMillis = clockMillis;
    this.listener = listener;
    GateNumbers numbers = settings.numbers(store.deadline(), fleetSize.size());
    for (String node : store.nodes()) {
      HealthGate gate =
          new HealthGate(
              node,
              numbers,
              ticker,
              () -> ThreadLocalRandom.current().nextDouble(0.5, 1),
              this::transition);
      nodes.put(
          node, new Watched(gate, new Prober(node, store, gate, listener, () -> heartbeat(node))));
    }
  }

  /** Starts the threads. */
  void start() {
    nodes.values().forEach(node -> node.prober().start());
  }

  /** The state of the first node that is not in use; {@link Mode#SHARED} if all are. */
  Mode mode() {
    for (Watched node : nodes.values()) {
      Mode state = node.gate().state();
      if (state != Mode.SHARED) {
        return state;
      }
    }
    return Mode.SHARED;
  }

  HealthGate gate(String node) {
    return watched(node).gate();
  }

  /** Takes what a round trip showed. */
  void sample(Sample sample) {
    gate(sample.node()).sample(sample);
    listener.sample(sample);
  }

  /** Says that this instance is there. For the node's own thread. */
  boolean heartbeat(String node) {
    long sent = clockMillis.getAsLong();
    try {
      Fleet fleet = store.heartbeat(node, System.nanoTime() + store.deadline().toNanos());
      listener.heartbeat(node, fleet);
      if (fleetSize.hear(fleet, sent)) {
        Duration longest = settings.numbers(store.deadline(), fleetSize.size()).probeLongest();
        nodes.values().forEach(watched -> watched.gate().longestProbe(longest));
      }
      return true;
    } catch (StoreException fault) {
      listener.heartbeatFailed(node, fault);
      return false;
    }
  }

  /** Leaves the nodes alone from now on, and shuts their gates for good. */
  void leave() {
    nodes.values().forEach(node -> node.prober().close());
    nodes.forEach(this::leave);
    nodes.values().forEach(node -> node.gate().close());
  }

  /** Waits a moment for the threads to end. */
  void awaitEnd() {
    boolean interrupted = false;
    for (Watched node : nodes.values()) {
      try {
        node.prober().join(CLOSE_MILLIS);
      } catch (InterruptedException asked) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The others need not miss it. */
  private void leave(String node, Watched watched) {
    if (watched.gate().isOpen()) {
      try {
        long patience = Math.min(store.deadline().toNanos(), LEAVE_NANOS);
        store.leave(node, System.nanoTime() + patience);
      } catch (StoreException unheard) {
        listener.heartbeatFailed(node, unheard);
      }
    }
  }

  private Watched watched(String node) {
    Watched watched = nodes.get(node);
    if (watched == null) {
      throw new IllegalArgumentException("the store has no node " + node);
    }
    return watched;
  }

  private void transition(Transition transition) {
    if (transition.from() == Mode.SHARED) {
      watched(transition.node()).prober().wake();
    }
    listener.transition(transition);
  }
}
