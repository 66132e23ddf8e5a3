package io.github.limiterkit.http;

import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Source;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one request, for its handler, which may know better what it costs and whether it
 * failed.
 *
 * <pre>{@code
 * RequestLimits limits = RequestLimits.of(request::getAttribute); // JAX-RS: requestContext::getProperty
 * limits.charge("orders", batch.size() - 1);
 * limits.failed("login");
 * }</pre>
 *
 * <p>It speaks of the policies that the request was charged to before it came to the handler, each
 * on the account found then. Where a request is not limited, because it is exempt, the kit is
 * switched off, or there is none in front, everything passes uncounted.
 *
 * <p>To be used while the request lasts, by one thread at a time.
 */
public final class RequestLimits {

  private final @Nullable RequestLedger ledger;

  private RequestLimits(@Nullable RequestLedger ledger) {
    this.ledger = ledger;
  }

  /**
   * The limits of a request.
   *
   * @param attributes reads an attribute of the request by name, as in {@code
   *     request::getAttribute} or {@code requestContext::getProperty}
   * @return its limits, never null
   */
  public static RequestLimits of(Function<String, ? extends @Nullable Object> attributes) {
    return new RequestLimits(RequestLedger.find(attributes));
  }

  /**
   * Whether a kit limits this request.
   *
   * @return false if it is exempt, or no kit has seen it
   */
  public boolean isLimited() {
    return ledger != null;
  }

  /**
   * What was decided about the request before it came to the handler.
   *
   * @return for each policy that it was charged to, by name, in the order in which they were asked;
   *     each is about that policy alone and can be given back by itself
   */
  public Map<String, Decision> decisions() {
    Map<String, Decision> decisions = new LinkedHashMap<>();
    if (ledger != null) {
      ledger.accounts().forEach(one -> decisions.put(one.policy().name(), one.decision()));
    }
    return decisions;
  }

  /**
   * Charges further units, to the same account as the request itself.
   *
   * @param policy the name of a policy that the request was charged to
   * @param units how many, 0 to 4,000,000,000; 0 looks without charging
   * @return the decision; if it is no, nothing more was taken, and the handler says what that
   *     means. A policy that is tried out says yes in any case
   * @throws IllegalArgumentException if no policy has that name, or the units are out of range
   * @throws IllegalStateException if the request is limited, but was not charged to that policy
   */
  public Decision charge(String policy, long units) {
    requireUnits(units);
    Account account = account(policy);
    return account == null ? new Decision(true, Source.LOCAL, List.of()) : account.charge(units);
  }

  /**
   * Says that what the request tried has failed: it counts, whatever status it is answered with.
   * For a policy that counts every request, or after the request has ended, it has no effect.
   *
   * @param policy the name of a policy that the request was charged to
   * @throws IllegalArgumentException if no policy has that name
   * @throws IllegalStateException if the request is limited, but was not charged to that policy
   */
  public void failed(String policy) {
    Account account = account(policy);
    if (account != null) {
      account.failed();
    }
  }

  /**
   * Gives back all that this request has taken from a policy: it is not to count after all.
   *
   * @param policy the name of a policy that the request was charged to
   * @return what was given back; see {@link io.github.limiterkit.RateLimiter#refund(Decision,
   *     long)}
   * @throws IllegalArgumentException if no policy has that name
   * @throws IllegalStateException if the request is limited, but was not charged to that policy
   */
  public Refund refund(String policy) {
    return refund(policy, Limit.MAX_PERMITS);
  }

  /**
   * Gives back a part of what this request has taken from a policy: it has cost less than it was
   * charged. Each charge can be given back once, so that a second call reaches only what the first
   * did not touch.
   *
   * @param policy the name of a policy that the request was charged to
   * @param units how many at most, 0 to 4,000,000,000
   * @return what was given back
   * @throws IllegalArgumentException if no policy has that name, or the units are out of range
   * @throws IllegalStateException if the request is limited, but was not charged to that policy
   */
  public Refund refund(String policy, long units) {
    requireUnits(units);
    Account account = account(policy);
    return account == null ? Refund.NOTHING : account.refund(units);
  }

  private static void requireUnits(long units) {
    if (units < 0 || units > Limit.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "%d units are outside 0 to %d".formatted(units, Limit.MAX_PERMITS));
    }
  }

  private @Nullable Account account(String policy) {
    if (ledger == null) {
      return null;
    }
    for (Account account : ledger.accounts()) {
      if (account.policy().name().equals(policy)) {
        return account;
      }
    }
    throw stranger(policy, ledger);
  }

  private static RuntimeException stranger(String policy, RequestLedger ledger) {
    String nearest = "";
    for (HttpRateLimiter kit : ledger.kits()) {
      if (kit.policy(policy) != null) {
        return new IllegalStateException(
            ("this request was not charged to policy \"%s\"; give its path a route to it, or name it"
                    + " in an annotation")
                .formatted(policy));
      }
      nearest = nearest.isEmpty() ? kit.didYouMean(policy) : nearest;
    }
    return new IllegalArgumentException("no policy is named \"%s\"%s".formatted(policy, nearest));
  }
}
