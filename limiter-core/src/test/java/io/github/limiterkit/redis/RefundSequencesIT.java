package io.github.limiterkit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Limit;
import io.github.limiterkit.Policy;
import io.github.limiterkit.store.StoreReply;
import io.github.limiterkit.store.StoreReply.LimitReply;
import io.github.limiterkit.store.StoreReply.Room;
import io.github.limiterkit.testing.RedisServer;
import io.github.limiterkit.window.SlidingLog;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of charges, refunds, resets, changed quotas and a clock that steps both ways, by
 * the script on a real server: held against the log in memory field for field, and against what
 * nobody may exceed, which is the quota less nothing but what came back.
 */
class RefundSequencesIT {

  private static final long START = 1_700_000_000_000L;
  private static final int SEQUENCES = 2_000;
  private static final int STEPS = 16;

  @Test
  void useNoMoreThanTheQuotaAndAgreeWithTheLogInMemory() {
    long givenBack = 0;
    try (RedisServer redis = RedisServer.start();
        ScriptCounter script = new ScriptCounter(redis.url())) {
      for (int seed = 0; seed < SEQUENCES; seed++) {
        Sequence sequence = new Sequence(script, seed);
        for (int step = 0; step < STEPS; step++) {
          sequence.step();
        }
        givenBack += sequence.givenBack;
      }
    }
    assertThat(givenBack).as("units that came back").isGreaterThan(SEQUENCES);
  }

  /** What was admitted: the reply is the receipt. */
  private static final class Admitted {
    final StoreReply reply;
    final long elapsed;
    final long cost;
    final long[] used;
    boolean refunded;

    Admitted(StoreReply reply, long elapsed, long cost) {
      this.reply = reply;
      this.elapsed = elapsed;
      this.cost = cost;
      this.used = reply.limits().stream().mapToLong(limit -> cost).toArray();
    }
  }

  /** One limit as it is in memory. */
  private static final class Twin {
    SlidingLog log;
    long birth;
    long newest = Long.MIN_VALUE;

    Twin(Limit limit) {
      this.log = new SlidingLog(limit.windowMillis());
    }
  }

  private static final class Sequence {
    final SplittableRandom random;
    final ScriptCounter script;
    final String key;
    final long[] windows;
    final List<Twin> twins = new ArrayList<>();
    final List<Admitted> admitted = new ArrayList<>();
    Policy policy;
    long now = START;
    long elapsed;
    long givenBack;

    Sequence(ScriptCounter script, int seed) {
      this.random = new SplittableRandom(seed);
      this.script = script;
      this.key = "seed-" + seed;
      long first = 60 + random.nextLong(5_000);
      this.windows = seed % 3 == 0 ? new long[] {first, 4 * first} : new long[] {first};
      this.policy = policy();
      policy.limits().forEach(limit -> twins.add(new Twin(limit)));
    }

    Policy policy() {
      List<Limit> limits = new ArrayList<>();
      for (long window : windows) {
        long permits = 1 + random.nextLong(random.nextBoolean() ? 20 : 400);
        limits.add(new Limit(permits, java.time.Duration.ofMillis(window)));
      }
      return Policy.named("refunds").limits(limits).build();
    }

    void step() {
      long passed = random.nextInt(3) == 0 ? 0 : random.nextLong(windows[0] / 3 + 1);
      long stepped = random.nextInt(12) == 0 ? random.nextLong(windows[0]) - windows[0] / 2 : 0;
      now += passed + stepped;
      elapsed += passed + Math.max(0, stepped);
      if (random.nextInt(10) == 0) {
        policy = policy();
      }
      int what = random.nextInt(20);
      if (what == 0) {
        reset();
      } else if (what < 8 && !admitted.isEmpty()) {
        refund(admitted.get(random.nextInt(admitted.size())));
      } else {
        charge();
      }
    }

    void charge() {
      long most = policy.limits().get(0).permits();
      long cost = random.nextBoolean() ? 1 : 1 + random.nextLong(most);
      Charge charge = new Charge(policy, key, cost);
      StoreReply reply = script.decideAll(List.of(List.of(charge)), now).get(0);
      boolean room = true;
      for (int l = 0; l < windows.length; l++) {
        Twin twin = twins.get(l);
        long quota = policy.limits().get(l).permits();
        twin.log.clamp(now, quota);
        room &= twin.log.admits(now, cost, quota);
      }
      assertThat(reply.allowed()).as(key).isEqualTo(room);
      if (room) {
        admitted.add(new Admitted(reply, elapsed, cost));
      }
      for (int l = 0; l < windows.length; l++) {
        follow(l, cost, reply.limits().get(l), room);
      }
    }

    void follow(int l, long cost, LimitReply reply, boolean room) {
      Twin twin = twins.get(l);
      long quota = policy.limits().get(l).permits();
      if (room) {
        twin.log.add(now, cost, quota);
      }
      if (room || now < twin.newest) {
        if (now < twin.newest) {
          assertThat(reply.birthMillis()).as("a clamp is a birth").isGreaterThan(twin.birth);
        }
        twin.birth = reply.birthMillis();
        twin.newest = now;
      }
      assertThat(reply.remaining()).as(key).isEqualTo(twin.log.remaining(now, quota));
      assertThat(reply.resetAfterMillis()).as(key).isEqualTo(twin.log.resetAfter(now, quota));
      if (reply.room() == Room.NO) {
        long wait = twin.log.retryAfter(now, cost, quota);
        assertThat(reply.retryAfterMillis()).as(key).isEqualTo(wait);
      } else if (room) {
        assertThat(used(l)).as(key).isLessThanOrEqualTo(quota);
      }
    }

    /** What was admitted and did not come back, in the window that ends now. */
    long used(int l) {
      long used = 0;
      for (Admitted one : admitted) {
        used += one.elapsed > elapsed - windows[l] ? one.used[l] : 0;
      }
      return used;
    }

    void refund(Admitted one) {
      if (one.refunded) {
        return; // a receipt is used once
      }
      one.refunded = true;
      long[] births = one.reply.limits().stream().mapToLong(LimitReply::birthMillis).toArray();
      long stamp = one.reply.stampMillis();
      Charge charge = new Charge(policy, key, 1 + random.nextLong(one.cost));
      long[] units = script.refund(List.of(charge), stamp, births, now);
      for (int l = 0; l < windows.length; l++) {
        Twin twin = twins.get(l);
        long quota = policy.limits().get(l).permits();
        long expected =
            twin.birth == births[l] ? twin.log.refund(now, stamp, charge.cost(), quota) : 0;
        assertThat(units[l]).as(key).isEqualTo(expected);
        one.used[l] -= units[l];
        givenBack += units[l];
      }
    }

    void reset() {
      script.reset(policy, key, now);
      for (int l = 0; l < windows.length; l++) {
        Twin twin = twins.get(l);
        twin.log = new SlidingLog(windows[l]);
        twin.newest = now;
        twin.birth = -1; // of no receipt
      }
      admitted.clear(); // an amnesty; what was charged before is tried no more
    }
  }
}
