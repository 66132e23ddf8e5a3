package io.github.limiterkit.redis;

import io.github.limiterkit.store.Fleet;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The way of decisions to one node: a connection and the thread that owns it. Callers enqueue; the
 * thread takes everything that waits, sends it as one call of the script, reads the answer and
 * completes the callers. No timer and no added delay: a batch is what gathered during the last
 * round trip. Only where that takes long, those who wait set out behind it. Where nobody waits and
 * the wire is free, or only a few callers have done the same, a caller makes the round trip itself,
 * which spares two changes of thread.
 *
 * <p>No caller ever connects. The lane's thread makes a connection for a probe, and once when it
 * breaks under traffic; between the two, callers are told at once that there is none.
 */
final class Lane {

  private static final int MOST_CALLS = 128;

  private final Wire wire;
  private final Timing timing;
  private final Thread thread;
  private final Queue<Call<?>> waiting = new ConcurrentLinkedQueue<>();

  /** From time to time, and never more than one. */
  private volatile @Nullable Heartbeat heartbeat;

  private volatile boolean idle;
  private volatile boolean closed;

  Lane(String node, Wire wire, Timing timing) {
    this.wire = wire;
    this.timing = timing;
    this.thread = new Thread(this::run, "limiterkit-lane-" + node);
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /**
   * Has a call sent and waits for its reply until its own deadline.
   *
   * @throws StoreException if there is none by then, or it is known at once that there will be none
   */
  <R> R submit(Call<R> call) {
    if (closed) {
      throw new StoreException(StoreFault.UNREACHABLE, "the store is closed");
    }
    if (!call.probe) {
      refuseIfHopeless();
    }
    if (call.probe || isVirtual(Thread.currentThread())) {
      enqueue(call);
      return call.await();
    }
    if (sendMyself(call)) {
      return readMyself(call);
    }
    enqueue(call);
    return call.await(timing.patienceNanos(), this::sendBehind);
  }

  /** Has those who wait set out behind the round trip under way. From any thread. */
  void sendBehind() {
    wire.departBehind(
        () -> {
          List<Call<?>> batch = takeWaiting();
          return batch.isEmpty() ? null : new Flush(batch);
        });
  }

  /**
   * Has a heartbeat sent after what waits already, over the same connection, and waits for its
   * answer. For one thread of the kit.
   *
   * @throws StoreException if there is no connection, or no answer by its deadline
   */
  Fleet submit(Heartbeat beat) {
    refuseIfHopeless();
    heartbeat = beat;
    LockSupport.unpark(thread);
    return beat.await();
  }

  /** The round trip under way, or null. */
  @Nullable Flight flight() {
    return wire.flight();
  }

  /** Ends the round trip under way, if it is still this one; the lane's thread then goes on. */
  void abort(Flight stuck) {
    wire.abort(stuck);
  }

  void close() {
    closed = true;
    wire.close();
    LockSupport.unpark(thread);
  }

  /** Waits for the lane's thread to end. */
  void join(long millis) throws InterruptedException {
    thread.join(millis);
  }

  private void refuseIfHopeless() {
    if (!wire.isConnected()) {
      throw new StoreException(StoreFault.UNREACHABLE, "not connected");
    }
    Flight oldest = wire.flight();
    if (oldest != null && wire.isOverdue(oldest)) {
      throw new StoreException(StoreFault.TIMEOUT, "an earlier reply is overdue");
    }
  }

  private boolean sendMyself(Call<?> call) {
    if (!waiting.isEmpty()) {
      return false;
    }
    boolean sent = false;
    if (wire.tryTurn()) {
      try {
        sent = wire.isConnected() && !wire.hasUnread();
        if (sent) {
          wire.exchangeInTime(call);
        }
      } finally {
        endTurn();
      }
    }
    return sent || wire.departBeside(call);
  }

  /** Waits for the reply to what it has sent itself, and reads it when it comes to that. */
  private <R> R readMyself(Call<R> call) {
    try {
      return call.await(left -> readInTurn(call, left));
    } catch (StoreException none) {
      lookAfterWork();
      throw none;
    }
  }

  private void readInTurn(Call<?> call, long leftNanos) {
    if (wire.tryTurn()) {
      try {
        wire.readInTime(call);
      } finally {
        endTurn();
      }
    } else {
      call.park(leftNanos);
    }
  }

  /** Whoever waits for the next reply reads it; if nobody does, the lane's thread has to. */
  private void endTurn() {
    wire.endTurn();
    Flight next = wire.flight();
    if (next == null || next.lone == null || !next.lone.remindCaller()) {
      lookAfterWork();
    }
  }

  private void lookAfterWork() {
    if (hasWork()) {
      LockSupport.unpark(thread);
    }
  }

  /**
   * An interrupt closes the socket from which a virtual thread reads, and with it everybody's
   * connection. Java 17 does not know them, so their group tells.
   */
  private static boolean isVirtual(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    return group != null && group.getName().equals("VirtualThreads");
  }

  private void enqueue(Call<?> call) {
    waiting.add(call);
    // Whoever has the turn looks after it whether somebody waits.
    if (idle && !wire.isTaken()) {
      LockSupport.unpark(thread);
    }
  }

  private boolean hasWork() {
    return !waiting.isEmpty() || wire.hasUnread() || wire.isBroken() || heartbeat != null;
  }

  private void run() {
    while (!closed) {
      if (hasWork()) {
        // The turn first, then what waits: meanwhile more may come, and nobody passes it by.
        wire.takeTurn();
        try {
          work();
        } finally {
          wire.endTurn();
        }
      } else {
        sleepUntilCalled();
      }
    }
    wire.close();
    readToTheEnd();
    failAll(waiting, new StoreException(StoreFault.UNREACHABLE, "the store is closed"));
  }

  /** Tells those who wait for replies that there will be none. */
  private void readToTheEnd() {
    wire.takeTurn();
    try {
      while (wire.flight() != null) {
        wire.readNext(null);
      }
    } finally {
      wire.endTurn();
    }
  }

  private void sleepUntilCalled() {
    idle = true;
    if (!hasWork() && !closed) {
      LockSupport.park(this);
    }
    idle = false;
  }

  private void work() {
    if (wire.flight() == null) {
      sendWaiting();
    } else {
      // Callers who wait set out behind it by themselves; nobody else does this.
      wire.departBehind(this::takeHeartbeat);
    }
    wire.readNext(this::sendWaiting);
  }

  private @Nullable Heartbeat takeHeartbeat() {
    Heartbeat beat = heartbeat;
    heartbeat = null;
    return beat == null || beat.isOver(System.nanoTime()) ? null : beat;
  }

  private void sendWaiting() {
    List<Call<?>> batch = takeWaiting();
    try {
      boolean worthIt = wire.isBroken() || batch.stream().anyMatch(call -> call.probe);
      if (!wire.isConnected() && worthIt) {
        wire.connect();
      }
      if (!batch.isEmpty()) {
        wire.depart(new Flush(batch));
      }
    } catch (StoreException noConnection) {
      batch.forEach(call -> call.fail(noConnection));
    }
    Heartbeat beat = takeHeartbeat();
    if (beat != null) {
      wire.depart(beat);
    }
  }

  private List<Call<?>> takeWaiting() {
    List<Call<?>> batch = new ArrayList<>();
    long now = System.nanoTime();
    while (batch.size() < MOST_CALLS) {
      Call<?> call = waiting.poll();
      if (call == null) {
        break;
      }
      if (!call.isOver(now)) {
        batch.add(call);
      }
    }
    return batch;
  }

  private static void failAll(Queue<Call<?>> calls, StoreException fault) {
    for (Call<?> call = calls.poll(); call != null; call = calls.poll()) {
      call.fail(fault);
    }
  }
}
