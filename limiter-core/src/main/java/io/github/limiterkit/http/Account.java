package io.github.limiterkit.http;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Source;
import io.github.limiterkit.http.answer.Judged;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one request took from one policy, and what becomes of it. Safe for use by several threads,
 * for the handler of an asynchronous request may run on one and its end on another.
 */
final class Account {

  private final Charged charged;
  private final Charging charging;
  private final boolean shown;
  private final JointDecision joint;

  private final List<LimitUsage> usages;
  private final Source source;

  /** The last of the decisions about further units; null as long as there is none. */
  private volatile @Nullable Decision further;

  /** What was decided about this policy alone; null as long as nobody wants to know. */
  private @Nullable List<Decision> decisions;

  private boolean failed;

  /**
   * Opens the account.
   *
   * @param shown whether the request is told of it, unlike of what is in shadow
   * @param joint the decision, in which other policies may have taken part
   * @param usages those of this policy
   */
  Account(
      Charged charged,
      Charging charging,
      boolean shown,
      JointDecision joint,
      List<LimitUsage> usages,
      Source source) {
    this.charged = charged;
    this.charging = charging;
    this.shown = shown;
    this.joint = joint;
    this.usages = usages;
    this.source = source;
  }

  HttpPolicy policy() {
    return charged.policy();
  }

  boolean isShown() {
    return shown;
  }

  boolean owns(String name) {
    return charged.quota().text().names().contains(name);
  }

  /** How the limits stood when they were last asked. */
  Judged judged(boolean refusal) {
    HttpPolicy policy = charged.policy();
    Decision last = further;
    return new Judged(
        charged.quota().text(),
        last == null ? usages : last.usages(),
        last == null ? source : last.source(),
        policy.status(),
        policy.headers().shows(refusal));
  }

  /** The first decision. */
  synchronized Decision decision() {
    Decision first = decisions().get(0);
    return shown || first.allowed() ? first : new Decision(true, first.source(), first.usages());
  }

  private synchronized List<Decision> allDecisions() {
    return List.copyOf(decisions());
  }

  private List<Decision> decisions() {
    if (decisions == null) {
      decisions = new ArrayList<>(List.of(joint.about(charged.charge())));
    }
    return decisions;
  }

  /** Takes further units. */
  Decision charge(long units) {
    Decision made = charging.further(charged, units); // without the lock: it may ask the store
    synchronized (this) {
      decisions().add(made);
      further = made;
    }
    return made;
  }

  /** What was taken stays taken, whatever the answer is. */
  synchronized void failed() {
    failed = true;
  }

  /** The application has answered: what a policy of failures took for a success goes back. */
  void settle(int status, boolean turnedAway) {
    // What the kit itself answers is not the application's word.
    if (!isFailed() && (turnedAway || !policy().failures().contains(status))) {
      Refund unused = refund(Limit.MAX_PERMITS);
    }
  }

  private synchronized boolean isFailed() {
    return failed;
  }

  /** Gives back at most so many units of all that was taken, the last first. */
  Refund refund(long units) {
    List<Decision> made = allDecisions();
    long left = units;
    boolean complete = true;
    for (int i = made.size() - 1; i >= 0 && left > 0; i--) {
      Refund refund = charging.refund(made.get(i), left);
      left -= refund.units();
      complete &= refund.complete();
    }
    long back = units - left;
    Charge first = charged.charge();
    return new Refund(
        back == 0 ? List.of() : List.of(new Charge(first.policy(), first.key(), back)), complete);
  }
}
