package io.github.limiterkit.redis;

import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import io.github.limiterkit.store.StoreListener;
import java.io.Closeable;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The connection of a lane, and the round trips over it: one at a time, by whoever has the turn.
 * The order of the bytes ties a reply to its call, so a reply is always read by somebody, also when
 * nobody waits for it any more.
 */
final class Wire {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");

  private final RedisStore settings;
  private final Timing timing;
  private final LaneWatch watch;
  private final StoreListener listener;
  private final ReentrantLock turn = new ReentrantLock();
  private volatile @Nullable Link link;

  /** What will be a link, if it comes so far. */
  private volatile @Nullable Closeable connecting;

  private volatile @Nullable Flight flight;
  private volatile boolean unread;
  private volatile boolean broken;

  Wire(RedisStore settings, Timing timing, LaneWatch watch, StoreListener listener) {
    this.settings = settings;
    this.timing = timing;
    this.watch = watch;
    this.listener = listener;
  }

  boolean tryTurn() {
    return turn.tryLock();
  }

  void takeTurn() {
    turn.lock();
  }

  boolean isTaken() {
    return turn.isLocked();
  }

  void endTurn() {
    turn.unlock();
  }

  boolean isConnected() {
    return link != null;
  }

  /** Whether the connection broke while requests used it, so that it is worth one new attempt. */
  boolean isBroken() {
    return broken;
  }

  /** Whether a reply is still to be read for which nobody waits any more. */
  boolean hasUnread() {
    return unread;
  }

  /** The round trip under way, or null. */
  @Nullable Flight flight() {
    return flight;
  }

  /** Ends the round trip under way, if it is still this one. From any thread. */
  void abort(Flight stuck) {
    if (flight == stuck) {
      close();
    }
  }

  /** Ends the connection, and whatever is read from it. From any thread. */
  void close() {
    Link current = link;
    if (current != null) {
      current.close();
    }
    Closeable halfOpen = connecting;
    if (halfOpen != null) {
      Link.closeQuietly(halfOpen);
    }
  }

  /** Connects, for the lane's own thread, which has the turn. */
  void connect() {
    broken = false;
    long began = System.nanoTime();
    try {
      link = Link.open(settings, timing.stuckMillis(), socket -> connecting = socket);
    } catch (StoreException fault) {
      long took = System.nanoTime() - began;
      listener.sample(new Sample(settings.node(), took, fault, false));
      throw fault;
    } finally {
      connecting = null;
    }
  }

  /** Sends something and reads the reply, however long it takes. The caller has the turn. */
  void exchange(Cargo cargo) {
    begin(cargo, PatientSocket.NEVER);
  }

  /**
   * Sends a call and reads the reply, unless it has not begun to come by the call's deadline: then
   * it is left to {@link #readLate}. The caller has the turn.
   */
  void exchangeInTime(Call<?> call) {
    begin(new Flush(List.of(call)), call.deadlineNanos);
  }

  /** Reads a reply that was left. The caller has the turn. */
  void readLate() {
    Link current = link;
    Flight late = flight;
    unread = false;
    if (current != null && late != null) {
      finish(current, late, PatientSocket.NEVER);
    }
  }

  private void begin(Cargo cargo, long deadlineNanos) {
    Link current = link;
    if (current == null) {
      cargo.fail(new StoreException(StoreFault.UNREACHABLE, "not connected"));
      return;
    }
    Flight trip = new Flight(cargo);
    flight = trip;
    watch.wake();
    finish(current, trip, deadlineNanos);
  }

  /** Goes on with a round trip until it has ended, or its reply is left to the lane's thread. */
  private void finish(Link current, Flight trip, long deadlineNanos) {
    StoreException fault;
    boolean alive = true;
    try {
      if (!trip.sent) {
        trip.sent = true;
        trip.cargo.leaves();
        current.send(Command.EVALSHA, trip.cargo.arguments(trip.cargo.script().sha()));
      }
      Object answer = read(current, trip, deadlineNanos);
      if (answer == null) {
        unread = true;
        return;
      }
      fault = trip.cargo.settle(answer);
      reportReplaced(trip.cargo.replacedUnreadable(answer));
    } catch (JedisDataException refused) {
      fault = Faults.of(refused);
    } catch (RuntimeException | Error lost) {
      // Errors too: Jedis makes room for whatever length a reply announces, and goes as deep into
      // it as it is nested.
      fault = Faults.ofBrokenReply(lost);
      alive = false;
    }
    flight = null;
    end(current, trip, fault, alive);
  }

  /** Null if the reply has not begun to come in time. */
  private static @Nullable Object read(Link current, Flight trip, long deadlineNanos) {
    while (true) {
      if (deadlineNanos != PatientSocket.NEVER && !current.awaitReply(deadlineNanos)) {
        return null;
      }
      try {
        return current.read(deadlineNanos);
      } catch (JedisDataException refused) {
        boolean again = Faults.isNoScript(refused) && !trip.sentWhole;
        if (!again || trip.cargo.isOver(System.nanoTime())) {
          throw refused;
        }
        // Nothing was executed, so sending it once more is no repetition.
        log.debug("a store had lost the script, and is sent it again");
        trip.sentWhole = true;
        current.send(Command.EVAL, trip.cargo.arguments(trip.cargo.script().text()));
      }
    }
  }

  private void end(Link current, Flight trip, @Nullable StoreException fault, boolean alive) {
    if (fault != null) {
      trip.cargo.fail(fault);
    }
    if (!alive || (fault != null && Faults.endsConnection(fault.fault()))) {
      current.close();
      link = null;
      broken = !trip.cargo.isTrial();
    }
    report(trip, fault);
  }

  private void report(Flight trip, @Nullable StoreException fault) {
    long took = System.nanoTime() - trip.sentNanos;
    if (!trip.endsUnreported()) {
      return; // its deadlines of silence have been reported already, and say more
    }
    boolean late = fault == null && took > timing.deadlineNanos();
    StoreException seen =
        late ? new StoreException(StoreFault.TIMEOUT, "reply after the deadline") : fault;
    if (seen != null && !trip.cargo.concernsNode(seen.fault())) {
      seen = null;
    }
    listener.sample(new Sample(settings.node(), took, seen, watch.selfPausedSince(trip.sentNanos)));
  }

  private void reportReplaced(long states) {
    if (states > 0) {
      listener.replacedUnreadable(settings.node(), states);
    }
  }
}
