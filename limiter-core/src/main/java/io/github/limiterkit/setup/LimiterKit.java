package io.github.limiterkit.setup;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Mode;
import io.github.limiterkit.OperatorSwitch;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Reset;
import io.github.limiterkit.Source;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.HttpRateLimiter;
import io.github.limiterkit.http.RefusalBody;
import io.github.limiterkit.http.address.AddressGrouping;
import io.github.limiterkit.http.address.Networks;
import io.github.limiterkit.http.address.TrustedProxies;
import io.github.limiterkit.http.answer.Dialect;
import io.github.limiterkit.http.answer.LegacyFields;
import io.github.limiterkit.http.answer.PartitionKeys;
import io.github.limiterkit.metrics.KitMetrics;
import io.github.limiterkit.redis.RedisStore;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The kit: what an application builds once, holds, and closes.
 *
 * <pre>{@code
 * HttpPolicy perClient = HttpPolicy.named("per-client").limits("100/1m, 10/1s").build();
 * HttpPolicy login = HttpPolicy.named("login").limits("5/15m").build();
 *
 * LimiterKit kit = LimiterKit.builder()
 *     .store(RedisStore.at("redis://localhost:6379").namespace("shop"))
 *     .fleetSize(4)
 *     .route("/*", perClient)
 *     .route("POST /login", login)
 *     .build();
 * }</pre>
 *
 * <p>Without a store it is the same kit: it limits this instance with the full quota. That is a
 * choice, not a fault; its mode is {@link Mode#LOCAL}.
 *
 * <p>Safe for use by any number of threads, platform or virtual. Its own threads are daemons and
 * named {@code limiterkit-...}.
 */
public final class LimiterKit implements AutoCloseable {

  private final RunningKit running;

  LimiterKit(RunningKit running) {
    this.running = running;
  }

  /**
   * Starts to describe a kit.
   *
   * @return a builder without a store and without policies
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Starts to describe a kit that counts in the memory of this instance: the same as {@link
   * #builder} without a store.
   *
   * @return a builder without policies
   */
  public static Builder inMemory() {
    return new Builder();
  }

  /**
   * Builds a kit from a file such as {@code limiter.yaml}.
   *
   * @param file in YAML 1.2, as the user guide describes it
   * @return a kit that is running, to be closed by the caller
   * @throws LimiterConfigurationException if something is wrong, telling all of it with lines and
   *     columns
   */
  public static LimiterKit from(Path file) {
    return builder().config(file).build();
  }

  /**
   * Reads a file such as {@code limiter.yaml} and starts nothing, for a test or before a roll-out.
   * Variables are those of this process. A store is not connected to.
   *
   * @param file as in {@link #from}
   * @return what is wrong, one line for each; empty if a kit can be built from it
   */
  public static List<String> check(Path file) {
    return builder().config(file).check();
  }

  /**
   * Builds a kit with one policy for all requests from text, as a filter's init-params give it:
   * {@code name}, {@code limits}, {@code key} and further words of the user guide; or from the file
   * that {@code config} names, on the class path ({@code classpath:limiter.yaml}) or in the file
   * system. Only {@code name} and {@code limits}, or {@code config}, must be there.
   *
   * @param owner whose parameters they are, for messages, as in {@code filter "limits"}
   * @param parameters value by name
   * @return a kit that is running, to be closed by the caller
   * @throws LimiterConfigurationException if something is wrong, telling all of it
   */
  public static LimiterKit fromParameters(String owner, Map<String, String> parameters) {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context == null ? LimiterKit.class.getClassLoader() : context;
    return fromParameters(owner, parameters, ConfigLocations.standard(loader));
  }

  /**
   * As {@link #fromParameters(String, Map)}, with other places for the file.
   *
   * @param owner whose parameters they are, for messages, as in {@code filter "limits"}
   * @param parameters value by name
   * @param locations finds the file that {@code config} names
   * @return a kit that is running, to be closed by the caller
   * @throws LimiterConfigurationException if something is wrong, telling all of it
   */
  public static LimiterKit fromParameters(
      String owner, Map<String, String> parameters, ConfigLocations locations) {
    return new LimiterKit(Parameters.start(owner, parameters, locations));
  }

  /**
   * The rules of HTTP over this kit, for the adapters.
   *
   * @return always the same
   */
  public HttpRateLimiter http() {
    return running.http();
  }

  /**
   * Asks for one unit, without HTTP: for a job, a consumer, a socket.
   *
   * @param policy the name of one of the kit's policies
   * @param key who is charged; names its kind, as in {@code user:customer-42}
   * @return the decision, never null, also when the store is slow or gone
   * @throws IllegalArgumentException if no policy has that name, or the key is empty
   */
  public Decision acquire(String policy, String key) {
    return acquire(policy, key, 1);
  }

  /**
   * Asks for some units of the policy's own limits, whatever tiers it has. A policy that is tried
   * out says yes in any case, and so does a kit that is switched off.
   *
   * @param policy the name of one of the kit's policies
   * @param key who is charged; names its kind, as in {@code user:customer-42}
   * @param cost units, 0 to 4,000,000,000; 0 looks without charging
   * @return the decision, never null, also when the store is slow or gone
   * @throws IllegalArgumentException if no policy has that name, the key is empty, or the cost is
   *     out of range
   */
  public Decision acquire(String policy, String key, long cost) {
    Charge charge = new Charge(named(policy), key, cost);
    HttpRateLimiter http = running.http();
    if (!http.isEnabled()) {
      return new Decision(true, Source.LOCAL, List.of());
    }
    Decision decision = running.limiter().acquire(charge);
    if (decision.allowed()) {
      return decision;
    }
    HttpPolicy asked = http.policy(policy);
    return asked == null || !http.isShadow(asked)
        ? decision
        : new Decision(true, decision.source(), decision.usages());
  }

  /**
   * Gives back what a decision charged: the work was not done after all.
   *
   * <pre>{@code
   * Decision decision = kit.acquire("orders", "user:customer-42");
   * if (decision.allowed() && !place(order)) {
   *   kit.refund(decision);
   * }
   * }</pre>
   *
   * <p>At most once for a decision, whoever tries, and never more than it took. Nothing is given
   * back of a refusal, of what {@code OPEN} let pass uncounted, and of what has left its window.
   *
   * @param decision an answer of this kit
   * @return what was given back, never null; {@link Refund#complete} is false if the store could
   *     not be told, which then goes on counting: nothing is kept for later
   */
  public Refund refund(Decision decision) {
    return running.limiter().refund(decision);
  }

  /**
   * Gives back a part of what a decision charged: less was done than was asked for. As {@link
   * #refund(Decision)}, and once for a decision too.
   *
   * @param decision an answer of this kit
   * @param units how many to give back of each of its charges, 0 to 4,000,000,000; what a charge
   *     did not take is not given back
   * @return what was given back, never null
   * @throws IllegalArgumentException if {@code units} is out of range
   */
  public Refund refund(Decision decision, long units) {
    return running.limiter().refund(decision, units);
  }

  /**
   * Looks at one key: charges nothing, and leaves no trace.
   *
   * @param policy the name of one of the kit's policies
   * @param key as in {@link #acquire(String, String)}
   * @return how each limit stands, in the policy's order: from the store, or while that is gone
   *     from this instance's memory, as {@link LimitUsage#source} says; empty if the policy lets
   *     pass uncounted meanwhile
   * @throws IllegalArgumentException if no policy has that name, or the key is empty
   */
  public List<LimitUsage> usage(String policy, String key) {
    return running.limiter().usage(named(policy), key);
  }

  /**
   * Starts afresh with one key, for a support desk: nothing counts any more of what was charged to
   * it under a policy, and what was charged before cannot be refunded any more.
   *
   * <p>Other instances hear of it from the store with their next decision about the key. That one
   * they may still refuse, and a refusal that they remember ends within 5 s.
   *
   * @param policy the name of one of the kit's policies
   * @param key as in {@link #acquire(String, String)}
   * @return whether all of it was done: {@link Reset#STORE_NOT_REACHED} if the store is slow or
   *     gone, so that only this instance starts afresh; try again then
   * @throws IllegalArgumentException if no policy has that name, or the key is empty
   */
  public Reset reset(String policy, String key) {
    return running.limiter().reset(named(policy), key);
  }

  /**
   * Switches this instance to something else for a while: the operator's way out, also by JMX. It
   * always ends by itself; set again it takes the place of what was set before. The log says when
   * it begins and when it ends, with the reason and with how much was decided by it.
   *
   * <pre>{@code
   * kit.override(
   *     OperatorSwitch.LOCAL_ONLY, Duration.ofMinutes(15), "INC-1234: store under maintenance");
   * }</pre>
   *
   * <p>What {@link OperatorSwitch#ALLOW_ALL} lets pass is in the metrics and counted nowhere else,
   * so that it does not come back as refusals when the time is over.
   *
   * @param position what to do meanwhile; {@link OperatorSwitch#NORMAL} ends what was set
   * @param duration after which it ends, 1 s to 24 h; of no meaning for {@code NORMAL}
   * @param reason for the log, 1 to 200 characters
   * @throws IllegalArgumentException if the duration is out of range, or the reason is blank or too
   *     long
   * @throws IllegalStateException if the kit is closed
   */
  public void override(OperatorSwitch position, Duration duration, String reason) {
    running.operatorOverride().set(position, duration, reason, "the API");
  }

  /**
   * The counter under the kit, for charges to several policies at once.
   *
   * @return a limiter that counts in this kit's metrics; closed with the kit
   */
  public RateLimiter limiter() {
    return running.limiter();
  }

  /**
   * How the kit counts now, unless an operator has switched it ({@link KitStatus#override}).
   *
   * @return {@link Mode#LOCAL} without a store; else {@link Mode#SHARED} only if every node of the
   *     store is in use, and {@link Mode#DEGRADED} once the kit is closed
   */
  public Mode mode() {
    return running.mode();
  }

  /**
   * How the kit is doing. Cheap; asks no store.
   *
   * @return the state at this moment
   */
  public KitStatus status() {
    return running.status();
  }

  /**
   * Stops what the kit has started, within a second whatever the store does, and takes its metrics
   * out of their registry. Closing again does nothing. What the caller handed in stays open.
   *
   * <p>A decision after that is still made, from this instance's memory; it never hangs and never
   * throws because the kit is closed.
   */
  @Override
  public void close() {
    running.close();
  }

  private Policy named(String policy) {
    HttpPolicy named = running.http().policy(policy);
    if (named == null) {
      throw new IllegalArgumentException(
          "no policy is named \"%s\"%s".formatted(policy, running.http().didYouMean(policy)));
    }
    return named.policy();
  }

  /**
   * Describes a {@link LimiterKit}. Nothing is checked before {@link #build}, which tells
   * everything that is wrong at once. Not safe for use by several threads.
   */
  public static final class Builder {

    private final Blueprint blueprint = new Blueprint();
    private Errors errors = new Errors("limiterkit");
    private boolean configured;

    private Builder() {}

    /**
     * Takes what a file such as {@code limiter.yaml} says, and adds it to what is here. A single
     * setting that is made here later takes the place of the file's.
     *
     * @param file in YAML 1.2, as the user guide describes it; what is wrong with it is told by
     *     {@link #build}
     * @return this
     * @throws IllegalStateException if there is a file already
     */
    public Builder config(Path file) {
      if (configured) {
        throw new IllegalStateException("a kit has one configuration file; join the two");
      }
      configured = true;
      errors = new Errors(file.toString());
      ConfigFile.read(() -> Files.newInputStream(file), blueprint, errors);
      return this;
    }

    /**
     * Counts together with other instances, in a store.
     *
     * @param store where it is; the kit opens and closes it
     * @return this
     */
    public Builder store(RedisStore store) {
      blueprint.store(store);
      return this;
    }

    /**
     * Sets how many instances share the store at least. When the store is lost, each gives out one
     * part of so many, or of as many as were alive at once in the last hour, if those were more.
     * Not set, it counts as 1, and the kit warns: an instance that starts while the store is lost
     * has seen nobody. Without a store it has no effect.
     *
     * @param instances 1 to 100,000
     * @return this
     */
    public Builder fleetSize(int instances) {
      blueprint.fleetSize(instances);
      return this;
    }

    /**
     * Sets how many callers may wait for the store at once; the next is answered from memory.
     * Without a store it has no effect.
     *
     * @param callers 1 to 1,000,000; 256 by default
     * @return this
     */
    public Builder maxInFlight(int callers) {
      blueprint.maxInFlight(callers);
      return this;
    }

    /**
     * Sets which calls of the store are slow: those that take longer than this. Too many slow ones,
     * and the store is given up for a while. Without a store it has no effect.
     *
     * @param slow 1 ms to 10 s, and not more than the store's deadline; half of that by default
     * @return this
     */
    public Builder slow(Duration slow) {
      Objects.requireNonNull(slow, "slow");
      blueprint.gate("slow", gate -> gate.slow(slow));
      return this;
    }

    /**
     * Sets after how many failed calls one after the other the store is given up for a while.
     * Without a store it has no effect.
     *
     * @param failures 1 to 100; 3 by default
     * @return this
     */
    public Builder failuresInARow(int failures) {
      blueprint.gate("failures-in-a-row", gate -> gate.failuresInARow(failures));
      return this;
    }

    /**
     * Sets after how many failed or slow calls of the last ten the store is given up for a while.
     * Without a store it has no effect.
     *
     * @param failures 1 to 11; 5 by default; 11 of ten never happens, so it switches this off
     * @return this
     */
    public Builder failuresOfTen(int failures) {
      blueprint.gate("failures-of-ten", gate -> gate.failuresOfTen(failures));
      return this;
    }

    /**
     * Sets the wait before a store that was given up is tried for the first time. Each wait is
     * shortened at random by up to a half. Without a store it has no effect.
     *
     * @param wait 1 ms to 1 minute, and not more than the longest wait; 100 ms by default
     * @return this
     */
    public Builder probeFirst(Duration wait) {
      Objects.requireNonNull(wait, "wait");
      blueprint.gate("probe-first", gate -> gate.probeFirst(wait));
      return this;
    }

    /**
     * Sets up to what the wait between two trials of a store that was given up doubles. Without a
     * store it has no effect.
     *
     * @param wait 1 ms to 1 hour, and not less than the first wait; by default 2 s, or 5 ms for
     *     each instance of the fleet, or the first wait, whatever is longest
     * @return this
     */
    public Builder probeLongest(Duration wait) {
      Objects.requireNonNull(wait, "wait");
      blueprint.gate("probe-longest", gate -> gate.probeLongest(wait));
      return this;
    }

    /**
     * Sets how many keys are remembered in this instance's memory.
     *
     * @param keys 1 to 100,000,000; 100,000 by default
     * @return this
     */
    public Builder maxKeys(int keys) {
      blueprint.maxKeys(keys);
      return this;
    }

    /**
     * Sets the clock, so that a test need not sleep. The store has a clock of its own.
     *
     * @param ticker the clock; that of this machine by default
     * @return this
     */
    public Builder ticker(Ticker ticker) {
      blueprint.ticker(ticker);
      return this;
    }

    /**
     * Charges requests to policies. Every route that matches a request applies, so that adding one
     * can only tighten; a policy is charged once.
     *
     * @param route a path, or a method, a space and a path: {@code /*}, {@code POST /login}, {@code
     *     /users/{id}}, {@code *.css}
     * @param policies at least one
     * @return this
     */
    public Builder route(String route, HttpPolicy... policies) {
      blueprint.route(route, policies);
      return this;
    }

    /**
     * Adds policies that no route charges, for an annotation or for {@link LimiterKit#acquire}.
     *
     * @param policies the policies
     * @return this
     */
    public Builder policy(HttpPolicy... policies) {
      blueprint.policy(policies);
      return this;
    }

    /**
     * Charges CORS preflights, and them alone, to policies of their own. Without any they are free.
     *
     * @param policies whose key is known without credentials, as by the client's address
     * @return this
     */
    public Builder preflight(HttpPolicy... policies) {
      blueprint.preflight(policies);
      return this;
    }

    /**
     * Sets whether a path is the same in any letter case, for an application that serves it so.
     *
     * @param ignored false by default
     * @return this
     */
    public Builder ignoreCase(boolean ignored) {
      blueprint.ignoreCase(ignored);
      return this;
    }

    /**
     * Sets whether a refusal in a servlet container shows the error page of the application or the
     * container, with the kit's fields and without its body.
     *
     * @param used false by default
     * @return this
     */
    public Builder errorPage(boolean used) {
      blueprint.errorPage(used);
      return this;
    }

    /**
     * Sets whether {@code RateLimit} tells an accepted client of one limit only, that of which
     * least is left.
     *
     * @param only false by default: it tells of all
     * @return this
     */
    public Builder onlyClosest(boolean only) {
      blueprint.onlyClosest(only);
      return this;
    }

    /**
     * Sets who writes the parameter {@code pk} of {@code RateLimit}, by which a client tells apart
     * quotas that it shares with others.
     *
     * @param keys as in {@code PartitionKeys.of(secret)}; none by default
     * @return this
     */
    public Builder partitionKeys(PartitionKeys keys) {
      blueprint.partitionKeys(keys);
      return this;
    }

    /**
     * Lifts all limits from some paths.
     *
     * @param paths such as {@code /health}, {@code /assets/*} or {@code *.css}
     * @return this
     */
    public Builder exempt(String... paths) {
      blueprint.exempt(paths);
      return this;
    }

    /**
     * Switches the kit on or off. Switched off it is there, counts nothing, lets everything pass,
     * and says so once at WARN; no store is connected to.
     *
     * @param enabled true by default
     * @return this
     */
    public Builder enabled(boolean enabled) {
      blueprint.enabled(enabled);
      return this;
    }

    /**
     * Sets whether the kit is in the platform's MBean server, as {@link LimiterKitMXBean}.
     *
     * @param jmx true by default
     * @return this
     */
    public Builder jmx(boolean jmx) {
      blueprint.jmx(jmx);
      return this;
    }

    /**
     * Sets whether all policies are tried out: they count and are in the metrics, none refuses, and
     * clients notice nothing. How a roll-out begins.
     *
     * @param shadow false by default: then each policy says so itself
     * @return this
     */
    public Builder shadow(boolean shadow) {
      blueprint.shadow(shadow);
      return this;
    }

    /**
     * Lifts all limits from some clients, by address.
     *
     * @param networks where they come from, as in {@code Networks.of("10.0.0.0/8")}
     * @return this
     */
    public Builder allow(Networks networks) {
      blueprint.allow(networks);
      return this;
    }

    /**
     * Answers some clients with 403, by address, whatever else is said of them. They are charged
     * nothing.
     *
     * @param networks where they come from, as in {@code Networks.of("192.0.2.0/24")}
     * @return this
     */
    public Builder deny(Networks networks) {
      blueprint.deny(networks);
      return this;
    }

    /**
     * Sets whom to believe about the address of a client. Leave it off if the container does so
     * itself.
     *
     * @param proxies those in front of the application; nobody by default
     * @return this
     */
    public Builder trustedProxies(TrustedProxies proxies) {
      blueprint.trustedProxies(proxies);
      return this;
    }

    /**
     * Sets which addresses are one client.
     *
     * @param grouping IPv4 addresses one by one and IPv6 by /64 by default
     * @return this
     */
    public Builder clientAddress(AddressGrouping grouping) {
      blueprint.ipv4Prefix(grouping.ipv4Prefix());
      blueprint.ipv6Prefix(grouping.ipv6Prefix());
      blueprint.ipv4In(grouping.ipv4In());
      return this;
    }

    /**
     * Sets whether answers say in a field {@code Limiter-Source} who decided. Off by default: it
     * tells clients when the store is lost.
     *
     * @param shown whether
     * @return this
     */
    public Builder limiterSource(boolean shown) {
      blueprint.limiterSource(shown);
      return this;
    }

    /**
     * Sets in which form answers tell of limits.
     *
     * @param dialect {@link Dialect#DRAFT_11} by default
     * @return this
     */
    public Builder dialect(Dialect dialect) {
      blueprint.dialect(dialect);
      return this;
    }

    /**
     * Sets whether answers also have {@code X-RateLimit-*}.
     *
     * @param fields {@link LegacyFields#OFF} by default
     * @return this
     */
    public Builder legacyFields(LegacyFields fields) {
      blueprint.legacyFields(fields);
      return this;
    }

    /**
     * Sets whether answers to requests with {@code Origin} name the kit's fields in {@code
     * Access-Control-Expose-Headers}, so that scripts can read them.
     *
     * @param exposed false by default
     * @return this
     */
    public Builder exposeFields(boolean exposed) {
      blueprint.exposeFields(exposed);
      return this;
    }

    /**
     * Lengthens the waits of refusals at random, so that not all clients come back at once.
     *
     * @param most up to which, in whole seconds: 1 s to 1 h; none by default
     * @return this
     */
    public Builder jitter(Duration most) {
      blueprint.jitter(most);
      return this;
    }

    /**
     * Sets who writes the bodies of refusals.
     *
     * @param body the writer; the kit itself by default
     * @return this
     */
    public Builder refusalBody(RefusalBody body) {
      blueprint.refusalBody(body);
      return this;
    }

    /**
     * Sets the problem types in the body of a refusal, which are not registered yet.
     *
     * @param quotaExceeded the type of a 429
     * @param reducedCapacity the type of a 503
     * @return this
     */
    public Builder problemTypes(URI quotaExceeded, URI reducedCapacity) {
      blueprint.problemTypes(quotaExceeded, reducedCapacity);
      return this;
    }

    /**
     * Sets the longest wait that a client is told.
     *
     * @param longest 1 s or more, rounded down to whole seconds; a day by default
     * @return this
     */
    public Builder retryAfterMax(Duration longest) {
      blueprint.retryAfterMax(longest);
      return this;
    }

    /**
     * Publishes the kit's figures; may be called several times.
     *
     * @param metrics where, as in {@code DropwizardMetrics.on(registry)}
     * @return this
     */
    public Builder metrics(KitMetrics metrics) {
      blueprint.metrics(metrics);
      return this;
    }

    /**
     * Checks the description, starts the kit, and logs what it does. Returns within a second,
     * whether the store answers or not.
     *
     * @return a kit that is running, to be closed by the caller
     * @throws LimiterConfigurationException if something is wrong, telling all of it
     */
    public LimiterKit build() {
      return new LimiterKit(blueprint.start(errors.copy()));
    }

    List<String> check() {
      Errors all = errors.copy();
      blueprint.check(all);
      return all.lines();
    }
  }
}
