package io.github.limiterkit.http;

import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Source;
import io.github.limiterkit.http.answer.Judged;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one request was charged so far, by whichever filters and adapters it has met.
 *
 * <p>It travels as an attribute of the request and is used by one thread at a time.
 */
final class RequestLedger {

  /** All adapters and instances share the name, so that a policy is charged once per request. */
  private static final String ATTRIBUTE = "io.github.limiterkit.http.ledger";

  private final List<HttpRateLimiter> kits = new ArrayList<>(1);
  private final List<HttpPolicy> charged = new ArrayList<>(4);
  private final List<Account> accounts = new ArrayList<>(4);
  private int lastFrom;
  private boolean refused;
  private volatile boolean turnedAway;
  private long jitter;
  private @Nullable Source source;

  static @Nullable RequestLedger find(RequestView request) {
    return find(request::attribute);
  }

  static @Nullable RequestLedger find(Function<String, ? extends @Nullable Object> attributes) {
    // Another application's kit may have been here before a cross-context dispatch: not ours.
    return attributes.apply(ATTRIBUTE) instanceof RequestLedger ledger ? ledger : null;
  }

  /** That of a request which a kit is to limit, whether any of its policies applies or not. */
  static RequestLedger open(RequestView request, HttpRateLimiter kit) {
    RequestLedger ledger = find(request);
    if (ledger == null) {
      ledger = new RequestLedger();
      request.attribute(ATTRIBUTE, ledger);
    }
    if (!ledger.kits.contains(kit)) {
      ledger.kits.add(kit);
    }
    return ledger;
  }

  /** Marks policies as charged; to be called before they are, so that no way leads past it. */
  void mark(List<Asked> asked) {
    asked.forEach(one -> charged.add(one.policy()));
  }

  /** The kits that the request has met. */
  List<HttpRateLimiter> kits() {
    return kits;
  }

  /** What the policies took, in the order in which they were asked. */
  List<Account> accounts() {
    return accounts;
  }

  /** The policy of that name that was charged, which may be another kit's; null if none was. */
  @Nullable HttpPolicy charged(String name) {
    for (HttpPolicy policy : charged) {
      if (policy.name().equals(name)) {
        return policy;
      }
    }
    return null;
  }

  void record(Outcome outcome, Charging charging) {
    lastFrom = accounts.size();
    Decision decision = outcome.decision();
    JointDecision made = new JointDecision(outcome.made());
    boolean all = outcome.binding().size() == outcome.charged().size();
    for (Charged one : outcome.charged()) {
      boolean shown = all || outcome.binding().contains(one);
      accounts.add(
          new Account(
              one,
              charging,
              shown,
              made,
              shown ? usagesOf(one, decision) : List.of(),
              decision.source()));
    }
    refused = !decision.allowed();
    if (source == null || decision.source().compareTo(source) > 0) {
      source = decision.source();
    }
  }

  private static List<LimitUsage> usagesOf(Charged charged, Decision decision) {
    List<LimitUsage> usages = new ArrayList<>(charged.quota().policy().limits().size());
    for (LimitUsage usage : decision.usages()) {
      if (usage.charge().policy().name().equals(charged.policy().name())) {
        usages.add(usage);
      }
    }
    return usages;
  }

  /** What the last decision took for policies of failures; null if nothing. */
  @Nullable Reservation reservation() {
    List<Account> open = new ArrayList<>(0);
    for (Account account : accounts.subList(lastFrom, accounts.size())) {
      if (!account.policy().failures().isEmpty()) {
        open.add(account);
      }
    }
    return refused || open.isEmpty() ? null : new Reservation(this, open);
  }

  boolean isEmpty() {
    for (Account account : accounts) {
      if (account.isShown()) {
        return false;
      }
    }
    return true;
  }

  boolean refused() {
    return refused;
  }

  /** The kit answers in place of the application. */
  void turnAway() {
    turnedAway = true;
  }

  boolean isTurnedAway() {
    return turnedAway;
  }

  /** Lengthens what is told of the waits; drawn once, so that all fields and the body agree. */
  void jitter(long seconds) {
    jitter = seconds;
  }

  long jitter() {
    return jitter;
  }

  /** The weakest source of all decisions, null before the first. */
  @Nullable Source source() {
    return source;
  }

  /** Every policy that was asked. */
  List<Judged> all() {
    return judged(0);
  }

  /** The policies of the last decision. */
  List<Judged> last() {
    return judged(lastFrom);
  }

  private List<Judged> judged(int from) {
    List<Judged> judged = new ArrayList<>(accounts.size() - from);
    for (Account account : accounts.subList(from, accounts.size())) {
      if (account.isShown()) {
        judged.add(account.judged(refused));
      }
    }
    return judged;
  }

  /** Whether a name in a field is one of a policy that was asked here. */
  boolean isOurs(String name) {
    for (Account account : accounts) {
      if (account.isShown() && account.owns(name)) {
        return true;
      }
    }
    return false;
  }
}
