package io.github.limiterkit.redis;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Limit;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import io.github.limiterkit.window.SlidingLog;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calls that go to Redis in one call of the script: its keys and arguments, and the way back
 * from its answer to the callers. What the numbers mean stands on top of {@code decide.lua}.
 */
final class Flush implements Cargo {

  private static final int BACK_BYTES = Figures.SHORT_BYTES + 5 * Figures.LONG_BYTES;
  private static final int RUN_BYTES = 3 * Figures.SHORT_BYTES;
  private static final int LIMIT_BYTES = 2 * Figures.SHORT_BYTES + 3 * Figures.LONG_BYTES;
  private static final byte[] NOTHING = {};
  private static final int[] FIRST = {1};

  private final List<? extends Call<?>> calls;
  private final List<Call<?>> backs = new ArrayList<>(0);
  private final List<Group> groups;
  private final List<byte[]> keys;

  Flush(List<? extends Call<?>> calls) {
    this.calls = calls;
    if (calls.size() == 1 && calls.get(0) instanceof DecideCall only && only.keys.length == 1) {
      // The most frequent case of a service at rest has nobody to be grouped with.
      this.groups = List.of(new Group(only, FIRST));
      this.keys = List.of(only.keys[0]);
      return;
    }
    this.groups = new ArrayList<>(calls.size());
    this.keys = new ArrayList<>(calls.size());
    for (Call<?> call : calls) {
      if (!(call instanceof DecideCall)) {
        backs.add(call);
        Collections.addAll(keys, call.keys);
      }
    }
    Map<String, Place> places = new HashMap<>(2 * calls.size());
    for (Call<?> call : calls) {
      if (call instanceof DecideCall decision) {
        group(decision, places);
      }
    }
  }

  /**
   * Adds a decision to the group that asks the same, unless somebody else asks something of one of
   * its keys in between: callers of one key are answered in their order.
   */
  private void group(DecideCall call, Map<String, Place> places) {
    Place first = places.get(call.subjects[0].tag);
    Group last = first == null ? null : first.last;
    boolean same = last != null && last.first.concernsSame(call) && last.first.asksLike(call);
    for (int s = 1; same && s < call.subjects.length; s++) {
      Place other = places.get(call.subjects[s].tag);
      same = other != null && other.last == last;
    }
    if (same && last != null) {
      last.add(call);
    } else {
      groups.add(created(call, places));
    }
  }

  private Group created(DecideCall call, Map<String, Place> places) {
    int[] numbers = new int[call.keys.length];
    Group created = new Group(call, numbers);
    int at = 0;
    for (int s = 0; s < call.subjects.length; s++) {
      Place place = places.computeIfAbsent(call.subjects[s].tag, absent -> new Place());
      place.last = created;
      for (Limit limit : call.charges.get(s).policy().limits()) {
        numbers[at] = place.number(limit.windowMillis(), call.keys[at], keys);
        at++;
      }
    }
    return created;
  }

  @Override
  public Script script() {
    return Script.DECIDE;
  }

  @Override
  public byte[][] arguments(byte[] script) {
    return arguments(script, NOTHING);
  }

  /** As {@link #arguments(byte[])}, at a time that a test chooses. */
  byte[][] arguments(byte[] script, byte[] clockMillis) {
    byte[][] arguments = new byte[2 + keys.size() + 3][];
    arguments[0] = script;
    arguments[1] = Integer.toString(keys.size()).getBytes(StandardCharsets.US_ASCII);
    int at = 2;
    for (int k = 0; k < keys.size(); k++) {
      arguments[at++] = keys.get(k);
    }
    arguments[at] = clockMillis;
    arguments[at + 1] = backs.isEmpty() ? NOTHING : takenBack();
    arguments[at + 2] = asked();
    return arguments;
  }

  private byte[] takenBack() {
    int parts = 0;
    for (Call<?> call : backs) {
      parts += call.keys.length;
    }
    ByteBuffer packed = ByteBuffer.allocate(BACK_BYTES * parts);
    for (Call<?> call : backs) {
      if (call instanceof RefundCall refund) {
        pack(refund, packed);
      } else if (call instanceof ResetCall reset) {
        pack(reset, packed);
      }
    }
    return packed.array();
  }

  private static void pack(ResetCall reset, ByteBuffer packed) {
    for (Limit limit : reset.policy.limits()) {
      packed.putShort((short) 1);
      putWindow(limit, packed);
      packed.put(new byte[3 * Figures.LONG_BYTES]);
    }
  }

  private static void putWindow(Limit limit, ByteBuffer packed) {
    Figures.putLong(packed, SlidingLog.grainMillis(limit.windowMillis(), limit.permits()));
    Figures.putLong(packed, limit.windowMillis());
  }

  private static void pack(RefundCall refund, ByteBuffer packed) {
    int at = 0;
    for (Charge charge : refund.charges) {
      for (Limit limit : charge.policy().limits()) {
        packed.putShort((short) 0);
        putWindow(limit, packed);
        Figures.putLong(packed, refund.birthsMillis[at++]);
        Figures.putLong(packed, refund.stampMillis);
        Figures.putLong(packed, charge.cost());
      }
    }
  }

  /** Groups that ask alike make a run, and what they ask is said once. */
  private byte[] asked() {
    int size = 0;
    for (int from = 0; from < groups.size(); from = endOfRun(from)) {
      size += RUN_BYTES + LIMIT_BYTES * groups.get(from).first.keys.length;
    }
    ByteBuffer packed = ByteBuffer.allocate(size);
    int end;
    for (int from = 0; from < groups.size(); from = end) {
      end = endOfRun(from);
      Group group = groups.get(from);
      Group next = groups.get(Math.min(from + 1, end - 1));
      packed.putShort((short) (end - from));
      packed.putShort((short) group.most());
      packed.putShort((short) group.numbers.length);
      int at = 0;
      for (Charge charge : group.first.charges) {
        for (Limit limit : charge.policy().limits()) {
          packed.putShort((short) group.numbers[at]);
          packed.putShort((short) (next.numbers[at] - group.numbers[at]));
          Figures.putLong(packed, limit.windowMillis());
          Figures.putLong(packed, limit.permits());
          Figures.putLong(packed, charge.cost());
          at++;
        }
      }
    }
    return packed.array();
  }

  private int endOfRun(int from) {
    Group first = groups.get(from);
    int end = from + 1;
    while (end < groups.size()
        && groups.get(end).follows(first, groups.get(from + 1), end - from)) {
      end++;
    }
    return end;
  }

  /** Gives each caller its part of the script's answer. */
  @Override
  public @Nullable StoreException settle(Object answer) {
    Figures figures = figures(answer);
    Map<Integer, StoreException> failures = failures((List<?>) answer);
    int part = 0;
    int at = Figures.BEFORE_PARTS;
    for (Call<?> call : backs) {
      StoreException fault = null;
      for (int p = 0; p < call.keys.length; p++) {
        StoreException ofPart = failures.get(++part);
        fault = fault == null ? ofPart : fault;
      }
      finish(call, fault, figures, at, 0);
      at += Figures.LONG_BYTES * call.keys.length;
    }
    for (int g = 0; g < groups.size(); g++) {
      StoreException fault = failures.isEmpty() ? null : failures.get(++part);
      DecideCall call = groups.get(g).first;
      int length = Figures.PER_LIMIT * call.keys.length;
      for (int turn = 0; call != null; turn++) {
        DecideCall next = call.alike;
        finish(call, fault, figures, at, turn);
        call = next;
      }
      at += length;
    }
    return ofNode(failures);
  }

  private static void finish(
      Call<?> call, @Nullable StoreException fault, Figures figures, int at, int turn) {
    if (fault == null) {
      call.complete(figures, at, turn);
    } else {
      call.fail(fault);
    }
  }

  private static @Nullable StoreException ofNode(Map<Integer, StoreException> failures) {
    for (StoreException fault : failures.values()) {
      if (fault.fault().concernsNode()) {
        return fault;
      }
    }
    return null;
  }

  private Figures figures(Object answer) {
    int length = Figures.BEFORE_PARTS;
    for (Call<?> call : backs) {
      length += Figures.LONG_BYTES * call.keys.length;
    }
    for (int g = 0; g < groups.size(); g++) {
      length += Figures.PER_LIMIT * groups.get(g).first.keys.length;
    }
    if (answer instanceof List<?> parts
        && !parts.isEmpty()
        && parts.get(0) instanceof byte[] bytes
        && bytes.length == length) {
      return new Figures(bytes);
    }
    throw new StoreException(StoreFault.RESET, "the script's answer is not of its form");
  }

  private static Map<Integer, StoreException> failures(List<?> answer) {
    if (answer.size() == 1) {
      return Map.of();
    }
    Map<Integer, StoreException> failures = new HashMap<>();
    for (int i = 1; i + 1 < answer.size(); i += 2) {
      if (answer.get(i) instanceof Long part && answer.get(i + 1) instanceof byte[] message) {
        failures.put(
            part.intValue(), Faults.ofServerMessage(new String(message, StandardCharsets.UTF_8)));
      } else {
        throw new StoreException(StoreFault.RESET, "the script's answer names no failure");
      }
    }
    return failures;
  }

  @Override
  public void leaves() {
    calls.forEach(Call::beginsToBeSent);
  }

  @Override
  public void fail(StoreException fault) {
    calls.forEach(call -> call.fail(fault));
  }

  @Override
  public boolean isTrial() {
    return calls.stream().anyMatch(call -> call.probe);
  }

  @Override
  public boolean isOver(long nowNanos) {
    return calls.stream().allMatch(call -> call.isOver(nowNanos));
  }

  @Override
  public long replacedUnreadable(Object answer) {
    return answer instanceof List<?> parts && parts.get(0) instanceof byte[] bytes
        ? new Figures(bytes).replaced()
        : 0;
  }
}
