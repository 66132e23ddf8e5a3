package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Reset;
import io.github.limiterkit.Scope;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.local.LocalTable;
import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.SharedStore;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreListener;
import java.time.Duration;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits together with other instances through a shared store, and goes on limiting when the store
 * is slow or gone.
 *
 * <p>A decision is made in this order, and never waits twice:
 *
 * <ol>
 *   <li>what the store has just refused is refused, without asking;
 *   <li>if the gate of the store's node is open, ask the store, once, with one deadline; for the
 *       first two seconds not for those who were refused here while it was shut, and who would be
 *       refused here still;
 *   <li>otherwise, or on any failure of that, decide here and at once, from a log of everything
 *       that this instance admitted, with this instance's share of each quota.
 * </ol>
 *
 * <p>A charge to a policy of {@link Scope#INSTANCE} is counted here in full and never asks the
 * store; a decision that has such a charge and others admits all of them or none, and its source is
 * {@link io.github.limiterkit.Source#LOCAL}, the weaker of the two that took part.
 *
 * <p><b>The bound</b> for a key with quota {@code q} and window {@code w}, for any costs and any
 * routing, where {@code σ} is the policy's safety and {@code N} the size of the fleet:
 *
 * <ul>
 *   <li>in any window wholly in an outage the fleet admits at most {@code σ·q·(1 + G/2) + N} units,
 *       where {@code G} is the number of different epochs that instances divided to learn their
 *       shares: {@code 1.5·q + N} as a rule, when all lost the store in one epoch, {@code 2·q + N}
 *       always, and {@code q + N} always where {@code σ} is 0.5. An epoch is as long as the window,
 *       but 5 s at least;
 *   <li>in any window at all (the start, the return, a part of the fleet cut off, flapping) at most
 *       {@code q·(1 + f)} by the store, where {@code f} counts its flushes, empty restarts and
 *       second masters in the window, and {@code σ·q·(1 + G/2) + N} here, with {@code G <= 3};
 *   <li>each process that is started in the window adds what it may admit by itself, {@code σ·q/N +
 *       1}. With {@code n > N} real instances, {@code n} takes the place of {@code N}, and {@code
 *       n/N} that of the 1. What was evicted from a full table ({@link #forgottenUnits}) may be
 *       admitted once more.
 * </ul>
 *
 * <p>Safe for use by any number of threads. Starts one thread per node in {@link #start} and stops
 * it, and the store, in {@link #close}; a decision after that is made here.
 */
public final class DegradedLimiter implements RateLimiter, AutoCloseable {

  /** How many callers may wait for the store at once unless somebody chooses: 256. */
  public static final int DEFAULT_MAX_IN_FLIGHT = 256;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final SharedStore store;
  private final long deadlineNanos;
  private final DegradedListener listener;
  private final InFlightCap inFlight;
  private final long origin;
  private final LocalTable<OwnLog> ownLogs;
  private final FleetSize fleetSize;
  private final SharedDecisions sharedDecisions;
  private final Corrections corrections;
  private final StoreClock storeClock;
  private final LongSupplier clockMillis;
  private final GradualReturn gradualReturn;
  private final MixedDecisions mixedDecisions;
  private final AloneLimiter alone;
  private final StoreNodes nodes;

  private DegradedLimiter(Builder builder) {
    this.store = builder.store;
    this.deadlineNanos = store.deadline().toNanos();
    this.listener = new ShieldedListener(builder.listener);
    this.inFlight = new InFlightCap(builder.maxInFlight);
    this.storeClock = new StoreClock(store.deadline().toMillis());
    Ticker ticker = builder.ticker;
    this.origin = ticker.read();
    this.clockMillis = () -> millis(ticker.read());
    this.ownLogs =
        new LocalTable<>(builder.maxKeys, clockMillis, policy -> new OwnLog(policy, storeClock));
    this.fleetSize = new FleetSize(builder.fleetSize, clockMillis, store.deadline().toMillis());
    Shares shares = new Shares(fleetSize, storeClock, this::lostAt);
    this.sharedDecisions =
        new SharedDecisions(
            store, ownLogs, storeClock, clockMillis, new Rehearsal(shares, listener), listener);
    LocalDecisions localDecisions = new LocalDecisions(shares, listener);
    this.corrections = new Corrections(store, sharedDecisions, ownLogs, this::attempt);
    this.alone =
        new AloneLimiter(
            ownLogs,
            localDecisions,
            new Corrections(store, sharedDecisions, ownLogs, Corrections.NO_CALLS),
            policy -> new OwnLog(policy, storeClock),
            clockMillis);
    this.gradualReturn = new GradualReturn(ownLogs, listener);
    this.mixedDecisions = new MixedDecisions(ownLogs, localDecisions, this::ask);
    builder.gate.requireFits(store.deadline());
    this.nodes = new StoreNodes(store, builder.gate, fleetSize, ticker, clockMillis, listener);
  }

  /**
   * Starts to describe a limiter.
   *
   * @param store the store; not started yet, and from now on the limiter's to start and close
   * @return a builder for an instance that is alone
   */
  public static Builder over(SharedStore store) {
    return new Builder(store);
  }

  /** Starts the store and the probers. Returns at once, whether the store answers or not. */
  public void start() {
    store.start(new FromStore());
    nodes.start();
  }

  @Override
  public Decision acquire(List<Charge> charges) {
    if (charges.isEmpty()) {
      throw new IllegalArgumentException("at least one charge is needed");
    }
    Decision known = sharedDecisions.known(charges);
    if (known != null) {
      return known;
    }
    int ceilings = ceilings(charges);
    if (ceilings > 0 && ceilings < charges.size()) {
      return mixedDecisions.decide(charges);
    }
    Decision shared = ceilings == 0 ? ask(charges) : null;
    return shared != null ? shared : alone.acquire(charges);
  }

  private @Nullable Decision ask(List<Charge> charges) {
    HealthGate gate = gate(store.nodeOf(charges.get(0)));
    if (gate.hasJustOpened()) {
      Decision refusal =
          gradualReturn.refusal(charges, millis(gate.shutSince()), millis(gate.openSince()));
      if (refusal != null) {
        return refusal;
      }
    }
    return attempt(charges.get(0), deadline -> sharedDecisions.ask(charges, deadline));
  }

  /** How many of the charges count on this instance only. */
  private static int ceilings(List<Charge> charges) {
    int ceilings = 0;
    for (int i = 0; i < charges.size(); i++) {
      ceilings += charges.get(i).policy().scope() == Scope.INSTANCE ? 1 : 0;
    }
    return ceilings;
  }

  /**
   * {@inheritDoc}
   *
   * <p>What the store admitted is taken out of this instance's own log first, and then out of the
   * store with one call, if its gate is open.
   */
  @Override
  public Refund refund(Decision decision, long units) {
    return corrections.refund(decision, units);
  }

  @Override
  public List<LimitUsage> usage(Policy policy, String key) {
    Charge look = new Charge(policy, key, 0);
    if (policy.scope() == Scope.INSTANCE) {
      return alone.usage(policy, key);
    }
    List<LimitUsage> shared = attempt(look, deadline -> sharedDecisions.look(look, deadline));
    return shared != null ? List.copyOf(shared) : alone.usage(policy, key);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Other instances hear of it from the store with their next decision about the key: that one
   * they may still refuse for what they themselves admitted before. A refusal that they remember
   * ends within 5 s.
   */
  @Override
  public Reset reset(Policy policy, String key) {
    return corrections.reset(policy, key);
  }

  /**
   * The same limiter when it is told to ask the store nothing: what it decides counts here as if
   * the store were lost, and a refund or a reset reaches this instance only.
   *
   * @return always the same; it needs no closing
   */
  public RateLimiter alone() {
    return alone;
  }

  /**
   * How the limiter counts now.
   *
   * @return {@link Mode#SHARED} if every node's gate is open, else the state of the first that is
   *     not; {@link Mode#DEGRADED} after {@link #close}
   */
  public Mode mode() {
    return nodes.mode();
  }

  /**
   * How the limiter counts now, node by node.
   *
   * @param node one of the store's nodes
   * @return the state of its gate
   * @throws IllegalArgumentException if there is no such node
   */
  public Mode mode(String node) {
    return gate(node).state();
  }

  /**
   * How long a node's gate has been in a state, all times together.
   *
   * @param node one of the store's nodes
   * @param mode the state
   * @return the time since the limiter was built, zero or more
   * @throws IllegalArgumentException if there is no such node
   */
  public Duration timeIn(String node, Mode mode) {
    return gate(node).timeIn(mode);
  }

  /**
   * Drops what is no longer live of the own logs, in short slices. For a background thread.
   *
   * @return how many keys were dropped
   */
  public int sweep() {
    return ownLogs.sweep();
  }

  /**
   * How many keys are held in this instance's own logs.
   *
   * @return 0 or more
   */
  public int keys() {
    return ownLogs.size();
  }

  /**
   * Units that were forgotten because their key had to make room for another.
   *
   * @return units since the limiter was built
   */
  public long forgottenUnits() {
    return ownLogs.forgottenUnits();
  }

  /**
   * How many callers wait for the store at this moment.
   *
   * @return 0 to the cap
   */
  public int inFlight() {
    return inFlight.inside();
  }

  /**
   * By how many instances each quota is divided when the store is lost: as many as were configured,
   * or as were alive at once in the last hour, if those were more. Frozen while the store is lost.
   *
   * @return 1 or more
   */
  public int fleetSize() {
    return fleetSize.size();
  }

  /**
   * Instances that were silent for more than 3 s at the last heartbeat, and had not said that they
   * leave: within the last hour they went away without a word, or go on without the store.
   *
   * @return 0 or more; 0 before the first heartbeat
   */
  public int missingInstances() {
    return fleetSize.lastHeard().missing();
  }

  /**
   * Stops the threads and closes the store, within a second. From then on every decision is made
   * here, and the mode is {@link Mode#DEGRADED}. Closing again does nothing.
   */
  @Override
  public void close() {
    nodes.leave();
    store.close();
    nodes.awaitEnd();
  }

  /** Null if the store did not answer, for whatever reason. */
  private <T> @Nullable T attempt(Charge charge, LongFunction<T> call) {
    String node = store.nodeOf(charge);
    if (!gate(node).isOpen()) {
      return null;
    }
    if (!inFlight.tryEnter()) {
      listener.shed();
      return null;
    }
    try {
      return call.apply(System.nanoTime() + deadlineNanos);
    } catch (StoreException fault) {
      listener.fault(node, fault);
      return null;
    } finally {
      inFlight.leave();
    }
  }

  boolean heartbeat(String node) {
    return nodes.heartbeat(node);
  }

  int heartbeatsHeard() {
    return fleetSize.heard();
  }

  private long millis(long reading) {
    return Math.floorDiv(reading - origin, NANOS_PER_MILLI);
  }

  /** When the node of a charge was lost; now, if it is in use and only one call failed. */
  private long lostAt(Charge charge, long now) {
    HealthGate gate = gate(store.nodeOf(charge));
    return gate.isOpen() ? now : millis(gate.shutSince());
  }

  HealthGate gate(String node) {
    return nodes.gate(node);
  }

  /** Hands on what the store notices. */
  private final class FromStore implements StoreListener {

    @Override
    public void sample(Sample sample) {
      nodes.sample(sample);
    }

    @Override
    public void replacedUnreadable(String node, long states) {
      listener.replacedUnreadable(node, states);
    }
  }

  /** Collects the settings of a {@link DegradedLimiter}. Not safe for use by several threads. */
  public static final class Builder {
    private final SharedStore store;
    private int fleetSize = 1;
    private int maxInFlight = DEFAULT_MAX_IN_FLIGHT;
    private GateSettings gate = GateSettings.defaults();
    private int maxKeys = LocalTable.DEFAULT_MAX_KEYS;
    private Ticker ticker = Ticker.system();
    private DegradedListener listener = DegradedListener.NONE;

    private Builder(SharedStore store) {
      this.store = store;
    }

    /**
     * Sets how many instances share the store at least. More are counted as soon as they are seen.
     *
     * @param instances 1 to 100,000; without the store each may give out one part of so many
     * @return this
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder fleetSize(int instances) {
      this.fleetSize = inRange("fleet size", instances, FleetSize.MOST);
      return this;
    }

    /**
     * Sets how many callers may wait for the store at once; the next is answered locally.
     *
     * @param callers 1 to 1,000,000; 256 by default
     * @return this
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder maxInFlight(int callers) {
      this.maxInFlight = inRange("max-in-flight", callers, 1_000_000);
      return this;
    }

    /**
     * Sets when the gates shut and how they open again.
     *
     * @param settings the numbers; {@link GateSettings#defaults} by default
     * @return this
     */
    public Builder gate(GateSettings settings) {
      this.gate = settings;
      return this;
    }

    /**
     * Sets for how many keys this instance's own admissions are remembered.
     *
     * @param keys 1 to 100,000,000; 100,000 by default
     * @return this
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder maxKeys(int keys) {
      this.maxKeys = inRange("max-keys", keys, 100_000_000);
      return this;
    }

    /**
     * Sets the clock by which local units expire and the gate judges.
     *
     * @param ticker the clock; that of this machine by default
     * @return this
     */
    public Builder ticker(Ticker ticker) {
      this.ticker = ticker;
      return this;
    }

    /**
     * Sets who is told about transitions, samples and faults.
     *
     * @param listener the listener
     * @return this
     */
    public Builder listener(DegradedListener listener) {
      this.listener = listener;
      return this;
    }

    /**
     * Builds the limiter; nothing is started yet.
     *
     * @return the limiter
     * @throws IllegalArgumentException if the gate's numbers do not fit each other or the deadline
     */
    public DegradedLimiter build() {
      return new DegradedLimiter(this);
    }

    private static int inRange(String what, int value, int most) {
      if (value < 1 || value > most) {
        throw new IllegalArgumentException("%s %d is outside 1 to %d".formatted(what, value, most));
      }
      return value;
    }
  }
}
