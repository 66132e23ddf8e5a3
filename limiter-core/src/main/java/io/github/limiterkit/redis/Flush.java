package io.github.limiterkit.redis;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Limit;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import io.github.limiterkit.store.StoreReply;
import io.github.limiterkit.store.StoreReply.LimitReply;
import io.github.limiterkit.store.StoreReply.Room;
import io.github.limiterkit.window.SlidingLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The decisions that go to Redis in one call of the script: its keys and arguments, and the way
 * back from its answer to the callers. What the numbers mean stands on top of {@code decide.lua}.
 */
final class Flush {

  private static final int FIGURES_PER_LIMIT = 5;
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
    Map<String, Integer> indexes = new HashMap<>();
    List<String> keys = new ArrayList<>();
    List<String> perKey = new ArrayList<>();
    List<String> perRequest = new ArrayList<>();
    for (Call call : calls) {
      perRequest.add(Integer.toString(call.limits()));
      int at = 0;
      for (int c = 0; c < call.tags.length; c++) {
        Charge charge = call.charges.get(c);
        for (Limit limit : charge.policy().limits()) {
          String key = KeyNames.key(call.tags[c], limit);
          Integer index = indexes.get(key);
          if (index == null) {
            keys.add(key);
            index = keys.size();
            indexes.put(key, index);
            perKey.add(Long.toString(limit.windowMillis()));
            perKey.add(Long.toString(lifetimeMillis(limit)));
          }
          perRequest.add(index.toString());
          perRequest.add(Long.toString(charge.cost()));
          perRequest.add(Long.toString(limit.permits()));
          perRequest.add(Long.toString(call.floors[at++]));
        }
      }
    }
    List<byte[]> arguments = new ArrayList<>(2 + keys.size() + perKey.size() + perRequest.size());
    add(arguments, Integer.toString(keys.size()));
    keys.forEach(key -> add(arguments, key));
    add(arguments, clockMillis);
    perKey.forEach(argument -> add(arguments, argument));
    perRequest.forEach(argument -> add(arguments, argument));
    return arguments;
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
    int message = 2 + FIGURES_PER_LIMIT * calls.stream().mapToInt(Call::limits).sum();
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
