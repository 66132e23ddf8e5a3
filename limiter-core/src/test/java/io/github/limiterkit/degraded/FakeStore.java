package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Limit;
import io.github.limiterkit.Policy;
import io.github.limiterkit.store.Fleet;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import io.github.limiterkit.store.StoreReply;
import io.github.limiterkit.store.StoreReply.LimitReply;
import io.github.limiterkit.store.StoreReply.Room;
import io.github.limiterkit.testing.OneNodeStore;
import io.github.limiterkit.window.SlidingLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A shared counter in memory that fails when it is told to, on a clock that a test moves. */
final class FakeStore implements OneNodeStore {

  static final String NODE = "fake:1";

  /** What every call fails with, or null. */
  @Nullable StoreFault fault;

  /** Whether a call that fails was executed all the same. */
  boolean executesWhatFails;

  long calls;
  long heartbeats;

  /** What heartbeats are answered. */
  Fleet fleet = new Fleet(1, 0, 1);

  boolean left;

  /** What happens between a call's arrival and its decision. */
  Runnable before = () -> {};

  /** What happens between a call's execution and its reply. */
  Runnable after = () -> {};

  private final LongSupplier clockMillis;
  private final Map<String, State> states = new HashMap<>();

  /** A log, and when it began: with 2^47 more if a reset began it. */
  private record State(SlidingLog log, long birth) {}

  FakeStore(LongSupplier clockMillis) {
    this.clockMillis = clockMillis;
  }

  void flush() {
    states.clear();
  }

  @Override
  public StoreReply decide(List<Charge> charges, long[] floors, long deadlineNanos) {
    return answer(() -> decide(charges, floors));
  }

  @Override
  public long[] refund(
      List<Charge> charges, long stampMillis, long[] birthsMillis, long deadlineNanos) {
    return answer(() -> refund(charges, stampMillis, birthsMillis));
  }

  @Override
  public boolean reset(Policy policy, String key, long deadlineNanos) {
    return answer(() -> reset(policy, key));
  }

  private <T> T answer(Supplier<T> work) {
    calls++;
    before.run();
    StoreFault failure = fault;
    if (failure != null && !executesWhatFails) {
      throw new StoreException(failure, "in a test");
    }
    T reply = work.get();
    after.run();
    if (failure != null) {
      throw new StoreException(failure, "in a test");
    }
    return reply;
  }

  private long[] refund(List<Charge> charges, long stamp, long[] births) {
    long now = clockMillis.getAsLong();
    long[] given = new long[births.length];
    int at = 0;
    for (Charge charge : charges) {
      for (Limit limit : charge.policy().limits()) {
        State state = states.get(name(charge.policy(), charge.key(), limit));
        if (state != null && state.birth() == births[at]) {
          given[at] = state.log().refund(now, stamp, charge.cost(), limit.permits());
        }
        at++;
      }
    }
    return given;
  }

  private boolean reset(Policy policy, String key) {
    long now = clockMillis.getAsLong();
    boolean any = false;
    for (Limit limit : policy.limits()) {
      State fresh = new State(new SlidingLog(limit.windowMillis()), now + (1L << 47));
      State old = states.put(name(policy, key, limit), fresh);
      any |= old != null && old.log().isLive(now);
    }
    return any;
  }

  private StoreReply decide(List<Charge> charges, long[] floors) {
    long now = clockMillis.getAsLong();
    List<Room> rooms = new ArrayList<>();
    for (Charge charge : charges) {
      for (Limit limit : charge.policy().limits()) {
        rooms.add(room(charge, limit, floors[rooms.size()], now));
      }
    }
    boolean allowed = rooms.stream().allMatch(room -> room == Room.YES);
    List<LimitReply> limits = new ArrayList<>();
    for (Charge charge : charges) {
      for (Limit limit : charge.policy().limits()) {
        SlidingLog log = state(charge, limit, now).log();
        long quota = limit.permits();
        if (allowed) {
          log.add(now, charge.cost(), quota);
        }
        Room room = rooms.get(limits.size());
        long wait = room == Room.NO ? log.retryAfter(now, charge.cost(), quota) : 0;
        long reset = log.resetAfter(now, quota);
        long birth = state(charge, limit, now).birth();
        limits.add(new LimitReply(room, log.remaining(now, quota), wait, reset, birth, -1));
      }
    }
    return new StoreReply(allowed, now, limits);
  }

  private Room room(Charge charge, Limit limit, long floor, long now) {
    if (charge.cost() > limit.permits()) {
      return Room.NEVER;
    }
    if (!state(charge, limit, now).log().admits(now, charge.cost(), limit.permits())) {
      return Room.NO;
    }
    return floor + charge.cost() > limit.permits() ? Room.BELOW_FLOOR : Room.YES;
  }

  private State state(Charge charge, Limit limit, long now) {
    return states.computeIfAbsent(
        name(charge.policy(), charge.key(), limit),
        absent -> new State(new SlidingLog(limit.windowMillis()), now));
  }

  private static String name(Policy policy, String key, Limit limit) {
    return policy.name() + " " + key + " " + limit.windowMillis();
  }

  @Override
  public void probe(String node, long deadlineNanos) {
    StoreFault failure = fault;
    if (failure != null) {
      throw new StoreException(failure, "in a test");
    }
  }

  @Override
  public Fleet heartbeat(String node, long deadlineNanos) {
    heartbeats++;
    StoreFault failure = fault;
    if (failure != null) {
      throw new StoreException(failure, "in a test");
    }
    return fleet;
  }

  @Override
  public void leave(String node, long deadlineNanos) {
    left = true;
  }

  @Override
  public Duration deadline() {
    return Duration.ofMillis(50);
  }

  @Override
  public String node() {
    return NODE;
  }
}
