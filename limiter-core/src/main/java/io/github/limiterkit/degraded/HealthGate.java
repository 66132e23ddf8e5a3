package io.github.limiterkit.degraded;

import io.github.limiterkit.Mode;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether calls may pass to one node of the store. Open in {@link Mode#SHARED}; shut in {@link
 * Mode#DEGRADED} and {@link Mode#PROBING}, when no request touches the node and only a background
 * prober does.
 *
 * <pre>
 *             sample: at once | 3 failed in a row | 5 of 10 failed or slow
 *   SHARED ----------------------------------------------------------------> DEGRADED
 *      ^                                                                      |    ^
 *      | third prompt probe in a row                      first prompt probe  |    | probe failed
 *      |                                                                      v    | or was slow
 *      +-------------------------------------------------------------------- PROBING
 * </pre>
 *
 * <p>Nothing else changes the state: a sample while the gate is shut and a probe while it is open
 * change nothing. Begins in DEGRADED: a store is not trusted before it has answered.
 *
 * <p>Safe for use by several threads; {@link #isOpen} is one volatile read.
 */
final class HealthGate {

  /** So many prompt probes in a row open the gate. */
  static final int PROBES_TO_OPEN = 3;

  private static final long AFTER_GOOD_PROBE_NANOS = Duration.ofMillis(50).toNanos();

  /** A gate that shuts again so soon was opened too early: its backoff goes on where it was. */
  private static final long RELAPSE_NANOS = Duration.ofSeconds(10).toNanos();

  /** For so long after the node came back it has just come back. */
  static final long JUST_OPENED_NANOS = Duration.ofSeconds(2).toNanos();

  private final String node;
  private final GateNumbers numbers;
  private final Ticker ticker;
  private final Consumer<Transition> listener;
  private final Backoff backoff;
  private final RecentSamples recent;

  private volatile Mode state = Mode.DEGRADED;
  private long since;
  private volatile long shutSince;
  private volatile long openSince;
  private volatile boolean justOpened;
  private int promptProbes;
  private boolean closed;

  /** Nanoseconds in each state before the present one began. */
  private final Map<Mode, Long> spent = new EnumMap<>(Mode.class);

  /** Whether no probe has ended yet: the first one is made at once. */
  private boolean untried = true;

  HealthGate(
      String node,
      GateNumbers numbers,
      Ticker ticker,
      DoubleSupplier halfToOne,
      Consumer<Transition> listener) {
    this.node = node;
    this.numbers = numbers;
    this.ticker = ticker;
    this.listener = listener;
    this.backoff = new Backoff(numbers.probeFirst(), numbers.probeLongest(), halfToOne);
    this.recent = new RecentSamples(numbers);
    this.since = ticker.read();
    this.shutSince = since;
  }

  boolean isOpen() {
    return state == Mode.SHARED;
  }

  Mode state() {
    return state;
  }

  /** When it shut last, as a reading of the ticker. */
  long shutSince() {
    return shutSince;
  }

  /** When it opened last, as a reading of the ticker; of no meaning while it is shut. */
  long openSince() {
    return openSince;
  }

  /** Whether it is open since two seconds at most. One volatile read if it is not. */
  boolean hasJustOpened() {
    if (!justOpened) {
      return false;
    }
    if (ticker.read() - openSince < JUST_OPENED_NANOS) {
      return true;
    }
    settle();
    return false;
  }

  private synchronized void settle() {
    justOpened = isOpen() && ticker.read() - openSince < JUST_OPENED_NANOS;
  }

  /** Takes what a round trip of requests showed. */
  void sample(Sample sample) {
    publish(judge(sample));
  }

  private synchronized @Nullable Transition judge(Sample sample) {
    StoreException fault = sample.fault();
    boolean answered = fault == null || fault.fault() != StoreFault.TIMEOUT;
    if (closed || !isOpen() || (sample.selfPaused() && !(answered && fault != null))) {
      // While this process stood still, time passed that the store did not take.
      return null;
    }
    long now = ticker.read();
    if (fault != null && fault.fault().shutsAtOnce()) {
      return enter(Mode.DEGRADED, describe(fault), now);
    }
    recent.add(now, fault != null, sample.roundTripNanos());
    String reason = recent.whyUnhealthy(now);
    return reason == null ? null : enter(Mode.DEGRADED, reason, now);
  }

  /** Takes how a probe ended; {@code fault} is null if the node executed it. */
  void probed(long roundTripNanos, @Nullable StoreException fault) {
    publish(weigh(roundTripNanos, fault));
  }

  private synchronized @Nullable Transition weigh(
      long roundTripNanos, @Nullable StoreException fault) {
    untried = false;
    if (closed || isOpen()) {
      return null;
    }
    long now = ticker.read();
    if (fault != null || roundTripNanos > numbers.slow().toNanos()) {
      promptProbes = 0;
      String reason = fault == null ? "a probe was slow" : "a probe failed: " + describe(fault);
      return state == Mode.PROBING ? enter(Mode.DEGRADED, reason, now) : null;
    }
    promptProbes++;
    if (promptProbes < PROBES_TO_OPEN) {
      return state == Mode.DEGRADED ? enter(Mode.PROBING, "a probe was answered", now) : null;
    }
    return enter(Mode.SHARED, PROBES_TO_OPEN + " probes in a row were answered", now);
  }

  /** Shuts for good: nobody will try the node again. Tells nobody, for nothing has happened. */
  synchronized void close() {
    closed = true;
    if (state != Mode.DEGRADED) {
      Transition unused = enter(Mode.DEGRADED, "closed", ticker.read());
    }
  }

  /** How long it has been in a state, all times together. */
  synchronized Duration timeIn(Mode mode) {
    long present = mode == state ? ticker.read() - since : 0;
    return Duration.ofNanos(spent.getOrDefault(mode, 0L) + present);
  }

  /** The longest wait before a probe follows the size of the fleet. */
  synchronized void longestProbe(Duration wait) {
    backoff.longest(wait);
  }

  /** How long the prober waits before it probes next. */
  synchronized long nextProbeNanos() {
    if (untried) {
      return 0;
    }
    return promptProbes > 0 ? AFTER_GOOD_PROBE_NANOS : backoff.nextNanos();
  }

  /** The one door through which the state changes. The caller holds the lock. */
  private Transition enter(Mode next, String reason, long now) {
    Mode before = state;
    spent.merge(before, now - since, Long::sum);
    long lasted = now - (next == Mode.SHARED ? shutSince : since);
    if (before == Mode.SHARED) {
      if (now - since >= RELAPSE_NANOS) {
        backoff.restart();
      }
      shutSince = now;
    }
    if (next == Mode.SHARED) {
      recent.clear();
      openSince = now;
    }
    justOpened = next == Mode.SHARED;
    if (next != Mode.PROBING) {
      promptProbes = 0;
    }
    since = now;
    state = next;
    return new Transition(node, before, next, reason, Duration.ofNanos(lasted));
  }

  private void publish(@Nullable Transition transition) {
    if (transition != null) {
      listener.accept(transition);
    }
  }

  private static String describe(StoreException fault) {
    String kind = fault.fault().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return kind + " (" + fault.getMessage() + ")";
  }
}
