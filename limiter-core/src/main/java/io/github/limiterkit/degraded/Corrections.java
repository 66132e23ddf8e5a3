package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Receipt;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Reset;
import io.github.limiterkit.Scope;
import io.github.limiterkit.local.LocalReceipts;
import io.github.limiterkit.local.LocalTable;
import io.github.limiterkit.local.PolicyLogs;
import io.github.limiterkit.store.SharedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Takes out again what was counted: a refund takes what one decision charged, a reset all of a key.
 * First here, so that it holds during an outage too, then in the store if its gate is open. Nothing
 * is kept for later: what the store was not told it goes on counting, which is too strict and never
 * too lax.
 */
final class Corrections {

  private final SharedStore store;
  private final SharedDecisions sharedDecisions;
  private final LocalTable<OwnLog> ownLogs;
  private final Calls calls;

  /** The store is not to be called. */
  static final Calls NO_CALLS =
      new Calls() {
        @Override
        public <T> @Nullable T attempt(Charge charge, LongFunction<T> call) {
          return null;
        }
      };

  /** Calls the store if that may be done now. */
  @FunctionalInterface
  interface Calls {

    /** The answer to a call about a charge, given its deadline; null if there is none. */
    <T> @Nullable T attempt(Charge charge, LongFunction<T> call);
  }

  Corrections(
      SharedStore store, SharedDecisions sharedDecisions, LocalTable<OwnLog> ownLogs, Calls calls) {
    this.store = store;
    this.sharedDecisions = sharedDecisions;
    this.ownLogs = ownLogs;
    this.calls = calls;
  }

  /** Gives back at most so many units of every charge of a decision. */
  Refund refund(Decision decision, long units) {
    Receipt receipt = decision.takeReceipt(units);
    if (receipt == null) {
      return Refund.NOTHING;
    }
    for (LimitUsage usage : decision.usages()) {
      sharedDecisions.expectRefundsOf(usage.charge().policy());
    }
    if (receipt instanceof MixedReceipt mixed) {
      return both(refund(mixed.shared(), units), refund(mixed.here(), units));
    }
    if (receipt instanceof MixedReceipt.Part part) {
      return refund(part.decision(), units);
    }
    if (receipt instanceof StoreReceipt ofStore) {
      return ofStore.issuer() == sharedDecisions
          ? refundShared(decision, ofStore, units)
          : Refund.NOTHING;
    }
    long stamp = decision.stampMillis();
    List<Charge> givenBack =
        LocalReceipts.refund(
            decision,
            receipt,
            units,
            (charge, logs) ->
                here(charge, (log, now) -> log.refundLocal(logs, charge, stamp, now)));
    return new Refund(givenBack, true);
  }

  private static Refund both(Refund shared, Refund here) {
    List<Charge> givenBack = new ArrayList<>(shared.givenBack());
    givenBack.addAll(here.givenBack());
    return new Refund(givenBack, shared.complete() && here.complete());
  }

  private Refund refundShared(Decision decision, StoreReceipt receipt, long units) {
    List<Charge> charges = charges(decision, units);
    long stamp = decision.stampMillis();
    long[] most = new long[charges.size()];
    for (int i = 0; i < most.length; i++) {
      Charge charge = charges.get(i);
      PolicyLogs logs = receipt.ownLogs().get(i);
      most[i] = here(charge, (log, now) -> log.refundShared(logs, charge, stamp, now));
    }
    long[] there =
        calls.attempt(
            charges.get(0), deadline -> store.refund(charges, stamp, receipt.births(), deadline));
    if (there != null) {
      most = mostOfAnyLimit(charges, there);
      // A refusal that was on its way meanwhile says what is over by now.
      charges.forEach(charge -> here(charge, OwnLog::doubtRefusals));
    }
    return new Refund(givenBack(charges, most), there != null);
  }

  /** Starts afresh with a key, here and in the store. */
  Reset reset(Policy policy, String key) {
    Charge charge = new Charge(policy, key, 0);
    ownLogs.renew(charge);
    if (policy.scope() == Scope.INSTANCE) {
      return Reset.DONE; // the store has never heard of it
    }
    Boolean told = calls.attempt(charge, deadline -> store.reset(policy, key, deadline));
    here(charge, OwnLog::doubtRefusals);
    return told == null ? Reset.STORE_NOT_REACHED : Reset.DONE;
  }

  /** What is done with this instance's log of a charge at a time; 0 if there is no such log. */
  @FunctionalInterface
  private interface Step {
    long apply(OwnLog log, long now);
  }

  private long here(Charge charge, Step step) {
    Long result = ownLogs.ifPresent(charge, (asked, log, now) -> step.apply(log, now));
    return result == null ? 0 : result;
  }

  private static List<Charge> charges(Decision decision, long units) {
    List<Charge> charges = new ArrayList<>();
    for (LimitUsage usage : decision.usages()) {
      if (usage.index() == 0) {
        Charge charge = usage.charge();
        charges.add(new Charge(charge.policy(), charge.key(), Math.min(units, charge.cost())));
      }
    }
    return charges;
  }

  private static long[] mostOfAnyLimit(List<Charge> charges, long[] ofLimits) {
    long[] most = new long[charges.size()];
    int at = 0;
    for (int i = 0; i < most.length; i++) {
      for (int l = 0; l < charges.get(i).policy().limits().size(); l++) {
        most[i] = Math.max(most[i], ofLimits[at++]);
      }
    }
    return most;
  }

  private static List<Charge> givenBack(List<Charge> charges, long[] units) {
    List<Charge> givenBack = new ArrayList<>();
    for (int i = 0; i < units.length; i++) {
      if (units[i] > 0) {
        Charge charge = charges.get(i);
        givenBack.add(new Charge(charge.policy(), charge.key(), units[i]));
      }
    }
    return givenBack;
  }
}
