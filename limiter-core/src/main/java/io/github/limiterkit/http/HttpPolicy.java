package io.github.limiterkit.http;

import io.github.limiterkit.Limit;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Scope;
import io.github.limiterkit.WhenStoreFails;
import io.github.limiterkit.http.answer.Violations;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Policy} and what HTTP adds to it: who is counted, what a request costs, and how a
 * refusal is answered.
 *
 * <pre>{@code
 * HttpPolicy perClient = HttpPolicy.named("per-client").limits("100/1m, 10/1s").build();
 * HttpPolicy orders =
 *     HttpPolicy.named("orders").limits("60/1m").key(principal().orElse(clientAddress())).build();
 * }</pre>
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class HttpPolicy {

  private final Quota quota;
  private final Map<String, Quota> tiers;
  private final @Nullable Function<RequestView, @Nullable String> tierFrom;
  private final KeyResolver key;
  private final long cost;
  private final @Nullable ToLongFunction<RequestView> costOf;
  private final int status;
  private final HeaderMode headers;
  private final boolean shadow;
  private final SortedSet<Integer> failures;
  private final boolean countsFailures;

  private HttpPolicy(Builder builder, Policy policy, Map<String, Quota> tiers) {
    this.quota = Quota.of(policy);
    this.tiers = tiers;
    this.tierFrom = builder.tierFrom;
    this.shadow = builder.shadow;
    this.key = builder.key;
    this.cost = builder.cost;
    this.costOf = builder.costOf;
    this.status = builder.status;
    this.headers = builder.headers;
    this.failures = builder.failures;
    this.countsFailures = !failures.isEmpty();
  }

  /**
   * Starts a policy.
   *
   * @param name a lower-case letter, then up to 63 lower-case letters, digits, {@code _} or {@code
   *     -}; clients see it
   * @return a builder that still needs limits
   * @throws IllegalArgumentException if the name is not of that form
   */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /**
   * What is counted, without HTTP.
   *
   * @return the policy that charges are made to
   */
  public Policy policy() {
    return quota.policy();
  }

  /**
   * The name.
   *
   * @return as given to {@link #named}
   */
  public String name() {
    return quota.policy().name();
  }

  /**
   * Who is counted.
   *
   * @return the resolver as given; if it finds no key, the client's address counts, unless it ends
   *     with {@link Keys#refuse}
   */
  public KeyResolver key() {
    return key;
  }

  /**
   * What a request costs, if all cost the same.
   *
   * @return units, 1 by default
   */
  public long cost() {
    return cost;
  }

  /** What this request costs, as the application says, which may throw. */
  long cost(RequestView request) {
    return costOf == null ? cost : costOf.applyAsLong(request);
  }

  /**
   * What a refusal is answered with.
   *
   * @return 429 by default, or 503
   */
  public int status() {
    return status;
  }

  /**
   * Which answers show this policy.
   *
   * @return {@link HeaderMode#ALWAYS} by default
   */
  public HeaderMode headers() {
    return headers;
  }

  /**
   * The limits of those who have others.
   *
   * @return by name of the tier, in the order they were added; each has this policy's name
   */
  public Map<String, Policy> tiers() {
    Map<String, Policy> policies = new LinkedHashMap<>();
    tiers.forEach((name, tier) -> policies.put(name, tier.policy()));
    return Collections.unmodifiableMap(policies);
  }

  /**
   * Whether this policy is tried out: it counts, and refuses nobody.
   *
   * @return false by default
   */
  public boolean shadow() {
    return shadow;
  }

  /**
   * The statuses of the application that count, if only failures do.
   *
   * @return in ascending order; empty if every request counts, which is the default
   */
  public SortedSet<Integer> failures() {
    return failures;
  }

  /** Whether it can be asked only after the user is authenticated. */
  boolean needsPrincipal() {
    return key.needsPrincipal() || tierFrom != null;
  }

  /** Whether only failures count. */
  boolean countsFailures() {
    return countsFailures;
  }

  /** Its own limits. */
  Quota quota() {
    return quota;
  }

  /** Those of all tiers. */
  Map<String, Quota> quotas() {
    return tiers;
  }

  /** The limits for a request, as the application says, which may throw. */
  Quota quota(RequestView request) {
    String tier = tierFrom == null ? null : tierFrom.apply(request);
    return tier == null ? quota : tiers.getOrDefault(tier, quota);
  }

  /** The name, the limits and the key, as in {@code orders 60/1m by client-address}. */
  @Override
  public String toString() {
    return quota.policy() + " by " + Keys.describe(key);
  }

  /** Collects the parts of a {@link HttpPolicy}. Not safe for use by several threads. */
  public static final class Builder {
    private final String name;
    private final Policy.Builder policy;
    private KeyResolver key = Keys.clientAddress();
    private long cost = 1;
    private @Nullable ToLongFunction<RequestView> costOf;
    private int status = Violations.TOO_MANY_REQUESTS;
    private HeaderMode headers = HeaderMode.ALWAYS;
    private final Map<String, List<Limit>> tiers = new LinkedHashMap<>();
    private @Nullable Function<RequestView, @Nullable String> tierFrom;
    private boolean shadow;
    private SortedSet<Integer> failures = Failures.NONE;

    private Builder(String name) {
      this.name = name;
      this.policy = Policy.named(name);
    }

    /**
     * Sets the limits, all on the same key. In answers the first carries the policy's name and each
     * further one the name with its time: {@code per-client}, {@code per-client-1s}.
     *
     * @param text limits separated by commas, such as {@code 100/1m, 10/1s}
     * @return this
     * @throws IllegalArgumentException if a limit cannot be read, naming the policy
     */
    public Builder limits(String text) {
      policy.limits(text);
      return this;
    }

    /**
     * Sets who is counted.
     *
     * @param key one of {@link Keys}, or a resolver of your own
     * @return this
     */
    public Builder key(KeyResolver key) {
      this.key = Objects.requireNonNull(key, "key");
      return this;
    }

    /**
     * Sets who is counted, from text.
     *
     * @param words such as {@code principal, else client-address}
     * @return this
     * @throws IllegalArgumentException as {@link Keys#parse} does, naming the policy
     */
    public Builder key(String words) {
      try {
        return key(Keys.parse(words));
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(place() + "key: " + wrong.getMessage(), wrong);
      }
    }

    /**
     * Adds a tier: other limits for some of those who are counted. Whoever changes the tier keeps
     * what was used in a time that both have.
     *
     * @param tier its name, as {@link #tierFrom} gives it; a lower-case letter, then up to 63
     *     lower-case letters, digits, {@code _} or {@code -}
     * @param limits as in {@link #limits}
     * @return this
     * @throws IllegalArgumentException if the name is not of that form, a tier has it already, or a
     *     limit cannot be read; names the policy
     */
    public Builder tier(String tier, String limits) {
      if (!tier.matches("[a-z][a-z0-9_-]{0,63}")) {
        throw new IllegalArgumentException(
            place() + "tier \"" + tier + "\" does not match [a-z][a-z0-9_-]{0,63}");
      }
      List<Limit> parsed;
      try {
        parsed = Limit.parseList(limits);
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(
            place() + "tier " + tier + ": " + wrong.getMessage(), wrong);
      }
      if (tiers.putIfAbsent(tier, parsed) != null) {
        throw new IllegalArgumentException(place() + "tier \"" + tier + "\" is there already");
      }
      return this;
    }

    /**
     * Sets who says which tier a request has.
     *
     * <pre>{@code
     * .tierFrom(request -> (String) request.attribute("plan"))
     * }</pre>
     *
     * @param tierFrom gives a tier's name; for null, any other name, or if it throws, the policy's
     *     own limits count. It must not be what a client sends
     * @return this
     */
    public Builder tierFrom(Function<RequestView, @Nullable String> tierFrom) {
      this.tierFrom = Objects.requireNonNull(tierFrom, "tierFrom");
      return this;
    }

    /**
     * Sets whether this policy is tried out: it counts, its refusals are in the metrics, and
     * clients notice nothing of it.
     *
     * @param shadow false by default
     * @return this
     */
    public Builder shadow(boolean shadow) {
      this.shadow = shadow;
      return this;
    }

    /**
     * Sets what every request costs.
     *
     * @param cost units, 1 to the least limit of the policy
     * @return this
     */
    public Builder cost(long cost) {
      this.cost = cost;
      return this;
    }

    /**
     * Sets what each request costs.
     *
     * <pre>{@code
     * .cost(request -> request.method().equals("GET") ? 1 : 5)
     * }</pre>
     *
     * @param cost units for a request, 0 or more; 0 is let through if a unit would be, and charges
     *     nothing. It must not read the body. If it throws or gives less than 0, the request costs
     *     1; a cost above the limit refuses the request for good
     * @return this
     */
    public Builder cost(ToLongFunction<RequestView> cost) {
      this.costOf = Objects.requireNonNull(cost, "cost");
      return this;
    }

    /**
     * Counts failures only: requests that the application answers with 401 or 403, and those of
     * which a handler says so by {@link RequestLimits#failed}.
     *
     * <p>A request is charged before the application runs and given back after it, so that nobody
     * gets more attempts by making them at the same time. What the kit itself answers never counts.
     *
     * @return this
     */
    public Builder countFailures() {
      this.failures = Failures.usual();
      return this;
    }

    /**
     * As {@link #countFailures()}, with other statuses.
     *
     * @param statuses that count, at least one, each 200 to 599
     * @return this
     * @throws IllegalArgumentException if there is none, or one is out of range, naming the policy
     */
    public Builder countFailures(int... statuses) {
      return count(() -> Failures.of(statuses));
    }

    /**
     * Sets which requests count, from text.
     *
     * @param words {@code requests}, {@code failures}, or the statuses that count, as in {@code
     *     401, 403}
     * @return this
     * @throws IllegalArgumentException if they cannot be read, naming the policy
     */
    public Builder count(String words) {
      return count(() -> Failures.parse(words));
    }

    private Builder count(Supplier<SortedSet<Integer>> statuses) {
      try {
        failures = statuses.get();
        return this;
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(place() + "count: " + wrong.getMessage(), wrong);
      }
    }

    /**
     * Sets what a refusal is answered with.
     *
     * @param status 429: the caller's quota is spent; or 503: there is no room for anybody
     * @return this
     * @throws IllegalArgumentException if it is another
     */
    public Builder status(int status) {
      if (status != Violations.TOO_MANY_REQUESTS && status != Violations.SERVICE_UNAVAILABLE) {
        throw new IllegalArgumentException(
            place()
                + "status "
                + status
                + " is neither 429 (the caller's quota) nor 503 (no room)");
      }
      this.status = status;
      return this;
    }

    /**
     * Sets which answers show this policy.
     *
     * @param headers the mode
     * @return this
     */
    public Builder headers(HeaderMode headers) {
      this.headers = Objects.requireNonNull(headers, "headers");
      return this;
    }

    /**
     * Sets what a refused client is told to wait when the real wait cannot be known.
     *
     * @param hint 1 ms to 366 days
     * @return this
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder retryAfterHint(Duration hint) {
      policy.retryAfterHint(hint);
      return this;
    }

    /**
     * Sets over what the policy counts.
     *
     * @param scope {@link Scope#INSTANCE} for a ceiling of each instance, which never asks the
     *     store
     * @return this
     */
    public Builder scope(Scope scope) {
      policy.scope(scope);
      return this;
    }

    /**
     * Sets what happens when the shared store does not answer in time.
     *
     * @param whenStoreFails the posture
     * @return this
     */
    public Builder whenStoreFails(WhenStoreFails whenStoreFails) {
      policy.whenStoreFails(whenStoreFails);
      return this;
    }

    /**
     * Sets the part of its share of the quota that an instance gives out while the store is gone.
     *
     * @param safety above 0, at most 1
     * @return this
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder safety(double safety) {
      policy.safety(safety);
      return this;
    }

    /**
     * Builds the policy.
     *
     * @return the policy
     * @throws IllegalArgumentException if no limit was set, a request would cost more than a limit
     *     allows at all, or something was set for the loss of a store that is never asked
     */
    public HttpPolicy build() {
      Policy built = policy.build();
      requireAffordable(built);
      Map<String, Quota> quotas = new LinkedHashMap<>();
      tiers.forEach(
          (tier, limits) -> {
            Policy tiered = policy.limits(limits).build();
            requireAffordable(tiered);
            quotas.put(tier, Quota.of(tiered));
          });
      policy.limits(built.limits());
      if (quotas.isEmpty() != (tierFrom == null)) {
        throw new IllegalArgumentException(
            place()
                + (quotas.isEmpty()
                    ? "tier-from has no tiers to choose from; add a tier"
                    : "nobody says which tier a request has; add tier-from"));
      }
      return new HttpPolicy(this, built, Collections.unmodifiableMap(quotas));
    }

    private void requireAffordable(Policy built) {
      for (Limit limit : built.limits()) {
        if (cost < 1 || cost > limit.permits()) {
          throw new IllegalArgumentException(
              place()
                  + "cost "
                  + cost
                  + " is outside 1 to "
                  + limit.permits()
                  + ", so that no request could ever pass the limit "
                  + limit);
        }
      }
    }

    private String place() {
      return "policy \"" + name + "\": ";
    }
  }
}
