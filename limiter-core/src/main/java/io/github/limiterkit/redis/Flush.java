package io.github.limiterkit.redis;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Limit;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import io.github.limiterkit.store.StoreReply;
import io.github.limiterkit.store.StoreReply.LimitReply;
import io.github.limiterkit.store.StoreReply.Room;
import io.github.limiterkit.window.SlidingLog;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The decisions that go to Redis in one call of the script: its keys and arguments, and the way
 * back from its answer to the callers. What the numbers mean stands on top of {@code decide.lua}.
 */
final class Flush {

  private static final int FIGURES_PER_LIMIT = 5;
  private static final int BYTES_PER_LIMIT = 16;
  private static final int FAILED = 4;
  private static final Room[] ROOMS = {Room.NO, Room.YES, Room.BELOW_FLOOR, Room.NEVER};

  private final List<Call> calls;

  Flush(List<Call> calls) {
    this.calls = calls;
  }

  /** What follows the name or the text of the script: number of keys, keys, arguments. */
  List<byte[]> arguments() {
    return arguments("");
  }

  /** As {@link #arguments()}, at a time that a test chooses. */
  List<byte[]> arguments(String clockMillis) {
    Map<String, Integer> keys = new LinkedHashMap<>();
    Map<Limit, Integer> kinds = new LinkedHashMap<>();
    byte[] asked = asked(keys, kinds);
    List<byte[]> arguments = new ArrayList<>(3 + keys.size() + 3 * kinds.size());
    add(arguments, Integer.toString(keys.size()));
    keys.keySet().forEach(key -> add(arguments, key));
    add(arguments, clockMillis);
    arguments.add(asked);
    for (Limit kind : kinds.keySet()) {
      add(arguments, Long.toString(kind.windowMillis()));
      add(arguments, Long.toString(kind.permits()));
      add(arguments, Long.toString(lifetimeMillis(kind)));
    }
    return arguments;
  }

  /** Packs what is asked, and collects the keys and the kinds of limit that it names by number. */
  private byte[] asked(Map<String, Integer> keys, Map<Limit, Integer> kinds) {
    ByteBuffer asked = ByteBuffer.allocate(Short.BYTES * calls.size() + BYTES_PER_LIMIT * limits());
    for (Call call : calls) {
      asked.putShort((short) call.limits());
      int floor = 0;
      for (int c = 0; c < call.tags.length; c++) {
        Charge charge = call.charges.get(c);
        for (Limit limit : charge.policy().limits()) {
          asked.putShort(numberOf(KeyNames.key(call.tags[c], limit), keys));
          asked.putShort(numberOf(limit, kinds));
          putSixBytes(asked, charge.cost());
          putSixBytes(asked, call.floors[floor++]);
        }
      }
    }
    return asked.array();
  }

  /** The place in the order of first mention, from 1. */
  private static <T> short numberOf(T thing, Map<T, Integer> numbers) {
    int next = numbers.size() + 1;
    Integer known = numbers.putIfAbsent(thing, next);
    return (short) (known == null ? next : known);
  }

  private static void putSixBytes(ByteBuffer buffer, long value) {
    buffer.putShort((short) (value >>> 32)).putInt((int) value);
  }

  private int limits() {
    int limits = 0;
    for (Call call : calls) {
      limits += call.limits();
    }
    return limits;
  }

  /** How long a state lives after its newest entry began: the epoch counters outlive one window. */
  static long lifetimeMillis(Limit limit) {
    long window = limit.windowMillis();
    return 2 * Math.max(window, 5_000) + SlidingLog.grainMillis(window, limit.permits()) + 1_000;
  }

  private static void add(List<byte[]> arguments, String argument) {
    arguments.add(argument.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Gives each caller its part of the script's answer.
   *
   * @return the first fault that concerns the node, or null
   */
  @Nullable StoreException settle(Object answer) {
    if (!(answer instanceof List<?> figures) || figures.size() < 2) {
      throw new StoreException(StoreFault.RESET, "the script's answer is no list");
    }
    long stamp = number(figures, 0);
    int at = 2;
    int message = 2 + FIGURES_PER_LIMIT * limits();
    StoreException nodeFault = null;
    for (Call call : calls) {
      if (call.limits() > 0 && number(figures, at) == FAILED) {
        StoreException fault = Faults.ofServerMessage(text(figures, message++));
        nodeFault = nodeFault == null && fault.fault().concernsNode() ? fault : nodeFault;
        call.fail(fault);
      } else {
        call.complete(reply(figures, at, call, stamp));
      }
      at += FIGURES_PER_LIMIT * call.limits();
    }
    return nodeFault;
  }

  /** Whether all of its callers have given up. */
  boolean isOver(long nowNanos) {
    return calls.stream().allMatch(call -> call.isOver(nowNanos));
  }

  /** How many states the script replaced because it could not read them. */
  static long healed(Object answer) {
    return answer instanceof List<?> figures && figures.size() > 1 ? number(figures, 1) : 0;
  }

  private static StoreReply reply(List<?> figures, int from, Call call, long stamp) {
    List<LimitReply> limits = new ArrayList<>(call.limits());
    boolean allowed = true;
    for (int l = 0; l < call.limits(); l++) {
      int at = from + FIGURES_PER_LIMIT * l;
      Room room = ROOMS[(int) number(figures, at)];
      allowed &= room == Room.YES;
      limits.add(
          new LimitReply(
              room,
              number(figures, at + 1),
              number(figures, at + 2),
              number(figures, at + 3),
              number(figures, at + 4)));
    }
    return new StoreReply(allowed, stamp, limits);
  }

  private static long number(List<?> figures, int at) {
    if (at < figures.size() && figures.get(at) instanceof Long number) {
      return number;
    }
    throw new StoreException(StoreFault.RESET, "the script's answer has no number at " + at);
  }

  private static String text(List<?> figures, int at) {
    if (at < figures.size() && figures.get(at) instanceof byte[] text) {
      return new String(text, StandardCharsets.UTF_8);
    }
    throw new StoreException(StoreFault.RESET, "the script's answer has no message at " + at);
  }
}
