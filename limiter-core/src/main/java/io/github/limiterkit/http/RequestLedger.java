package io.github.limiterkit.http;

import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Source;
import io.github.limiterkit.http.answer.Judged;
import io.github.limiterkit.http.answer.PolicyText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one request was charged so far, by whichever filters and adapters it has met.
 *
 * <p>It travels as an attribute of the request and is used by one thread at a time.
 */
final class RequestLedger {

  /** All adapters and instances share the name, so that a policy is charged once per request. */
  private static final String ATTRIBUTE = "io.github.limiterkit.http.ledger";

  private final List<HttpPolicy> charged = new ArrayList<>(4);
  private final List<Entry> entries = new ArrayList<>(4);
  private int lastFrom;
  private boolean refused;
  private long jitter;
  private @Nullable Source source;

  /** One policy of one decision. */
  private record Entry(HttpPolicy policy, PolicyText text, List<LimitUsage> usages, Source source) {
    Judged judged(boolean refusal) {
      return new Judged(text, usages, source, policy.status(), policy.headers().shows(refusal));
    }
  }

  static @Nullable RequestLedger find(RequestView request) {
    // Another application's kit may have been here before a cross-context dispatch: not ours.
    return request.attribute(ATTRIBUTE) instanceof RequestLedger ledger ? ledger : null;
  }

  /** Marks policies as charged; to be called before they are, so that no way leads past it. */
  static RequestLedger open(
      @Nullable RequestLedger present, RequestView request, List<HttpPolicy> policies) {
    RequestLedger ledger = present == null ? new RequestLedger() : present;
    ledger.charged.addAll(policies);
    if (present == null) {
      request.attribute(ATTRIBUTE, ledger);
    }
    return ledger;
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

  void record(Outcome outcome) {
    lastFrom = entries.size();
    Decision decision = outcome.decision();
    for (Charged charged : outcome.charged()) {
      entries.add(
          new Entry(
              charged.policy(),
              charged.quota().text(),
              usagesOf(charged, decision),
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

  boolean isEmpty() {
    return entries.isEmpty();
  }

  boolean refused() {
    return refused;
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
    List<Judged> judged = new ArrayList<>(entries.size() - from);
    for (int i = from; i < entries.size(); i++) {
      judged.add(entries.get(i).judged(refused));
    }
    return judged;
  }

  /** Whether a name in a field is one of a policy that was asked here. */
  boolean isOurs(String name) {
    for (Entry entry : entries) {
      if (entry.text().names().contains(name)) {
        return true;
      }
    }
    return false;
  }
}
