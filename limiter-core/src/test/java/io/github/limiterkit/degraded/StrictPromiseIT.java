package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Source;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Four instances and 64 threads on one server, with random costs, policies of several limits, whose
 * quotas change, refunds, and connections that are killed: never is more than the quota of a limit
 * used in any interval, by the server's own stamps. And no reply is ever given to the wrong caller:
 * each thread has a key of its own too, of which only it knows what must remain.
 */
class StrictPromiseIT {

  private static final int INSTANCES = 4;
  private static final int THREADS = 64;
  private static final int KEYS = 4;

  /** Quotas by turns; what holds always is the larger one of each limit. */
  private static final List<List<Policy>> CONTESTED =
      List.of(
          List.of(policy("fine", "40/300ms, 60/1s"), policy("fine", "25/300ms, 70/1s")),
          List.of(policy("coarse", "300/500ms, 900/2s"), policy("coarse", "200/500ms, 500/2s")));

  private static final Policy MARKED = policy("marked", "4000000000/1h");

  @Test
  void holdsForTwentyThousandDecisions() throws Exception {
    check(20_000);
  }

  @Test
  @Tag("deep")
  void holdsForAMillionDecisions() throws Exception {
    check(1_000_000);
  }

  private static void check(int decisions) throws Exception {
    try (RedisServer redis = RedisServer.start();
        Fleet fleet = new Fleet(redis.url())) {
      AtomicBoolean done = new AtomicBoolean();
      ExecutorService pool = Executors.newFixedThreadPool(THREADS + 1);
      try {
        Future<Integer> killer = pool.submit(() -> killConnections(redis, done));
        List<Caller> callers = new ArrayList<>();
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          Caller caller = new Caller(fleet.instances.get(i % INSTANCES), i, decisions / THREADS);
          callers.add(caller);
          running.add(pool.submit(caller));
        }
        for (Future<?> caller : running) {
          caller.get(10, TimeUnit.MINUTES);
        }
        done.set(true);
        assertThat(killer.get(10, TimeUnit.SECONDS)).as("times connections were cut").isPositive();
        judge(callers, decisions);
      } finally {
        done.set(true);
        pool.shutdownNow();
      }
    }
  }

  private static int killConnections(RedisServer redis, AtomicBoolean done)
      throws InterruptedException {
    int times = 0;
    while (!done.get()) {
      Thread.sleep(250);
      redis.command("CLIENT", "KILL", "TYPE", "normal");
      times++;
    }
    return times;
  }

  private static void judge(List<Caller> callers, int decisions) {
    List<Admitted> all = new ArrayList<>();
    long refunded = 0;
    long replies = 0;
    long refused = 0;
    for (Caller caller : callers) {
      all.addAll(caller.admitted);
      refunded += caller.refunded;
      replies += caller.replies;
      refused += caller.refused;
    }
    System.out.printf(
        "PROMISE %d replies checked, %d admissions, %d refusals, %d units refunded%n",
        replies, all.size(), refused, refunded);
    assertThat(replies).as("replies that could have been another's").isGreaterThan(decisions / 100);
    assertThat(refused)
        .as("refusals by the store, so that the limits did hold something back")
        .isPositive();
    assertThat(refunded).isPositive();
    for (List<Policy> turns : CONTESTED) {
      for (int limit = 0; limit < turns.get(0).limits().size(); limit++) {
        int index = limit;
        long quota =
            turns.stream()
                .mapToLong(turn -> turn.limits().get(index).permits())
                .max()
                .orElseThrow();
        Limit window = turns.get(0).limits().get(limit);
        long most = 0;
        for (int key = 0; key < KEYS; key++) {
          most = Math.max(most, mostIn(window.windowMillis(), of(all, turns.get(0), key)));
        }
        assertThat(most).as("%s %s", turns, window).isBetween(1L, quota);
      }
    }
  }

  private static List<Admitted> of(List<Admitted> all, Policy policy, int key) {
    return all.stream()
        .filter(one -> one.policy.equals(policy.name()) && one.key == key)
        .sorted(Comparator.comparingLong(one -> one.stamp))
        .toList();
  }

  private static long mostIn(long window, List<Admitted> sorted) {
    long most = 0;
    long inside = 0;
    int first = 0;
    for (Admitted last : sorted) {
      inside += last.used;
      while (sorted.get(first).stamp + window <= last.stamp) {
        inside -= sorted.get(first).used;
        first++;
      }
      most = Math.max(most, inside);
    }
    return most;
  }

  private static Policy policy(String name, String limits) {
    return Policy.named(name).limits(limits).build();
  }

  /** What the store admitted, by its own stamp, and what of it did not come back. */
  private record Admitted(String policy, int key, long stamp, long used) {}

  private static final class Fleet implements AutoCloseable {
    final List<DegradedLimiter> instances = new ArrayList<>();

    Fleet(String url) {
      for (int i = 0; i < INSTANCES; i++) {
        RedisStore store = RedisStore.at(url).deadline(Duration.ofSeconds(2));
        DegradedLimiter instance = DegradedLimiter.over(store.open()).fleetSize(INSTANCES).build();
        instances.add(instance);
        instance.start();
      }
      for (DegradedLimiter instance : instances) {
        await().pollInterval(Duration.ofMillis(5)).until(() -> instance.mode() == Mode.SHARED);
      }
    }

    @Override
    public void close() {
      instances.forEach(DegradedLimiter::close);
    }
  }

  /** One thread. */
  private static final class Caller implements Runnable {
    final DegradedLimiter limiter;
    final int number;
    final int decisions;
    final SplittableRandom random;
    final List<Admitted> admitted = new ArrayList<>();
    long refunded;
    long refused;
    long replies;

    /** Units of the key that is this thread's own, which is another one after every doubt. */
    long own;

    int ownKey;

    Caller(DegradedLimiter limiter, int number, int decisions) {
      this.limiter = limiter;
      this.number = number;
      this.decisions = decisions;
      this.random = new SplittableRandom(number);
    }

    @Override
    public void run() {
      for (int i = 0; i < decisions; i++) {
        if (random.nextInt(3) == 0) {
          chargeOwn();
        } else {
          chargeContested();
        }
      }
    }

    void chargeOwn() {
      long cost = 1 + 1_000L * number + random.nextInt(1_000);
      Decision decision =
          limiter.acquire(new Charge(MARKED, "thread:" + number + ":" + ownKey, cost));
      if (decision.source() != Source.SHARED) {
        ownKey++; // it may have been counted all the same
        own = 0;
        return;
      }
      own += cost;
      replies++;
      long quota = MARKED.limits().get(0).permits();
      assertThat(decision.usages().get(0).remaining()).isEqualTo(quota - own);
      if (random.nextInt(4) == 0) {
        Refund refund = limiter.refund(decision);
        own -= refund.units();
        if (!refund.complete()) {
          ownKey++;
          own = 0;
        } else {
          assertThat(refund.units()).isEqualTo(cost);
        }
      }
    }

    void chargeContested() {
      List<Policy> turns = CONTESTED.get(random.nextInt(CONTESTED.size()));
      Policy policy = turns.get(random.nextInt(turns.size()));
      int key = random.nextInt(KEYS);
      long cost = 1L + random.nextInt(4);
      Decision decision = limiter.acquire(new Charge(policy, "key:" + key, cost));
      if (decision.source() != Source.SHARED) {
        return;
      }
      if (!decision.allowed()) {
        refused++;
        return;
      }
      long used = cost;
      if (random.nextInt(4) == 0) {
        Refund refund = limiter.refund(decision);
        // If the connection was cut, the store may have given them back or not; nobody used them.
        used -= refund.complete() ? refund.units() : cost;
        refunded += refund.units();
      }
      admitted.add(new Admitted(policy.name(), key, decision.stampMillis(), used));
    }
  }
}
