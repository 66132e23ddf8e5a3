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

/**
 * A store in memory as the scripts of Redis are one: with births and epochs of its states, and with
 * the instances that were heard of. Each instance has a link of its own, which can be cut.
 */
final class SimulatedStore {

  static final String NODE = "simulated:1";
  private static final long SILENT_MILLIS = 3_000;
  private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

  private final LongSupplier clockMillis;
  private final Map<String, State> states = new HashMap<>();
  private final Map<Object, Long> heard = new HashMap<>();
  private int most;

  SimulatedStore(LongSupplier clockMillis) {
    this.clockMillis = clockMillis;
  }

  private static final class State {
    final SlidingLog log;
    final long birth;
    long epoch = Long.MIN_VALUE;
    long units;
    long unitsBefore;

    State(Limit limit, long birth) {
      log = new SlidingLog(limit.windowMillis());
      this.birth = birth;
    }

    void turnTo(long now) {
      if (now != epoch) {
        unitsBefore = now - 1 == epoch ? units : 0;
        units = 0;
        epoch = now;
      }
    }
  }

  /** Forgets everything, also who was there. */
  void flush() {
    states.clear();
    heard.clear();
    most = 0;
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
        limits.add(reply(charge, limit, rooms.get(limits.size()), allowed, now));
      }
    }
    return new StoreReply(allowed, now, limits);
  }

  private Room room(Charge charge, Limit limit, long floor, long now) {
    if (charge.cost() > limit.permits()) {
      return Room.NEVER;
    }
    if (!state(charge, limit, now).log.admits(now, charge.cost(), limit.permits())) {
      return Room.NO;
    }
    return floor + charge.cost() > limit.permits() ? Room.BELOW_FLOOR : Room.YES;
  }

  private LimitReply reply(Charge charge, Limit limit, Room room, boolean allowed, long now) {
    State state = state(charge, limit, now);
    long length = EpochUnits.lengthMillis(limit);
    long epoch = now / length;
    state.turnTo(epoch);
    if (allowed) {
      state.log.add(now, charge.cost(), limit.permits());
      state.units += charge.cost();
    }
    long fleet = state.birth > (epoch - 1) * length ? -1 : state.unitsBefore;
    long wait = room == Room.NO ? state.log.retryAfter(now, charge.cost(), limit.permits()) : 0;
    return new LimitReply(
        room,
        state.log.remaining(now, limit.permits()),
        wait,
        state.log.resetAfter(now, limit.permits()),
        state.birth,
        fleet);
  }

  private State state(Charge charge, Limit limit, long now) {
    String key = charge.policy().name() + " " + charge.key() + " " + limit.windowMillis();
    return states.computeIfAbsent(key, absent -> new State(limit, now));
  }

  private Fleet hear(Object instance) {
    long now = clockMillis.getAsLong();
    heard.put(instance, now);
    heard.values().removeIf(at -> at <= now - HOUR_MILLIS);
    int alive = (int) heard.values().stream().filter(at -> at > now - SILENT_MILLIS).count();
    most = Math.max(most, alive);
    return new Fleet(alive, heard.size() - alive, most);
  }

  /** One instance's way to the store. */
  final class Link implements OneNodeStore {

    /** Whether nothing gets through. */
    boolean cut;

    /** Whether the next call fails, and whether it is executed all the same. */
    boolean failsOnce;

    boolean executesWhatFails;

    @Override
    public StoreReply decide(List<Charge> charges, long[] floors, long deadlineNanos) {
      boolean fails = failsOnce || cut;
      failsOnce = false;
      if (fails && !executesWhatFails) {
        throw lost();
      }
      StoreReply reply = SimulatedStore.this.decide(charges, floors);
      if (fails) {
        throw lost();
      }
      return reply;
    }

    @Override
    public Fleet heartbeat(String node, long deadlineNanos) {
      boolean fails = failsOnce;
      failsOnce = false;
      if (cut || (fails && !executesWhatFails)) {
        throw lost();
      }
      Fleet fleet = hear(this);
      if (fails) {
        throw lost();
      }
      return fleet;
    }

    @Override
    public void leave(String node, long deadlineNanos) {
      heard.remove(this);
    }

    private StoreException lost() {
      return new StoreException(StoreFault.TIMEOUT, "in a test");
    }

    @Override
    public long[] refund(
        List<Charge> charges, long stampMillis, long[] birthsMillis, long deadlineNanos) {
      return new long[birthsMillis.length];
    }

    @Override
    public boolean reset(Policy policy, String key, long deadlineNanos) {
      return false;
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
}
