package io.github.limiterkit;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A named set of limits on one key, and what becomes of them when the shared store fails.
 *
 * <pre>{@code
 * Policy orders = Policy.named("orders").limits("60/1m, 5/1s").build();
 * }</pre>
 *
 * <p>A charge is admitted only if every limit admits it. Immutable and safe for use by several
 * threads.
 */
public final class Policy {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,63}");

  private final String name;
  private final List<Limit> limits;
  private final Scope scope;
  private final WhenStoreFails whenStoreFails;
  private final double safety;
  private final Duration retryAfterHint;

  private Policy(Builder builder) {
    this.name = builder.name;
    this.limits = builder.limits;
    this.scope = builder.scope;
    this.whenStoreFails = builder.whenStoreFails;
    this.safety = builder.safety;
    this.retryAfterHint = builder.retryAfterHint;
  }

  /**
   * Starts a policy.
   *
   * @param name a lower-case letter, then up to 63 lower-case letters, digits, {@code _} or {@code
   *     -}; it appears in response headers, metrics and stored keys
   * @return a builder that still needs limits
   * @throws IllegalArgumentException if the name is not of that form
   */
  public static Builder named(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "policy name \"%s\" does not match %s".formatted(name, NAME.pattern()));
    }
    return new Builder(name);
  }

  /**
   * The name.
   *
   * @return as given to {@link #named}
   */
  public String name() {
    return name;
  }

  /**
   * The limits, all on the same key.
   *
   * @return at least one, with different windows, in the order given
   */
  public List<Limit> limits() {
    return limits;
  }

  /**
   * Over what it counts.
   *
   * @return {@link Scope#SHARED} by default
   */
  public Scope scope() {
    return scope;
  }

  /**
   * What happens when the shared store does not answer in time.
   *
   * @return {@link WhenStoreFails#LOCAL} by default
   */
  public WhenStoreFails whenStoreFails() {
    return whenStoreFails;
  }

  /**
   * The part of its share of the quota that an instance gives out while the store is gone.
   *
   * @return above 0, at most 1; 1 by default
   */
  public double safety() {
    return safety;
  }

  /**
   * What a refused client is told to wait when the real wait cannot be known.
   *
   * @return 5 s by default
   */
  public Duration retryAfterHint() {
    return retryAfterHint;
  }

  /** The name and the limits, as in {@code orders 60/1m, 5/1s}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(name);
    String separator = " ";
    for (Limit limit : limits) {
      text.append(separator).append(limit);
      separator = ", ";
    }
    return text.toString();
  }

  /** Collects the parts of a {@link Policy}. Not safe for use by several threads. */
  public static final class Builder {
    private final String name;
    private List<Limit> limits = List.of();
    private Scope scope = Scope.SHARED;
    private WhenStoreFails whenStoreFails = WhenStoreFails.LOCAL;
    private double safety = 1;
    private Duration retryAfterHint = Duration.ofSeconds(5);

    private Builder(String name) {
      this.name = name;
    }

    /**
     * Sets the limits from text.
     *
     * @param text limits separated by commas, such as {@code 100/1m, 10/1s}
     * @return this
     * @throws IllegalArgumentException if a limit cannot be read, naming the policy
     */
    public Builder limits(String text) {
      try {
        return limits(Limit.parseList(text));
      } catch (IllegalArgumentException wrong) {
        String message = wrong.getMessage();
        String place = "policy \"" + name + "\"";
        throw message != null && message.startsWith(place)
            ? wrong
            : new IllegalArgumentException(place + ": limits: " + message, wrong);
      }
    }

    /**
     * Sets the limits.
     *
     * @param limits at least one, no two with the same window
     * @return this
     * @throws IllegalArgumentException if there is none, or two have the same window
     */
    public Builder limits(List<Limit> limits) {
      if (limits.isEmpty()) {
        throw new IllegalArgumentException("policy \"" + name + "\" needs at least one limit");
      }
      Set<Duration> windows = new HashSet<>();
      for (Limit limit : limits) {
        if (!windows.add(limit.window())) {
          throw new IllegalArgumentException(
              "policy \"%s\" has two limits with the window %s; keep the lower one"
                  .formatted(name, limit.windowText()));
        }
      }
      this.limits = List.copyOf(limits);
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
      this.scope = Objects.requireNonNull(scope, "scope");
      return this;
    }

    /**
     * Sets what happens when the shared store does not answer in time.
     *
     * @param whenStoreFails the posture
     * @return this
     */
    public Builder whenStoreFails(WhenStoreFails whenStoreFails) {
      this.whenStoreFails = Objects.requireNonNull(whenStoreFails, "whenStoreFails");
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
      if (!(safety > 0 && safety <= 1)) {
        throw new IllegalArgumentException(
            "policy \"%s\": safety %s is outside 0 (exclusive) to 1".formatted(name, safety));
      }
      this.safety = safety;
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
      if (hint.toMillis() < 1 || hint.compareTo(Limit.MAX_WINDOW) > 0) {
        throw new IllegalArgumentException(
            "policy \"%s\": retry-after hint %s is outside 1ms to 366d".formatted(name, hint));
      }
      this.retryAfterHint = hint;
      return this;
    }

    /**
     * Builds the policy.
     *
     * @return the policy
     * @throws IllegalArgumentException if no limit was set, or the scope is {@link Scope#INSTANCE}
     *     and something was set for the loss of a store that is never asked
     */
    public Policy build() {
      if (limits.isEmpty()) {
        throw new IllegalArgumentException("policy \"" + name + "\" needs at least one limit");
      }
      if (scope == Scope.INSTANCE && whenStoreFails != WhenStoreFails.LOCAL) {
        throw withoutStore("when-store-fails " + whenStoreFails.name().toLowerCase(Locale.ROOT));
      }
      if (scope == Scope.INSTANCE && safety != 1) {
        throw withoutStore("safety " + safety);
      }
      return new Policy(this);
    }

    private IllegalArgumentException withoutStore(String setting) {
      return new IllegalArgumentException(
          "policy \"%s\": %s has no meaning with scope instance, which never asks the store; leave one out"
              .formatted(name, setting));
    }
  }
}
