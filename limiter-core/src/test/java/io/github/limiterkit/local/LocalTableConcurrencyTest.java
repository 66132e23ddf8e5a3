package io.github.limiterkit.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LocalTableConcurrencyTest {

  private static final int THREADS = 64;

  private final Queue<Counting> created = new ConcurrentLinkedQueue<>();

  /** Counts without any protection of its own, and notices a second thread. */
  private static final class Counting implements LocalTable.State {
    private final AtomicBoolean inUse = new AtomicBoolean();
    private long units;

    void count() {
      assertThat(inUse.compareAndSet(false, true)).isTrue();
      units++;
      inUse.set(false);
    }

    @Override
    public long liveUnits(long nowMillis) {
      assertThat(inUse.get()).isFalse();
      return units;
    }

    @Override
    public double usedPart(long nowMillis) {
      return units / 1_000.0;
    }
  }

  private Counting create(Policy policy) {
    Counting counting = new Counting();
    created.add(counting);
    return counting;
  }

  private static Charge key(Policy policy, int i) {
    return Charge.of(policy, "user:" + i);
  }

  @Test
  @DisplayName("no charge is lost when its key is evicted and used at the same moment")
  void losesNoChargeToAnEviction() throws Exception {
    LocalTable<Counting> table = new LocalTable<>(20, () -> 0, this::create);
    Policy policy = Policy.named("a").limits("1000/1h").build();
    AtomicInteger largest = new AtomicInteger();
    inParallel(
        thread -> {
          for (int i = 0; i < 2_000; i++) {
            int chosen = ThreadLocalRandom.current().nextInt(60);
            if (i % 4 == 0) {
              List<Charge> pair = new ArrayList<>();
              pair.add(key(policy, chosen));
              pair.add(key(policy, (chosen + 1 + thread % 7) % 60));
              if (thread % 2 == 0) {
                Collections.reverse(pair);
              }
              table.with(
                  pair,
                  (charges, states, now) -> {
                    states.forEach(Counting::count);
                    return "";
                  });
            } else {
              table.with(
                  key(policy, chosen),
                  (charge, state, now) -> {
                    state.count();
                    return "";
                  });
            }
            largest.accumulateAndGet(table.size(), Math::max);
          }
          return 0;
        });
    long counted = created.stream().mapToLong(state -> state.units).sum();
    assertThat(counted).isEqualTo(THREADS * 2_500L);
    assertThat(table.size()).isLessThanOrEqualTo(20);
    assertThat(largest.get()).isLessThanOrEqualTo(20 + 2 * THREADS);
    long kept = 0;
    for (int i = 0; i < 60; i++) {
      // Only looked at: to make a state now could push out one that is counted already.
      Long units = table.ifPresent(key(policy, i), (charge, state, now) -> state.units);
      kept += units == null ? 0 : units;
    }
    assertThat(table.forgottenUnits() + kept).isEqualTo(counted);
  }

  @Test
  void losesNoChargeToASweep() throws Exception {
    AtomicLong nanos = new AtomicLong();
    LocalLimiter limiter = new LocalLimiter(nanos::get, 1_000);
    Policy policy = Policy.named("a").limits("5/1h").build();
    for (int round = 0; round < 50; round++) {
      List<Integer> admitted =
          inParallel(
              thread -> {
                int count = 0;
                for (int key = 0; key < 10; key++) {
                  if (thread % 8 == 0) {
                    limiter.sweep();
                  }
                  count += limiter.acquire(key(policy, key)).allowed() ? 1 : 0;
                }
                return count;
              });
      assertThat(admitted.stream().mapToInt(Integer::intValue).sum()).isEqualTo(50);
      // Everything has expired when the next round begins, so that its sweeps find something.
      nanos.addAndGet(3_600_000_000_000L);
    }
  }

  @Test
  @DisplayName("charges in either order do not wait for each other for ever")
  void neverDeadlocks() throws Exception {
    LocalLimiter limiter = new LocalLimiter(() -> 0, 100);
    Policy policy = Policy.named("a").limits("1000000/1h").build();
    List<Charge> charges = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      charges.add(key(policy, i));
    }
    inParallel(
        thread -> {
          List<Charge> own = new ArrayList<>(charges);
          Random random = new Random(thread);
          for (int i = 0; i < 1_000; i++) {
            Collections.shuffle(own, random);
            assertThat(limiter.acquire(own.subList(0, 3)).allowed()).isTrue();
          }
          return 0;
        });
  }

  @RepeatedTest(5)
  @DisplayName("ST-064: readings of the clock that come out of order create no permits")
  void admitsNoMoreWhenReadingsComeOutOfOrder() throws Exception {
    int readings = 20_000;
    long[] scripted = new long[readings];
    Random random = new Random(42);
    for (int i = 0; i < readings; i++) {
      scripted[i] = i / 4L - random.nextInt(50);
    }
    AtomicInteger next = new AtomicInteger();
    ThreadLocal<Integer> read = ThreadLocal.withInitial(() -> 0);
    LocalLimiter limiter =
        new LocalLimiter(
            () -> {
              int index = Math.min(next.getAndIncrement(), readings - 1);
              read.set(index);
              return scripted[index] * 1_000_000;
            },
            100);
    Charge charge = key(Policy.named("a").limits("100/1s").build(), 1);
    boolean[] decided = new boolean[readings];
    boolean[] admitted = new boolean[readings];
    inParallel(
        thread -> {
          while (next.get() < readings - THREADS) {
            // The last reading of a call is the one that it was decided with.
            boolean allowed = limiter.acquire(charge).allowed();
            decided[read.get()] = true;
            admitted[read.get()] = allowed;
          }
          return 0;
        });
    List<Long> times = new ArrayList<>();
    long latest = Long.MIN_VALUE;
    for (int i = 0; i < readings; i++) {
      latest = decided[i] ? Math.max(latest, scripted[i]) : latest;
      if (admitted[i]) {
        times.add(latest);
      }
    }
    assertThat(times).hasSizeGreaterThan(400);
    for (int i = 100; i < times.size(); i++) {
      assertThat(times.get(i) - times.get(i - 100)).isGreaterThanOrEqualTo(1_000);
    }
  }

  private interface Work {
    int run(int thread) throws Exception;
  }

  private static List<Integer> inParallel(Work work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier together = new CyclicBarrier(THREADS);
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        tasks.add(
            () -> {
              together.await(30, TimeUnit.SECONDS);
              return work.run(thread);
            });
      }
      List<Integer> results = new ArrayList<>();
      for (Future<Integer> future : threads.invokeAll(tasks)) {
        results.add(future.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }
}
