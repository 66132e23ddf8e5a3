package io.github.limiterkit.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.store.StoreReply;
import io.github.limiterkit.store.StoreReply.LimitReply;
import io.github.limiterkit.window.SlidingLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Feeds two counters the same random calls at the same times and compares their answers field for
 * field.
 *
 * <pre>{@code
 * DifferentialSequences.assertSame(seed, 200, DifferentialSequences.inMemory(), mine);
 * }</pre>
 *
 * <p>The keys of a sequence hold its seed, so that sequences do not meet in a store that outlives
 * them. The clock of a sequence steps back and forth; {@link #steady} leaves that out.
 */
public final class DifferentialSequences {

  /** Something that decides at a given time. */
  @FunctionalInterface
  public interface Counter {

    /**
     * Admits and charges all of the charges, or none.
     *
     * @param charges at least one, no two with the same policy and key
     * @param nowMillis the time, which may be earlier than at the call before
     * @return the answer
     */
    Answer decide(List<Charge> charges, long nowMillis);
  }

  /**
   * A counter's answer.
   *
   * @param allowed whether all were admitted
   * @param limits one per limit, in the order of the charges and of each policy's limits
   */
  public record Answer(boolean allowed, List<LimitAnswer> limits) {

    /**
     * What a store answered.
     *
     * @param reply the store's reply
     * @return the part that is compared
     */
    public static Answer of(StoreReply reply) {
      return new Answer(reply.allowed(), reply.limits().stream().map(LimitAnswer::of).toList());
    }
  }

  /**
   * How one limit stands.
   *
   * @param remaining units still available
   * @param retryAfterMillis 0 if it had room, {@link LimitUsage#NEVER} if it never has
   * @param resetAfterMillis until the next unit expires, 0 if there is none
   */
  public record LimitAnswer(long remaining, long retryAfterMillis, long resetAfterMillis) {

    private static LimitAnswer of(LimitReply reply) {
      boolean never = reply.room() == StoreReply.Room.NEVER;
      long retryAfter = never ? LimitUsage.NEVER : reply.retryAfterMillis();
      return new LimitAnswer(reply.remaining(), retryAfter, reply.resetAfterMillis());
    }
  }

  /**
   * One call.
   *
   * @param nowMillis the time
   * @param charges what is asked for
   */
  public record Call(long nowMillis, List<Charge> charges) {}

  private static final long EPOCH = 1_700_000_000_000L;

  private final SplittableRandom random;
  private final String keys;
  private final List<List<Duration>> windows = new ArrayList<>();
  private final List<Policy> policies = new ArrayList<>();
  private final boolean steps;
  private long now;

  private DifferentialSequences(long seed, boolean steps) {
    this.random = new SplittableRandom(seed);
    this.keys = "user:" + seed + "-";
    this.steps = steps;
    this.now = EPOCH + random.nextLong(1_000_000_000L);
    for (int i = 0; i < 3; i++) {
      windows.add(windows());
      policies.add(policy(i));
    }
  }

  /**
   * A sequence whose clock steps both ways.
   *
   * @param seed the same seed makes the same sequence
   * @param length number of calls
   * @return the calls
   */
  public static List<Call> stepping(long seed, int length) {
    return new DifferentialSequences(seed, true).calls(length);
  }

  /**
   * A sequence whose clock never goes back.
   *
   * @param seed the same seed makes the same sequence
   * @param length number of calls
   * @return the calls
   */
  public static List<Call> steady(long seed, int length) {
    return new DifferentialSequences(seed, false).calls(length);
  }

  /**
   * A counter over {@link SlidingLog}, without bound.
   *
   * @return a counter that has counted nothing
   */
  public static Counter inMemory() {
    return new InMemory();
  }

  /**
   * Compares two counters on a sequence whose clock steps both ways.
   *
   * @param seed the sequence, named if the answers differ
   * @param length number of calls
   * @param expected one counter
   * @param actual the other one
   * @throws AssertionError if an answer differs
   */
  public static void assertSame(long seed, int length, Counter expected, Counter actual) {
    assertSame(seed, stepping(seed, length), expected, actual);
  }

  /**
   * Compares two counters.
   *
   * @param seed named if the answers differ
   * @param calls the sequence
   * @param expected one counter
   * @param actual the other one
   * @throws AssertionError if an answer differs
   */
  public static void assertSame(long seed, List<Call> calls, Counter expected, Counter actual) {
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      assertThat(actual.decide(call.charges(), call.nowMillis()))
          .as("seed %d, call %d: %s", seed, i, call)
          .isEqualTo(expected.decide(call.charges(), call.nowMillis()));
    }
  }

  private List<Call> calls(int length) {
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      passTime();
      if (chance(20)) {
        int changed = random.nextInt(policies.size());
        policies.set(changed, policy(changed));
      }
      calls.add(new Call(now, charges()));
    }
    return calls;
  }

  private void passTime() {
    long window = windows.get(random.nextInt(windows.size())).get(0).toMillis();
    if (chance(2)) {
      now += random.nextLong(1 + window / 20);
    } else if (chance(4)) {
      now += random.nextLong(1 + window);
    } else if (chance(10)) {
      now += window + random.nextInt(3) - 1;
    }
    if (steps && chance(12)) {
      now -= random.nextLong(1 + window / 10);
    } else if (steps && chance(40)) {
      now -= random.nextLong(3 * window);
    } else if (steps && chance(40)) {
      now += random.nextLong(3 * window);
    }
  }

  private List<Charge> charges() {
    int count = chance(3) ? 1 + random.nextInt(3) : 1;
    Map<String, Charge> charges = new HashMap<>();
    while (charges.size() < count) {
      Policy policy = policies.get(random.nextInt(policies.size()));
      String key = keys + random.nextInt(2);
      charges.put(policy.name() + key, new Charge(policy, key, cost(policy)));
    }
    return List.copyOf(charges.values());
  }

  private long cost(Policy policy) {
    long permits = policy.limits().get(0).permits();
    if (chance(10)) {
      return 0;
    }
    if (chance(25)) {
      return Math.min(permits + random.nextLong(3), Limit.MAX_PERMITS);
    }
    return chance(2) ? 1 : 1 + random.nextLong(1 + permits / 3);
  }

  private Policy policy(int which) {
    List<Limit> limits = new ArrayList<>();
    for (Duration window : windows.get(which)) {
      limits.add(new Limit(permits(), window));
    }
    return Policy.named("policy-" + which).limits(limits).build();
  }

  private long permits() {
    return switch (random.nextInt(8)) {
      case 0, 1 -> 1 + random.nextLong(5);
      case 2, 3, 4 -> 5 + random.nextLong(20);
      case 5 -> 110 + random.nextLong(20);
      case 6 -> 121 + random.nextLong(1_000);
      default -> 1 + random.nextLong(Limit.MAX_PERMITS);
    };
  }

  private List<Duration> windows() {
    Set<Duration> windows = new LinkedHashSet<>();
    int count = 1 + random.nextInt(3);
    while (windows.size() < count) {
      windows.add(
          Duration.ofMillis(
              switch (random.nextInt(6)) {
                case 0 -> 1 + random.nextLong(100);
                case 1 -> 1 + random.nextLong(5_000);
                case 2 -> 1_000;
                case 3, 4 -> 60_000;
                default -> 1 + random.nextLong(Limit.MAX_WINDOW.toMillis());
              }));
    }
    return List.copyOf(windows);
  }

  private boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  private static final class InMemory implements Counter {

    private final Map<List<Object>, SlidingLog> logs = new HashMap<>();

    @Override
    public Answer decide(List<Charge> charges, long nowMillis) {
      List<Asked> asked = new ArrayList<>();
      for (Charge charge : charges) {
        for (Limit limit : charge.policy().limits()) {
          List<Object> place = List.of(charge.policy().name(), charge.key(), limit.window());
          SlidingLog log =
              logs.computeIfAbsent(place, created -> new SlidingLog(limit.windowMillis()));
          asked.add(new Asked(log, charge.cost(), limit.permits(), nowMillis));
        }
      }
      asked.forEach(Asked::clamp);
      boolean allowed = asked.stream().allMatch(Asked::admits);
      if (allowed) {
        asked.forEach(Asked::add);
      }
      return new Answer(allowed, asked.stream().map(one -> one.answer(allowed)).toList());
    }

    private record Asked(SlidingLog log, long cost, long quota, long now) {

      void clamp() {
        if (cost > 0) {
          log.clamp(now, quota);
        }
      }

      boolean admits() {
        return log.admits(now, cost, quota);
      }

      void add() {
        log.add(now, cost, quota);
      }

      LimitAnswer answer(boolean allowed) {
        long wait = allowed ? 0 : log.retryAfter(now, cost, quota);
        return new LimitAnswer(log.remaining(now, quota), wait, log.resetAfter(now, quota));
      }
    }
  }
}
