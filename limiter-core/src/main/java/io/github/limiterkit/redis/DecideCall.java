package io.github.limiterkit.redis;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Limit;
import io.github.limiterkit.store.StoreReply;
import io.github.limiterkit.store.StoreReply.LimitReply;
import io.github.limiterkit.store.StoreReply.Room;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One decision. */
final class DecideCall extends Call<StoreReply> {

  final List<Charge> charges;
  final SubjectKeys[] subjects;

  /** Whether its floors leave no room, whatever the store knows. */
  final boolean barred;

  /** The next of those that ask the same; for the thread that sends. */
  @Nullable DecideCall alike;

  private final long[] floors;

  DecideCall(
      List<Charge> charges,
      long[] floors,
      SubjectKeys[] subjects,
      long deadlineNanos,
      boolean probe) {
    super(SubjectKeys.keys(subjects), deadlineNanos, probe);
    this.charges = charges;
    this.floors = floors;
    this.subjects = subjects;
    this.barred = isBarred(charges, floors);
  }

  private static boolean isBarred(List<Charge> charges, long[] floors) {
    int at = 0;
    boolean barred = false;
    for (int c = 0; c < charges.size(); c++) {
      Charge charge = charges.get(c);
      List<Limit> limits = charge.policy().limits();
      for (int l = 0; l < limits.size(); l++) {
        barred |= floors[at++] + charge.cost() > limits.get(l).permits();
      }
    }
    return barred;
  }

  /** Whether both ask for the same keys. */
  boolean concernsSame(DecideCall other) {
    boolean same = subjects.length == other.subjects.length;
    for (int s = 0; same && s < subjects.length; s++) {
      same = subjects[s].tag.equals(other.subjects[s].tag);
    }
    return same;
  }

  /** Whether both ask the same of the same limits; the keys may be others. */
  boolean asksLike(DecideCall other) {
    if (barred != other.barred || charges.size() != other.charges.size()) {
      return false;
    }
    for (int c = 0; c < charges.size(); c++) {
      Charge mine = charges.get(c);
      Charge its = other.charges.get(c);
      if (mine.cost() != its.cost()
          || (mine.policy() != its.policy()
              && !mine.policy().limits().equals(its.policy().limits()))) {
        return false;
      }
    }
    return true;
  }

  @Override
  StoreReply read(Figures figures, int place, int turnInGroup) {
    boolean allowed = turnInGroup < figures.shortAt(place);
    if (keys.length == 1) {
      Charge charge = charges.get(0);
      long quota = charge.policy().limits().get(0).permits();
      LimitReply only = limit(figures, place, turnInGroup, charge.cost(), quota, floors[0]);
      return new StoreReply(allowed, figures.stampMillis(), List.of(only));
    }
    List<LimitReply> replies = new ArrayList<>(keys.length);
    int at = place;
    for (int c = 0; c < charges.size(); c++) {
      Charge charge = charges.get(c);
      List<Limit> limits = charge.policy().limits();
      for (int l = 0; l < limits.size(); l++) {
        long quota = limits.get(l).permits();
        replies.add(limit(figures, at, turnInGroup, charge.cost(), quota, floors[replies.size()]));
        at += Figures.PER_LIMIT;
      }
    }
    return new StoreReply(allowed, figures.stampMillis(), replies);
  }

  private static LimitReply limit(
      Figures figures, int at, int turn, long cost, long quota, long floor) {
    int admitted = figures.shortAt(at);
    boolean allowed = turn < admitted;
    long live = figures.longAt(at + 2) + cost * (allowed ? turn + 1 : admitted);
    long known = allowed ? floor + cost : floor;
    Room room = allowed ? Room.YES : room(live, cost, quota, floor);
    return new LimitReply(
        room,
        Math.max(0, quota - Math.max(live, known)),
        room == Room.NO ? figures.longAt(at + 14) : 0,
        figures.longAt(at + 8),
        figures.longAt(at + 20),
        figures.longAt(at + 26) - 1);
  }

  private static Room room(long live, long cost, long quota, long floor) {
    if (cost > quota) {
      return Room.NEVER;
    }
    if (live + cost > quota) {
      return Room.NO;
    }
    return floor + cost > quota ? Room.BELOW_FLOOR : Room.YES;
  }
}
