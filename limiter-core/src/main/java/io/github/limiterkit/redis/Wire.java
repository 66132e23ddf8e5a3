package io.github.limiterkit.redis;

import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import io.github.limiterkit.store.StoreListener;
import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The connection of a lane, and the round trips over it. Replies are read by whoever has the turn.
 * As a rule there is one round trip at a time; while the reply to one takes long, others may set
 * out behind it. The order of the bytes ties a reply to its call, so a reply is always read by
 * somebody, also when nobody waits for it any more.
 */
final class Wire {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");

  /** A server that is this far behind is not helped by more. */
  private static final int MOST_FLIGHTS = 8;

  /** More of them come by so seldom alone that they are better sent together. */
  private static final int MOST_LONE = 4;

  /** Far less than {@link Link#SEND_BUFFER_BYTES}, so that nobody waits for the network to send. */
  private static final int MOST_BYTES = 32_768;

  private final RedisStore settings;
  private final Timing timing;
  private final LaneWatch watch;
  private final StoreListener listener;

  /** Whose turn it is to read, and to send where nothing is under way. */
  private final ReentrantLock turn = new ReentrantLock();

  /** Guards the flights and the order of what is sent. Held for no longer than sending takes. */
  private final ReentrantLock sending = new ReentrantLock();

  private final ArrayDeque<Flight> flights = new ArrayDeque<>();
  private volatile @Nullable Flight oldest;
  private volatile @Nullable Link link;

  /** What will be a link, if it comes so far. */
  private volatile @Nullable Closeable connecting;

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
    unread = oldest != null;
    turn.unlock();
  }

  boolean isConnected() {
    return link != null;
  }

  /** Whether the connection broke while requests used it, so that it is worth one new attempt. */
  boolean isBroken() {
    return broken;
  }

  /** Whether there is a reply to be read and nobody who has the turn. */
  boolean hasUnread() {
    return unread;
  }

  /** The round trip whose reply comes next, or null. */
  @Nullable Flight flight() {
    return oldest;
  }

  /** Ends the round trip under way, if it is still this one. From any thread. */
  void abort(Flight stuck) {
    if (oldest == stuck) {
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

  /** Sends something. The caller has the turn, and reads afterwards. */
  void depart(Cargo cargo) {
    depart(cargo, null);
  }

  private void depart(Cargo cargo, @Nullable Call<?> lone) {
    sending.lock();
    try {
      send(cargo, lone);
    } finally {
      sending.unlock();
    }
  }

  /**
   * Sends a call behind others whose callers sent them, too, if it is only a few of them. To wait
   * for their replies would take longer than to read them. For a caller without the turn, who then
   * reads the reply when it comes to that.
   *
   * @return false if there is somebody to wait for
   */
  boolean departBeside(Call<?> call) {
    sending.lock();
    try {
      Flight newest = flights.peekLast();
      boolean joins = newest != null && newest.lone != null && flights.size() < MOST_LONE;
      if (joins) {
        send(new Flush(List.of(call)), call);
      }
      return joins;
    } finally {
      sending.unlock();
    }
  }

  /**
   * Sends what somebody has waited with in vain, behind a round trip whose reply takes its time.
   * For a caller without the turn: whoever has it, or gets it next, reads the reply.
   *
   * @param waiting what there is to send, or null if there is nothing any more
   */
  void departBehind(Supplier<? extends @Nullable Cargo> waiting) {
    if (!takesItsTime(oldest) || !sending.tryLock()) {
      return;
    }
    try {
      // Asked again: without a flight, there may be nobody who reads.
      if (takesItsTime(oldest) && flights.size() < MOST_FLIGHTS && bytesUnderWay() < MOST_BYTES) {
        Cargo cargo = waiting.get();
        if (cargo != null) {
          send(cargo, null);
        }
      }
    } finally {
      sending.unlock();
    }
  }

  private boolean takesItsTime(@Nullable Flight flight) {
    return flight != null
        && System.nanoTime() - flight.sentNanos >= timing.patienceNanos()
        && !isOverdue(flight);
  }

  private int bytesUnderWay() {
    int bytes = 0;
    for (Flight flight : flights) {
      bytes += flight.bytes;
    }
    return bytes;
  }

  /** Whether the reply has let a whole deadline pass, so that to send more is hopeless. */
  boolean isOverdue(Flight flight) {
    return System.nanoTime() - flight.sentNanos > timing.deadlineNanos();
  }

  /**
   * Reads the reply that comes next, however long it takes, if there is one to come. The caller has
   * the turn.
   *
   * @param departure sends what can set out behind it, if anything: it runs when the reply has come
   *     and nothing else is under way, before those who waited for the reply are told. To wake them
   *     all takes longer than the server takes for the next round trip.
   */
  void readNext(@Nullable Runnable departure) {
    Flight next = oldest;
    if (next != null) {
      read(next, PatientSocket.NEVER, departure);
    }
  }

  /** Sends a call where nothing is under way, and reads the reply. The caller has the turn. */
  void exchangeInTime(Call<?> call) {
    depart(new Flush(List.of(call)), call);
    readInTime(call);
  }

  /**
   * Reads until a call has its reply, unless the next one has not begun to come by the call's
   * deadline: then it is left to {@link #readNext}. The caller has the turn.
   */
  void readInTime(Call<?> call) {
    Flight next = oldest;
    while (next != null && !call.isDone() && read(next, call.deadlineNanos, null)) {
      next = oldest;
    }
  }

  private void send(Cargo cargo, @Nullable Call<?> lone) {
    Link current = link;
    if (current == null) {
      cargo.fail(new StoreException(StoreFault.UNREACHABLE, "not connected"));
      return;
    }
    Flight trip = new Flight(cargo, lone);
    flights.addLast(trip);
    oldest = flights.peekFirst();
    watch.wake();
    cargo.leaves();
    send(current, Command.EVALSHA, trip, cargo.script().sha());
  }

  /** What cannot be sent shows when the reply is read. */
  private static void send(Link current, Command command, Flight trip, byte[] script) {
    try {
      trip.bytes += current.send(command, trip.cargo.arguments(script));
    } catch (RuntimeException | Error lost) {
      current.close();
    }
  }

  /** Returns false if the reply has not begun to come in time; then nothing has changed. */
  private boolean read(Flight trip, long deadlineNanos, @Nullable Runnable departure) {
    Link current = link;
    StoreException fault;
    boolean alive = current != null;
    try {
      if (current == null) {
        throw new StoreException(StoreFault.RESET, "the connection ended");
      }
      if (deadlineNanos != PatientSocket.NEVER && !current.awaitReply(deadlineNanos)) {
        return false;
      }
      Object answer = current.read(deadlineNanos);
      if (answer == null) {
        throw new StoreException(StoreFault.RESET, "the answer is nil");
      }
      if (departure != null && isLast()) {
        departure.run();
      }
      fault = trip.cargo.settle(answer);
      reportReplaced(trip.cargo.replacedUnreadable(answer));
    } catch (JedisDataException refused) {
      if (current != null && isWorthTheWholeScript(refused, trip)) {
        sendWhole(current, trip);
        return true;
      }
      fault = Faults.of(refused);
    } catch (RuntimeException | Error lost) {
      // Errors too: Jedis makes room for whatever length a reply announces, and goes as deep into
      // it as it is nested.
      fault = Faults.ofBrokenReply(lost);
      alive = false;
    }
    end(trip, fault, alive);
    return true;
  }

  /** Whether nothing is under way behind the round trip whose reply is being read. */
  private boolean isLast() {
    sending.lock();
    try {
      return flights.size() == 1;
    } finally {
      sending.unlock();
    }
  }

  private static boolean isWorthTheWholeScript(JedisDataException refused, Flight trip) {
    return Faults.isNoScript(refused) && !trip.sentWhole && !trip.cargo.isOver(System.nanoTime());
  }

  /** Nothing was executed, so sending it once more is no repetition. Now it comes last. */
  private void sendWhole(Link current, Flight trip) {
    log.debug("a store had lost the script, and is sent it again");
    trip.sentWhole = true;
    sending.lock();
    try {
      flights.removeFirst();
      flights.addLast(trip);
      oldest = flights.peekFirst();
      send(current, Command.EVAL, trip, trip.cargo.script().text());
    } finally {
      sending.unlock();
    }
  }

  private void end(Flight trip, @Nullable StoreException fault, boolean alive) {
    boolean last = !alive || (fault != null && Faults.endsConnection(fault.fault()));
    List<Flight> behind = last ? endConnection(trip) : arrived();
    if (fault != null) {
      trip.cargo.fail(fault);
    }
    // One broken connection is one sample, however many were under way on it.
    StoreException ended = new StoreException(StoreFault.RESET, "the connection ended");
    behind.forEach(flight -> flight.cargo.fail(ended));
    report(trip, fault);
  }

  /** Returns what ends with it: nothing. */
  private List<Flight> arrived() {
    sending.lock();
    try {
      flights.removeFirst();
      oldest = flights.peekFirst();
      return List.of();
    } finally {
      sending.unlock();
    }
  }

  /** Returns what was under way behind the one that came to its end. */
  private List<Flight> endConnection(Flight trip) {
    sending.lock();
    try {
      flights.removeFirst();
      List<Flight> behind = List.copyOf(flights);
      flights.clear();
      oldest = null;
      Link current = link;
      link = null;
      broken = !trip.cargo.isTrial();
      if (current != null) {
        current.close();
      }
      return behind;
    } finally {
      sending.unlock();
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
