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

  // Most requests meet one kit, which asks once: these lists are replaced, not added to.
  private List<HttpRateLimiter> kits = List.of();
  private List<Asked> charged = List.of();
  private List<Account> accounts = List.of();
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
      ledger.kits = joined(ledger.kits, List.of(kit));
    }
    return ledger;
  }

  /** Marks policies as charged; to be called before they are, so that no way leads past it. */
  void mark(List<Asked> asked) {
    charged = joined(charged, asked);
  }

  private static <T> List<T> joined(List<T> first, List<T> further) {
    if (first.isEmpty()) {
      return further;
    }
    List<T> all = new ArrayList<>(first);
    all.addAll(further);
    return all;
  }

  /** Whether any policy was charged. */
  boolean hasCharged() {
    return !charged.isEmpty();
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
    for (Asked one : charged) {
      if (one.policy().name().equals(name)) {
        return one.policy();
      }
    }
    return null;
  }

  void record(Outcome outcome, Charging charging) {
    lastFrom = accounts.size();
    Decision decision = outcome.decision();
    JointDecision made = new JointDecision(outcome.made());
    boolean all = outcome.binding().size() == outcome.charged().size();
    List<Account> opened = new ArrayList<>(outcome.charged().size());
    for (Charged one : outcome.charged()) {
      boolean shown = all || outcome.binding().contains(one);
      opened.add(
          new Account(
              one,
              charging,
              shown,
              made,
              shown ? usagesOf(one, decision) : List.of(),
              decision.source()));
    }
    accounts = joined(accounts, opened);
    refused = !decision.allowed();
    if (source == null || decision.source().compareTo(source) > 0) {
      source = decision.source();
    }
  }

  private static List<LimitUsage> usagesOf(Charged charged, Decision decision) {
    if (areAllOf(charged, decision.usages())) {
      return decision.usages();
    }
    List<LimitUsage> usages = new ArrayList<>(charged.quota().policy().limits().size());
    for (LimitUsage usage : decision.usages()) {
      if (usage.charge().policy().name().equals(charged.policy().name())) {
        usages.add(usage);
      }
    }
    return usages;
  }

  private static boolean areAllOf(Charged charged, List<LimitUsage> usages) {
    for (int i = 0; i < usages.size(); i++) {
      if (!usages.get(i).charge().equals(charged.charge())) {
        return false;
      }
    }
    return true;
  }

  /** What the last decision took for policies of failures; null if nothing. */
  @Nullable Reservation reservation() {
    List<Account> open = null;
    for (int i = lastFrom; i < accounts.size() && !refused; i++) {
      if (accounts.get(i).policy().countsFailures()) {
        open = open == null ? new ArrayList<>(accounts.size() - i) : open;
        open.add(accounts.get(i));
      }
    }
    return open == null ? null : new Reservation(this, open);
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
    for (int i = from; i < accounts.size(); i++) {
      if (accounts.get(i).isShown()) {
        judged.add(accounts.get(i).judged(refused));
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
