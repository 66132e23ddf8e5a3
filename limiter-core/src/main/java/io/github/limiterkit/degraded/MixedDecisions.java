package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Scope;
import io.github.limiterkit.Source;
import io.github.limiterkit.local.LocalTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides about charges of both scopes, all or none.
 *
 * <p>No lock may be held while the store is asked. So the charges of this instance are
 * <em>held</em> first: they take up room as if they were admitted, and become units when the store
 * admits the others, or vanish when it does not. Whoever meets a held unit may be refused for the
 * sake of one that then vanishes; nobody is ever admitted beyond a ceiling.
 */
final class MixedDecisions {

  private final LocalTable<OwnLog> ownLogs;
  private final LocalDecisions local;
  private final Function<List<Charge>, @Nullable Decision> store;

  /**
   * Creates it.
   *
   * @param store decides about charges that are shared; null if it does not
   */
  MixedDecisions(
      LocalTable<OwnLog> ownLogs,
      LocalDecisions local,
      Function<List<Charge>, @Nullable Decision> store) {
    this.ownLogs = ownLogs;
    this.local = local;
    this.store = store;
  }

  Decision decide(List<Charge> charges) {
    Held held = new Held(charges);
    Optional<Decision> full = ownLogs.with(held.charges, held::take);
    if (full.isPresent()) {
      return full.get();
    }
    Decision shared;
    try {
      shared = store.apply(of(Scope.SHARED, charges));
    } catch (RuntimeException | Error broken) {
      boolean unused = ownLogs.with(held.charges, held::letGo);
      throw broken;
    }
    return shared == null
        ? ownLogs.with(charges, held::decideHere)
        : ownLogs.with(held.charges, (all, logs, now) -> held.settle(charges, shared, logs, now));
  }

  private static List<Charge> of(Scope scope, List<Charge> charges) {
    List<Charge> some = new ArrayList<>(charges.size());
    for (Charge charge : charges) {
      if (charge.policy().scope() == scope) {
        some.add(charge);
      }
    }
    return some;
  }

  /** The charges of this instance in one decision, and where they are held. */
  private final class Held {

    final List<Charge> charges;
    private List<OwnLog> in = List.of();

    Held(List<Charge> all) {
      charges = of(Scope.INSTANCE, all);
    }

    /** The refusal; empty if all are held. */
    Optional<Decision> take(List<Charge> all, List<OwnLog> logs, long now) {
      if (!local.admit(all, logs, now)) {
        return Optional.of(local.decide(all, logs, now));
      }
      for (int i = 0; i < all.size(); i++) {
        logs.get(i).hold(all.get(i).cost());
      }
      in = logs;
      return Optional.empty();
    }

    boolean letGo(List<Charge> all, List<OwnLog> logs, long now) {
      for (int i = 0; i < all.size(); i++) {
        // A log that was evicted meanwhile has taken what it held with it.
        if (logs.get(i) == in.get(i)) {
          logs.get(i).letGo(all.get(i).cost());
        }
      }
      return true;
    }

    /** The store did not decide. */
    Decision decideHere(List<Charge> all, List<OwnLog> logs, long now) {
      List<OwnLog> ceilings = new ArrayList<>(charges.size());
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i).policy().scope() == Scope.INSTANCE) {
          ceilings.add(logs.get(i));
        }
      }
      boolean unused = letGo(charges, ceilings, now);
      return local.decide(all, logs, now);
    }

    /** The store decided. */
    Decision settle(List<Charge> all, Decision shared, List<OwnLog> logs, long now) {
      boolean unused = letGo(charges, logs, now);
      Decision here = local.settle(charges, logs, shared.allowed(), now);
      List<LimitUsage> usages = inOrderOf(all, shared, here);
      return shared.allowed()
          ? Decision.charged(Source.LOCAL, usages, new MixedReceipt(shared, here), now)
          : new Decision(false, Source.LOCAL, usages);
    }
  }

  private static List<LimitUsage> inOrderOf(List<Charge> all, Decision shared, Decision here) {
    List<LimitUsage> usages = new ArrayList<>(shared.usages().size() + here.usages().size());
    int ofStore = 0;
    int ofThis = 0;
    for (Charge charge : all) {
      if (charge.policy().scope() == Scope.SHARED) {
        ofStore = copy(charge, shared.usages(), ofStore, usages);
      } else {
        ofThis = copy(charge, here.usages(), ofThis, usages);
      }
    }
    return usages;
  }

  /** Copies those of one charge, which stand together; returns where they end. */
  private static int copy(Charge of, List<LimitUsage> from, int at, List<LimitUsage> to) {
    int end = at;
    while (end < from.size() && from.get(end).charge().equals(of)) {
      to.add(from.get(end++));
    }
    return end;
  }
}
