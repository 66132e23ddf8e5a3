package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Source;
import io.github.limiterkit.local.LocalTable;
import io.github.limiterkit.local.PolicyLogs;
import io.github.limiterkit.store.SharedStore;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import io.github.limiterkit.store.StoreReply;
import io.github.limiterkit.store.StoreReply.LimitReply;
import io.github.limiterkit.store.StoreReply.Room;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides through the store, and books what it admitted in this instance's own logs. What the store
 * has just refused is refused without asking again.
 */
final class SharedDecisions {

  private final SharedStore store;
  private final LocalTable<OwnLog> ownLogs;
  private final StoreClock storeClock;
  private final LongSupplier clockMillis;
  private final Rehearsal rehearsal;
  private final DegradedListener listener;
  private final long deadlineMillis;

  /** Policies of which this instance has given something back. */
  private final Set<String> refunding = ConcurrentHashMap.newKeySet();

  SharedDecisions(
      SharedStore store,
      LocalTable<OwnLog> ownLogs,
      StoreClock storeClock,
      LongSupplier clockMillis,
      Rehearsal rehearsal,
      DegradedListener listener) {
    this.store = store;
    this.ownLogs = ownLogs;
    this.storeClock = storeClock;
    this.clockMillis = clockMillis;
    this.rehearsal = rehearsal;
    this.listener = listener;
    this.deadlineMillis = Math.max(1, store.deadline().toMillis());
  }

  /** A refusal of the store that is still in force for one of the charges, or null. */
  @Nullable Decision known(List<Charge> charges) {
    for (Charge charge : charges) {
      Denial denial = denial(charge);
      if (denial != null) {
        long now = clockMillis.getAsLong();
        if (denial.isInForce(now)) {
          return denial.refuse(charge, now);
        }
      }
    }
    return null;
  }

  /**
   * Asks the store, once.
   *
   * @throws StoreException if it does not decide by the deadline
   */
  Decision ask(List<Charge> charges, long deadlineNanos) {
    // Only single charges take part in this: two callers who lead one key each and wait for the
    // other's would wait for ever.
    Denial over = charges.size() == 1 ? denial(charges.get(0)) : null;
    if (over == null) {
      return askStore(charges, deadlineNanos);
    }
    long now = clockMillis.getAsLong();
    if (over.isInForce(now)) {
      return over.refuse(charges.get(0), now); // renewed since the caller looked
    }
    if (over.lead()) {
      try {
        return askStore(charges, deadlineNanos);
      } finally {
        over.renewed();
      }
    }
    over.awaitRenewal(deadlineNanos);
    Decision known = known(charges);
    if (known == null && deadlineNanos - System.nanoTime() <= 0) {
      // A call now could only come too late, and a slow store would get one from each who waited.
      throw new StoreException(StoreFault.TIMEOUT, "another caller of the key has no answer yet");
    }
    return known != null ? known : askStore(charges, deadlineNanos);
  }

  /** Asks the store how a key stands; charges nothing, and keeps nothing in mind. */
  List<LimitUsage> look(Charge charge, long deadlineNanos) {
    List<Charge> asked = List.of(charge);
    StoreReply reply = store.decide(asked, floors(asked), deadlineNanos);
    List<LimitUsage> usages = new ArrayList<>();
    Boolean known =
        ownLogs.ifPresent(
            charge,
            (look, log, now) -> {
              addUsages(usages, look, log, reply.limits(), now);
              return true;
            });
    if (known == null) {
      OwnLog empty = new OwnLog(charge.policy(), storeClock);
      addUsages(usages, charge, empty, reply.limits(), clockMillis.getAsLong());
    }
    return usages;
  }

  /** From now on refusals of this policy are not remembered for long. */
  void expectRefundsOf(Policy policy) {
    refunding.add(policy.name());
  }

  private @Nullable Denial denial(Charge charge) {
    OwnLog log = ownLogs.peek(charge);
    Denial denial = log == null ? null : log.denial();
    return denial != null && denial.concerns(charge) ? denial : null;
  }

  private Decision askStore(List<Charge> charges, long deadlineNanos) {
    long sent = clockMillis.getAsLong();
    StoreReply reply = store.decide(charges, floors(charges), deadlineNanos);
    return book(charges, reply, sent);
  }

  /**
   * What this instance itself knows to be live, so that a store which forgot does not begin anew.
   * Counted as of the latest moment at which the store may decide, so that none of it has expired
   * there: the estimate of its clock may lag by one deadline, and the call may take one.
   */
  private long[] floors(List<Charge> charges) {
    int count = 0;
    for (Charge charge : charges) {
      count += charge.policy().limits().size();
    }
    long[] floors = new long[count];
    int at = 0;
    for (Charge charge : charges) {
      int from = at;
      ownLogs.ifPresent(
          charge,
          (asked, log, now) -> {
            log.turnTo(asked.policy(), now);
            for (int i = 0; i < asked.policy().limits().size(); i++) {
              floors[from + i] = log.ownUnits(i, now + 2 * deadlineMillis);
            }
            return log;
          });
      at += charge.policy().limits().size();
    }
    return floors;
  }

  private Decision book(List<Charge> charges, StoreReply reply, long sent) {
    return charges.size() == 1
        ? ownLogs.with(charges.get(0), (charge, log, now) -> bookOne(charge, log, reply, sent, now))
        : ownLogs.with(charges, (all, logs, now) -> bookAll(all, logs, reply, sent, now));
  }

  private Decision bookOne(Charge charge, OwnLog log, StoreReply reply, long sent, long now) {
    storeClock.see(reply.stampMillis(), now);
    List<LimitUsage> usages = new ArrayList<>(reply.limits().size());
    boolean here = book(usages, charge, log, reply.limits(), reply, sent, now);
    tell(reply, charge.cost(), here);
    return decision(reply, usages, List.of(log.shared()));
  }

  private Decision bookAll(
      List<Charge> charges, List<OwnLog> logs, StoreReply reply, long sent, long now) {
    storeClock.see(reply.stampMillis(), now);
    List<LimitUsage> usages = new ArrayList<>(reply.limits().size());
    int at = 0;
    long cost = 0;
    boolean here = true;
    for (int c = 0; c < charges.size(); c++) {
      cost += charges.get(c).cost();
      int end = at + charges.get(c).policy().limits().size();
      List<LimitReply> limits = reply.limits().subList(at, end);
      here &= book(usages, charges.get(c), logs.get(c), limits, reply, sent, now);
      at = end;
    }
    tell(reply, cost, here);
    return decision(reply, usages, logs.stream().map(OwnLog::shared).toList());
  }

  private Decision decision(StoreReply reply, List<LimitUsage> usages, List<PolicyLogs> booked) {
    return reply.allowed()
        ? Decision.charged(
            Source.SHARED,
            usages,
            new StoreReceipt(this, booked, reply.limits()),
            reply.stampMillis())
        : new Decision(false, Source.SHARED, usages);
  }

  private void tell(StoreReply reply, long cost, boolean allowedHere) {
    if (cost == 0) {
      return;
    }
    rehearsal.compare(reply.allowed(), allowedHere);
    List<LimitReply> limits = reply.limits();
    for (int i = 0; i < limits.size(); i++) {
      if (limits.get(i).room() == Room.BELOW_FLOOR) {
        listener.floorRefusal();
        return;
      }
    }
  }

  /** Returns whether this instance would have admitted it by itself. */
  private boolean book(
      List<LimitUsage> usages,
      Charge charge,
      OwnLog log,
      List<LimitReply> limits,
      StoreReply reply,
      long sent,
      long now) {
    addUsages(usages, charge, log, limits, now);
    for (int i = 0; i < limits.size(); i++) {
      LimitReply limit = limits.get(i);
      long birth = limit.begunByReset() ? limit.rebornMillis() : limit.birthMillis();
      long given = reply.allowed() ? charge.cost() : 0;
      log.epochs(i).reply(reply.stampMillis(), birth, given, limit.fleetUnits());
    }
    boolean here = rehearsal.admits(charge, log, now);
    if (reply.allowed()) {
      log.addShared(charge.policy(), charge.cost(), reply.stampMillis());
      log.followDenial(charge, limits, now);
    } else if (refuses(limits)) {
      boolean refunds = refunding.contains(charge.policy().name());
      long longest = refunds ? Denial.LONGEST_WITH_REFUNDS_MILLIS : Denial.LONGEST_MILLIS;
      log.deny(new Denial(charge, limits, sent, longest));
    }
    return here;
  }

  private static void addUsages(
      List<LimitUsage> usages, Charge charge, OwnLog log, List<LimitReply> limits, long now) {
    log.turnTo(charge.policy(), now);
    for (LimitReply limit : limits) {
      if (limit.begunByReset()) {
        log.followReset(limit.rebornMillis());
      }
    }
    for (int i = 0; i < limits.size(); i++) {
      usages.add(usage(charge, i, log, limits.get(i), now));
    }
  }

  /**
   * Whether the store's own count refused; what only a floor refused, this instance knows better.
   */
  private static boolean refuses(List<LimitReply> replies) {
    for (LimitReply reply : replies) {
      if (reply.room() == Room.NO) {
        return true;
      }
    }
    return false;
  }

  private static LimitUsage usage(
      Charge charge, int limit, OwnLog log, LimitReply reply, long now) {
    Limit of = charge.policy().limits().get(limit);
    long retryAfter =
        switch (reply.room()) {
          case YES -> 0;
          case NO -> Math.max(1, reply.retryAfterMillis());
          case NEVER -> LimitUsage.NEVER;
          // The store does not know what this instance knows, nor when it ends.
          case BELOW_FLOOR ->
              Math.max(1, log.ownRetryAfter(limit, now, charge.cost(), of, of.permits()));
        };
    return new LimitUsage(
        charge,
        limit,
        of.permits(),
        reply.remaining(),
        retryAfter,
        reply.resetAfterMillis(),
        Source.SHARED);
  }
}
