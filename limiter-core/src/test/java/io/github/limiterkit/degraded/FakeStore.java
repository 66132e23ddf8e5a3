package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Limit;
import io.github.limiterkit.Policy;
import io.github.limiterkit.store.SharedStore;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import io.github.limiterkit.store.StoreListener;
import io.github.limiterkit.store.StoreReply;
import io.github.limiterkit.store.StoreReply.LimitReply;
import io.github.limiterkit.store.StoreReply.Room;
import io.github.limiterkit.window.SlidingLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A shared counter in memory that fails when it is told to, on a clock that a test moves. */
final class FakeStore implements SharedStore {

  static final String NODE = "fake:1";

  /** What every call fails with, or null. */
  @Nullable StoreFault fault;

  /** Whether a call that fails was executed all the same. */
  boolean executesWhatFails;

  long calls;

  /** What happens between a call's arrival and its decision. */
  Runnable before = () -> {};

  private final LongSupplier clockMillis;
  private final Map<String, SlidingLog> logs = new HashMap<>();

  FakeStore(LongSupplier clockMillis) {
    this.clockMillis = clockMillis;
  }

  void flush() {
    logs.clear();
  }

  @Override
  public StoreReply decide(List<Charge> charges, long[] floors, long deadlineNanos) {
    calls++;
    before.run();
    StoreFault failure = fault;
    if (failure != null && !executesWhatFails) {
      throw new StoreException(failure, "in a test");
    }
    StoreReply reply = decide(charges, floors);
    if (failure != null) {
      throw new StoreException(failure, "in a test");
    }
    return reply;
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
        SlidingLog log = log(charge, limit);
        long quota = limit.permits();
        if (allowed) {
          log.add(now, charge.cost(), quota);
        }
        Room room = rooms.get(limits.size());
        long wait =
            switch (room) {
              case NO -> log.retryAfter(now, charge.cost(), quota);
              case YES -> log.resetAfter(now, quota);
              default -> 0;
            };
        limits.add(new LimitReply(room, log.remaining(now, quota), wait, 0, -1));
      }
    }
    return new StoreReply(allowed, now, limits);
  }

  private Room room(Charge charge, Limit limit, long floor, long now) {
    if (charge.cost() > limit.permits()) {
      return Room.NEVER;
    }
    if (!log(charge, limit).admits(now, charge.cost(), limit.permits())) {
      return Room.NO;
    }
    return floor + charge.cost() > limit.permits() ? Room.BELOW_FLOOR : Room.YES;
  }

  private SlidingLog log(Charge charge, Limit limit) {
    String key = charge.policy().name() + " " + charge.key() + " " + limit.windowMillis();
    return logs.computeIfAbsent(key, absent -> new SlidingLog(limit.windowMillis()));
  }

  @Override
  public long[] refund(
      List<Charge> charges, long stampMillis, long[] birthsMillis, long deadlineNanos) {
    throw new UnsupportedOperationException("this fake gives nothing back");
  }

  @Override
  public boolean reset(Policy policy, String key, long deadlineNanos) {
    throw new UnsupportedOperationException("this fake forgets nothing");
  }

  @Override
  public void probe(String node, long deadlineNanos) {
    StoreFault failure = fault;
    if (failure != null) {
      throw new StoreException(failure, "in a test");
    }
  }

  @Override
  public String description() {
    return "fake";
  }

  @Override
  public Duration deadline() {
    return Duration.ofMillis(50);
  }

  @Override
  public List<String> nodes() {
    return List.of(NODE);
  }

  @Override
  public String nodeOf(Charge charge) {
    return NODE;
  }

  @Override
  public void start(StoreListener listener) {}

  @Override
  public void close() {}
}
