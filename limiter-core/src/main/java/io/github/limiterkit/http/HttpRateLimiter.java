package io.github.limiterkit.http;

import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.http.address.AddressGrouping;
import io.github.limiterkit.http.address.Networks;
import io.github.limiterkit.http.address.TrustedProxies;
import io.github.limiterkit.http.answer.Dialect;
import io.github.limiterkit.http.answer.EpochClock;
import io.github.limiterkit.http.answer.LegacyFields;
import io.github.limiterkit.http.answer.PartitionKeys;
import io.github.limiterkit.http.answer.Problem;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of HTTP over a {@link RateLimiter}: which policies a request is charged to, on whose
 * account, and what it is told.
 *
 * <p>All policies that apply are asked at once, and either all are charged or none. However many
 * filters and adapters see a request, each policy is charged once for it. CORS preflights are not
 * counted.
 *
 * <p>Safe for use by several threads. Nothing that a client sends makes it throw.
 */
public final class HttpRateLimiter {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");

  private final boolean enabled;
  private final boolean errorPage;
  private final Rules rules;
  private final Charging charging;
  private final Answers answers;
  private final ClientAddresses addresses;
  private final LogGate nameGate;
  private final LogGate twinGate;
  private final SecondPhase secondPhase;

  private HttpRateLimiter(Builder builder) {
    this.enabled = builder.enabled;
    this.errorPage = builder.errorPage;
    this.rules =
        new Rules(
            builder.ignoresCase
                ? builder.routes.stream().map(Route::inLowerCase).toList()
                : List.copyOf(builder.routes),
            Collections.unmodifiableMap(new LinkedHashMap<>(builder.policies)),
            builder.ignoresCase
                ? builder.exempt.stream().map(PathPattern::inLowerCase).toList()
                : List.copyOf(builder.exempt),
            builder.allow,
            builder.deny,
            List.copyOf(builder.preflight),
            builder.ignoresCase);
    this.charging = new Charging(builder.limiter, builder.shadow, builder.ticker);
    this.answers = new Answers(builder.answers, builder.ticker);
    this.addresses = new ClientAddresses(builder.grouping, builder.trusted);
    this.nameGate = new LogGate(builder.ticker);
    this.twinGate = new LogGate(builder.ticker);
    this.secondPhase = new SecondPhase(rules.routes());
  }

  /**
   * Starts the rules over a limiter.
   *
   * @param limiter what decides; stays the caller's
   * @return a builder that has no policies yet
   */
  public static Builder over(RateLimiter limiter) {
    return new Builder(limiter);
  }

  /**
   * Asks every policy whose route matches the request and that was not asked for it before.
   *
   * @param request the request
   * @param response what its response says already
   * @return the verdict, never null
   */
  public Verdict check(RequestView request, ResponseView response) {
    return check(request, response, List.of());
  }

  /**
   * As {@link #check(RequestView, ResponseView)}, and further policies by name, as an annotation
   * gives them.
   *
   * <p>A name that no policy has is a mistake in the application: such requests are refused with
   * 503, and the log names the name. An adapter finds out beforehand with {@link #policy}.
   *
   * @param request the request
   * @param response what its response says already
   * @param names of policies
   * @return the verdict, never null
   */
  public Verdict check(RequestView request, ResponseView response, Collection<String> names) {
    return check(request, response, names, true);
  }

  /**
   * As {@link #check(RequestView, ResponseView)}, but only the policies whose key is known before
   * the user is authenticated. The others are asked by a later check.
   *
   * @param request the request
   * @param response what its response says already
   * @return the verdict, never null
   */
  public Verdict checkBeforeAuthentication(RequestView request, ResponseView response) {
    return check(request, response, List.of(), false);
  }

  /**
   * As {@link #check(RequestView, ResponseView)}, in one of two phases.
   *
   * @param request the request
   * @param response what its response says already
   * @param phase whether this is before or after authentication
   * @return the verdict, never null
   */
  public Verdict check(RequestView request, ResponseView response, Phase phase) {
    return check(request, response, List.of(), phase == Phase.AFTER_AUTHENTICATION);
  }

  /**
   * Says that an adapter starts which asks after authentication, or once for both phases.
   *
   * @see #awaitsSecondPhase
   */
  public void startSecondPhase() {
    secondPhase.asked();
  }

  /**
   * Whether policies of a request wait for somebody who asks after authentication, and nobody ever
   * has, or has started to. For an adapter that asks before it, and tells of it with {@link
   * #missedSecondPhase}.
   *
   * @param request the request
   * @return false as soon as there is anybody for the second phase
   */
  public boolean awaitsSecondPhase(RequestView request) {
    return enabled && !secondPhase.isSettled() && leavesPolicies(request);
  }

  /**
   * Says that the application has answered a request for which {@link #awaitsSecondPhase} was true.
   * If nobody has asked after authentication still, this is warned of, once.
   *
   * @param adapter who asked before authentication, for people, as in {@code filter "limits"}
   */
  public void missedSecondPhase(String adapter) {
    secondPhase.missed(adapter);
  }

  private boolean leavesPolicies(RequestView view) {
    ClientRequest request = new ClientRequest(view, addresses, rules.ignoresCase());
    return rules.standing(request) == Rules.Standing.LIMITED && rules.leavesPolicies(request);
  }

  /**
   * The fields for a response whose status is known, about everything that was decided for its
   * request so far. For a framework whose response replaces what filters have set before.
   *
   * @param request the request
   * @param response what the response says
   * @param status the status of the response; a redirect has none of our fields
   * @return the fields to set, none if no policy applied
   */
  public List<Field> fields(RequestView request, ResponseView response, int status) {
    RequestLedger ledger = RequestLedger.find(request);
    if (ledger == null || ledger.isEmpty() || (status >= 300 && status < 400)) {
      return List.of();
    }
    return answers.fields(ledger, request, response);
  }

  /**
   * All policies, in the order they were named.
   *
   * @return each once
   */
  public List<HttpPolicy> policies() {
    return List.copyOf(rules.policies().values());
  }

  /**
   * The policy of a name.
   *
   * @param name of the policy
   * @return the policy, null if there is none; {@link #didYouMean} helps then
   */
  public @Nullable HttpPolicy policy(String name) {
    return rules.policies().get(name);
  }

  /**
   * The end of an error message about a name that no policy has.
   *
   * @param name as it was written
   * @return {@code ; did you mean "..."?}, or nothing if no name is near
   */
  public String didYouMean(String name) {
    return Spelling.didYouMean(name, rules.policies().keySet());
  }

  /**
   * The routes.
   *
   * @return in the order they were added
   */
  public List<Route> routes() {
    return rules.routes();
  }

  /**
   * Whether a policy counts and refuses nobody, by itself or with the whole.
   *
   * @param policy one of {@link #policies}
   * @return true if it is tried out
   */
  public boolean isShadow(HttpPolicy policy) {
    return charging.isShadow(policy);
  }

  /**
   * Whether anything is counted at all.
   *
   * @return false if all is switched off
   */
  public boolean isEnabled() {
    return enabled;
  }

  /**
   * Whether the container's own error page takes the place of the kit's body, where there is one.
   *
   * @return false by default
   */
  public boolean usesErrorPage() {
    return errorPage;
  }

  /**
   * How often a key resolver threw since the start.
   *
   * @return the number, 0 or more
   */
  public long resolverFailures() {
    return charging.resolverFailures();
  }

  private Verdict check(
      RequestView view, ResponseView response, Collection<String> names, boolean authenticated) {
    if (!enabled) {
      return Verdict.PASS;
    }
    if (authenticated) {
      secondPhase.asked();
    }
    Verdict verdict = judge(view, response, names, authenticated);
    if (verdict.refused()) {
      turnAway(RequestLedger.find(view));
    }
    return verdict;
  }

  private static void turnAway(@Nullable RequestLedger ledger) {
    if (ledger != null) {
      ledger.turnAway();
    }
  }

  private Verdict judge(
      RequestView view, ResponseView response, Collection<String> names, boolean authenticated) {
    ClientRequest request = new ClientRequest(view, addresses, rules.ignoresCase());
    switch (rules.standing(request)) {
      case DENIED -> {
        return answers.denied(request);
      }
      case FREE -> {
        return Verdict.PASS;
      }
      case LIMITED -> {}
    }
    RequestLedger ledger = RequestLedger.open(request, this);
    List<Asked> asked;
    try {
      asked = rules.asked(request, names, authenticated);
    } catch (Rules.UnknownPolicy unknown) {
      return unknown(String.valueOf(unknown.getMessage()), request);
    }
    if (ledger.hasCharged()) {
      asked.removeIf(one -> isCharged(one.policy(), ledger));
    }
    return asked.isEmpty() ? Verdict.PASS : decide(asked, ledger, request, response);
  }

  private boolean isCharged(HttpPolicy policy, RequestLedger ledger) {
    HttpPolicy charged = ledger.charged(policy.name());
    if (charged != null && charged != policy) {
      warnOfTwin(policy);
    }
    return charged != null;
  }

  /** For adapters with a kit each, which nobody can hold against each other at the start. */
  private void warnOfTwin(HttpPolicy policy) {
    long kept = twinGate.pass();
    if (kept >= 0) {
      log.warn(
          "LK003 policy {} of this kit was not charged, for another kit has charged its own of that"
              + " name for the same request; give one of them another name ({} more since the last"
              + " such line)",
          policy.name(),
          kept);
    }
  }

  private Verdict decide(
      List<Asked> asked, RequestLedger ledger, ClientRequest request, ResponseView response) {
    List<HttpPolicy> keyless = new ArrayList<>(0);
    List<Charged> charges = charging.charges(request, asked, keyless);
    if (!keyless.isEmpty()) {
      return answers.keyless(keyless, request);
    }
    ledger.mark(asked);
    if (charges.isEmpty()) {
      return Verdict.PASS; // tried out by policies whose key it lacks
    }
    ledger.record(charging.decide(charges), charging);
    if (!ledger.refused()) {
      return answers.accepted(ledger, request, response);
    }
    ledger.jitter(answers.jitter());
    return answers.refused(ledger, request, response);
  }

  private Verdict unknown(String name, RequestView request) {
    long kept = nameGate.pass();
    if (kept >= 0) {
      log.error(
          "no policy is named \"{}\"{}; the requests that ask for it are refused ({} more"
              + " since the last such line)",
          name,
          didYouMean(name),
          kept);
    }
    return answers.unavailable(request);
  }

  /** Collects the parts of a {@link HttpRateLimiter}. Not safe for use by several threads. */
  public static final class Builder {
    private final RateLimiter limiter;
    private final List<Route> routes = new ArrayList<>();
    private final Map<String, HttpPolicy> policies = new LinkedHashMap<>();
    private final List<PathPattern> exempt = new ArrayList<>();
    private final AnswerSettings answers = new AnswerSettings();
    private Ticker ticker = Ticker.system();
    private boolean enabled = true;
    private boolean shadow;
    private boolean errorPage;
    private boolean ignoresCase;
    private final List<HttpPolicy> preflight = new ArrayList<>();
    private Networks allow = Networks.NONE;
    private Networks deny = Networks.NONE;
    private AddressGrouping grouping = AddressGrouping.DEFAULT;
    private @Nullable TrustedProxies trusted;

    private Builder(RateLimiter limiter) {
      this.limiter = Objects.requireNonNull(limiter, "limiter");
    }

    /**
     * Adds a route.
     *
     * @param text as {@link Route#of(String, HttpPolicy...)} reads it, such as {@code POST /login}
     * @param charged the policies to charge, at least one
     * @return this
     * @throws IllegalArgumentException if the text cannot be read, or another policy has the name
     *     of one of these
     */
    public Builder route(String text, HttpPolicy... charged) {
      return route(Route.of(text, charged));
    }

    /**
     * Adds a route.
     *
     * @param route the route
     * @return this
     * @throws IllegalArgumentException if another policy has the name of one of its policies
     */
    public Builder route(Route route) {
      route.policies().forEach(this::policy);
      routes.add(route);
      return this;
    }

    /**
     * Adds a policy that no route charges, to be asked by name.
     *
     * @param policy the policy
     * @return this
     * @throws IllegalArgumentException if another policy has its name
     */
    public Builder policy(HttpPolicy policy) {
      HttpPolicy other = policies.putIfAbsent(policy.name(), policy);
      if (other != null && other != policy) {
        throw new IllegalArgumentException(
            "two policies are named \"" + policy.name() + "\"; give one of them another name");
      }
      return this;
    }

    /**
     * Charges CORS preflights, and them alone, to policies of their own. Without any they are free.
     *
     * @param charged policies whose key is known without credentials, which preflights never carry
     * @return this
     * @throws IllegalArgumentException if a policy needs the user, or another one has its name
     */
    public Builder preflight(HttpPolicy... charged) {
      for (HttpPolicy policy : charged) {
        if (policy.needsPrincipal()) {
          throw new IllegalArgumentException(
              "policy \"%s\" is by %s, and preflights carry no credentials; use client-address"
                  .formatted(policy.name(), Keys.describe(policy.key())));
        }
        policy(policy);
        preflight.add(policy);
      }
      return this;
    }

    /**
     * Sets whether a path is the same in any letter case, for an application that serves it so.
     *
     * @param ignored false by default
     * @return this
     */
    public Builder ignoreCase(boolean ignored) {
      this.ignoresCase = ignored;
      return this;
    }

    /**
     * Sets whether a refusal is handed to the container's error page, with the kit's fields and
     * without its body.
     *
     * @param used false by default; adapters to frameworks without error pages pay no attention
     * @return this
     */
    public Builder errorPage(boolean used) {
      this.errorPage = used;
      return this;
    }

    /**
     * Lifts all limits from some paths.
     *
     * @param paths such as {@code /health}, {@code /assets/*} or {@code *.css}
     * @return this
     * @throws IllegalArgumentException if a path cannot be read, naming the form to use
     */
    public Builder exempt(String... paths) {
      for (String path : paths) {
        exempt.add(PathPattern.parse(path));
      }
      return this;
    }

    /**
     * Switches everything on or off. Switched off, every request passes uncounted.
     *
     * @param enabled true by default
     * @return this
     */
    public Builder enabled(boolean enabled) {
      this.enabled = enabled;
      return this;
    }

    /**
     * Sets whether all policies are tried out: they count, and refuse nobody.
     *
     * @param shadow false by default: then each policy says so itself
     * @return this
     */
    public Builder shadow(boolean shadow) {
      this.shadow = shadow;
      return this;
    }

    /**
     * Lifts all limits from some clients, by address.
     *
     * @param networks where they come from
     * @return this
     */
    public Builder allow(Networks networks) {
      allow = allow.and(networks);
      return this;
    }

    /**
     * Answers some clients with 403, by address, whatever else is said of them.
     *
     * @param networks where they come from
     * @return this
     */
    public Builder deny(Networks networks) {
      deny = deny.and(networks);
      return this;
    }

    /**
     * Sets which addresses are one client.
     *
     * @param grouping IPv4 one by one and IPv6 by /64 by default
     * @return this
     */
    public Builder clientAddress(AddressGrouping grouping) {
      this.grouping = Objects.requireNonNull(grouping, "grouping");
      return this;
    }

    /**
     * Sets whom to believe about the address of a client.
     *
     * @param trusted the proxies in front; nobody by default
     * @return this
     */
    public Builder trustedProxies(TrustedProxies trusted) {
      this.trusted = Objects.requireNonNull(trusted, "trusted");
      return this;
    }

    /**
     * Sets the longest wait that a client is told, in fields and in the body.
     *
     * @param longest 1 s or more, rounded down to whole seconds; a day by default
     * @return this
     * @throws IllegalArgumentException if it is shorter than 1 s
     */
    public Builder retryAfterMax(Duration longest) {
      if (longest.toSeconds() < 1) {
        throw new IllegalArgumentException("retry-after-max " + longest + " is shorter than 1s");
      }
      answers.longestWait = longest.toSeconds();
      return this;
    }

    /**
     * Sets the problem types in the body of a refusal.
     *
     * @param quotaExceeded the type of a 429
     * @param reducedCapacity the type of a 503
     * @return this
     */
    public Builder problemTypes(URI quotaExceeded, URI reducedCapacity) {
      answers.problem =
          new Problem(
              Objects.requireNonNull(quotaExceeded, "quotaExceeded"),
              Objects.requireNonNull(reducedCapacity, "reducedCapacity"));
      return this;
    }

    /**
     * Sets whether answers say who decided, in a field {@code Limiter-Source}: {@code shared},
     * {@code deny-cache}, {@code local} or {@code posture}.
     *
     * @param shown false by default: it tells clients when the store is lost
     * @return this
     */
    public Builder sourceField(boolean shown) {
      answers.showsSource = shown;
      return this;
    }

    /**
     * Sets in which form answers tell of limits.
     *
     * @param dialect {@link Dialect#DRAFT_11} by default
     * @return this
     */
    public Builder dialect(Dialect dialect) {
      answers.dialect = Objects.requireNonNull(dialect, "dialect");
      return this;
    }

    /**
     * Sets whether {@code RateLimit} tells an accepted client of one limit only, that of which
     * least is left. {@code RateLimit-Policy} names all of them still.
     *
     * @param only false by default
     * @return this
     */
    public Builder onlyClosest(boolean only) {
      answers.onlyClosest = only;
      return this;
    }

    /**
     * Sets who writes the parameter {@code pk} of {@code RateLimit}.
     *
     * @param keys {@link PartitionKeys#NONE} by default
     * @return this
     */
    public Builder partitionKeys(PartitionKeys keys) {
      answers.partitionKeys = Objects.requireNonNull(keys, "keys");
      return this;
    }

    /**
     * Sets whether answers also have {@code X-RateLimit-*}.
     *
     * @param fields {@link LegacyFields#OFF} by default
     * @param clock for {@link LegacyFields#EPOCH}
     * @return this
     */
    public Builder legacyFields(LegacyFields fields, EpochClock clock) {
      answers.legacy = Objects.requireNonNull(fields, "fields");
      answers.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Sets whether answers to requests with {@code Origin} name our fields in {@code
     * Access-Control-Expose-Headers}, so that scripts can read them.
     *
     * @param exposed false by default
     * @return this
     */
    public Builder exposeFields(boolean exposed) {
      answers.exposes = exposed;
      return this;
    }

    /**
     * Lengthens the waits of refusals at random, so that not all clients come back at once.
     *
     * @param most up to which, in whole seconds, 1 s to 1 h; 0, the default, for none
     * @param random gives a number from 0 to the one that it is given
     * @return this
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder jitter(Duration most, LongUnaryOperator random) {
      long seconds = most.toSeconds();
      if (most.isNegative() || seconds > 3600 || (seconds < 1 && !most.isZero())) {
        throw new IllegalArgumentException("jitter " + most + " is outside 1s to 1h");
      }
      answers.jitter = seconds;
      answers.random = Objects.requireNonNull(random, "random");
      return this;
    }

    /**
     * Sets who writes the bodies of refusals.
     *
     * @param body the writer; the kit itself by default
     * @return this
     */
    public Builder refusalBody(RefusalBody body) {
      answers.body = Objects.requireNonNull(body, "body");
      return this;
    }

    /**
     * Sets the clock by which repeated log lines are kept back.
     *
     * @param ticker the clock, the system's by default
     * @return this
     */
    public Builder ticker(Ticker ticker) {
      this.ticker = Objects.requireNonNull(ticker, "ticker");
      return this;
    }

    /**
     * Builds the rules.
     *
     * @return the rules
     * @throws IllegalArgumentException if two limits would be shown under one name
     */
    public HttpRateLimiter build() {
      Map<String, String> shown = new HashMap<>();
      for (HttpPolicy policy : policies.values()) {
        for (String name : names(policy)) {
          String other = shown.putIfAbsent(name, policy.name());
          if (other != null) {
            throw new IllegalArgumentException(
                "policies \"%s\" and \"%s\" would both show a limit as \"%s\"; rename one of them"
                    .formatted(other, policy.name(), name));
          }
        }
      }
      return new HttpRateLimiter(this);
    }

    /** Those of all its tiers, each once. */
    private static Set<String> names(HttpPolicy policy) {
      Set<String> names = new LinkedHashSet<>(policy.quota().text().names());
      policy.quotas().values().forEach(tier -> names.addAll(tier.text().names()));
      return names;
    }
  }
}
