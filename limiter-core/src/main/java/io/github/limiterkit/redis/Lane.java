package io.github.limiterkit.redis;

import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import io.github.limiterkit.store.StoreListener;
import io.github.limiterkit.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A connection to one node and the thread that owns it. Callers enqueue; the thread takes
 * everything that waits, sends it as one call of the script, reads the answer and completes the
 * callers. No timer and no added delay: a batch is what gathered during the last round trip.
 *
 * <p>Nobody else connects. A lane without a connection makes one for a probe, and once when the
 * connection breaks under traffic; between the two, callers are told at once that there is none.
 */
final class Lane {

  private static final int MOST_CALLS = 128;

  private final RedisStore settings;
  private final Timing timing;
  private final LaneWatch watch;
  private final StoreListener listener;
  private final Thread thread;
  private final Queue<Call> waiting = new ConcurrentLinkedQueue<>();
  private volatile boolean idle;
  private volatile boolean closed;
  private volatile @Nullable Link link;
  private volatile @Nullable Flight flight;

  Lane(RedisStore settings, Timing timing, LaneWatch watch, StoreListener listener) {
    this.settings = settings;
    this.timing = timing;
    this.watch = watch;
    this.listener = listener;
    this.thread = new Thread(this::run, "limiterkit-lane-" + settings.node());
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /**
   * Sends a call with the next flush and waits for its reply until its own deadline.
   *
   * @throws StoreException if there is none by then, or it is known at once that there will be none
   */
  StoreReply submit(Call call) {
    if (closed) {
      throw new StoreException(StoreFault.UNREACHABLE, "the store is closed");
    }
    if (!call.probe) {
      refuseIfHopeless();
    }
    waiting.add(call);
    if (idle) {
      LockSupport.unpark(thread);
    }
    return call.await();
  }

  private void refuseIfHopeless() {
    if (link == null) {
      throw new StoreException(StoreFault.UNREACHABLE, "not connected");
    }
    Flight oldest = flight;
    if (oldest != null && System.nanoTime() - oldest.sentNanos > timing.deadlineNanos()) {
      throw new StoreException(StoreFault.TIMEOUT, "an earlier reply is overdue");
    }
  }

  /** The round trip under way, or null. */
  @Nullable Flight flight() {
    return flight;
  }

  /** Ends the round trip under way, if it is still this one; the lane's thread then goes on. */
  void abort(Flight stuck) {
    Link current = link;
    if (flight == stuck && current != null) {
      current.close();
    }
  }

  void close() {
    closed = true;
    Link current = link;
    if (current != null) {
      current.close();
    }
    LockSupport.unpark(thread);
  }

  /** Waits for the lane's thread to end. */
  void join(long millis) throws InterruptedException {
    thread.join(millis);
  }

  private void run() {
    List<Call> batch = new ArrayList<>(MOST_CALLS);
    while (!closed) {
      takeWaiting(batch);
      if (batch.isEmpty()) {
        sleepUntilCalled();
      } else {
        send(batch);
        batch.clear();
      }
    }
    Link last = link;
    if (last != null) {
      last.close();
    }
    failAllWaiting();
  }

  private void takeWaiting(List<Call> batch) {
    long now = System.nanoTime();
    while (batch.size() < MOST_CALLS) {
      Call call = waiting.poll();
      if (call == null) {
        return;
      }
      if (!call.isOver(now)) {
        batch.add(call);
      }
    }
  }

  private void sleepUntilCalled() {
    idle = true;
    if (waiting.isEmpty() && !closed) {
      LockSupport.park(this);
    }
    idle = false;
  }

  private void send(List<Call> batch) {
    boolean probing = batch.stream().anyMatch(call -> call.probe);
    Link current = link;
    if (current == null && probing) {
      current = connect(batch);
    }
    if (current == null) {
      StoreException fault = new StoreException(StoreFault.UNREACHABLE, "not connected");
      batch.forEach(call -> call.fail(fault));
      return;
    }
    boolean alive = roundTrip(current, new Flush(batch), batch);
    if (!alive && !closed && !probing) {
      connect(List.of());
    }
  }

  private @Nullable Link connect(List<Call> batch) {
    long began = System.nanoTime();
    try {
      Link fresh = Link.open(settings, timing.stuckMillis());
      link = fresh;
      if (closed) {
        fresh.close();
      }
      return fresh;
    } catch (StoreException fault) {
      batch.forEach(call -> call.fail(fault));
      long took = System.nanoTime() - began;
      listener.sample(new Sample(settings.node(), took, fault, false));
      return null;
    }
  }

  /** Returns whether the connection can go on. */
  private boolean roundTrip(Link current, Flush flush, List<Call> batch) {
    Flight trip = new Flight(System.nanoTime());
    flight = trip;
    watch.wake();
    StoreException fault;
    boolean alive = true;
    try {
      Object answer = execute(current, flush);
      fault = flush.settle(answer);
      reportReplaced(Flush.healed(answer));
    } catch (JedisDataException refused) {
      fault = Faults.of(refused);
    } catch (RuntimeException | OutOfMemoryError broken) {
      // Jedis believes the length that a reply announces, and tries to make room for it.
      fault = Faults.ofBrokenReply(broken);
      alive = false;
    }
    flight = null;
    StoreException outcome = fault;
    if (outcome != null) {
      batch.forEach(call -> call.fail(outcome));
    }
    if (!alive) {
      current.close();
      link = null;
    }
    report(trip, outcome);
    return alive;
  }

  private Object execute(Link current, Flush flush) {
    List<byte[]> arguments = flush.arguments();
    try {
      return current.call(Command.EVALSHA, DecideScript.SHA, arguments);
    } catch (JedisDataException failure) {
      if (!Faults.isNoScript(failure) || flush.isOver(System.nanoTime())) {
        throw failure;
      }
      // Nothing was executed, so sending it once more is no repetition.
      return current.call(Command.EVAL, DecideScript.TEXT, arguments);
    }
  }

  private void report(Flight trip, @Nullable StoreException fault) {
    long took = System.nanoTime() - trip.sentNanos;
    if (!trip.endsUnreported()) {
      return; // its deadlines of silence have been reported already, and say more
    }
    boolean late = fault == null && took > timing.deadlineNanos();
    StoreException seen =
        late ? new StoreException(StoreFault.TIMEOUT, "reply after the deadline") : fault;
    if (seen != null && !seen.fault().concernsNode()) {
      seen = null;
    }
    listener.sample(new Sample(settings.node(), took, seen, watch.selfPausedSince(trip.sentNanos)));
  }

  private void reportReplaced(long states) {
    if (states > 0) {
      listener.replacedUnreadable(settings.node(), states);
    }
  }

  private void failAllWaiting() {
    StoreException fault = new StoreException(StoreFault.UNREACHABLE, "the store is closed");
    for (Call call = waiting.poll(); call != null; call = waiting.poll()) {
      call.fail(fault);
    }
  }
}
