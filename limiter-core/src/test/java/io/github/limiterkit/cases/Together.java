package io.github.limiterkit.cases;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Threads that begin at the same moment. */
final class Together {

  private static final long PATIENCE_SECONDS = 60;

  private Together() {}

  /** What one thread does. */
  @FunctionalInterface
  interface Work<T extends @Nullable Object> {
    T run(int thread) throws Exception;
  }

  /** What each of the threads came to, in their order. */
  static <T extends @Nullable Object> List<T> run(int threads, Work<T> work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CyclicBarrier together = new CyclicBarrier(threads);
      List<Callable<T>> tasks = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int thread = t;
        tasks.add(
            () -> {
              together.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
              return work.run(thread);
            });
      }
      List<T> results = new ArrayList<>();
      for (Future<T> one : pool.invokeAll(tasks, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        results.add(one.get());
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }

  /**
   * In each of so many rounds: how many of so many calls of one unit on one key are admitted, by
   * threads in equal parts that begin together.
   */
  static List<Integer> admitted(
      int threads, int calls, RateLimiter limiter, List<Policy> policyOfRound) throws Exception {
    int rounds = policyOfRound.size();
    AtomicIntegerArray admitted = new AtomicIntegerArray(rounds);
    CyclicBarrier round = new CyclicBarrier(threads);
    run(
        threads,
        thread -> {
          for (int r = 0; r < rounds; r++) {
            round.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            Charge charge = Charge.of(policyOfRound.get(r), "user:ada");
            for (int i = thread; i < calls; i += threads) {
              if (Answers.check(limiter.acquire(charge)).allowed()) {
                admitted.incrementAndGet(r);
              }
            }
          }
          return null;
        });
    return IntStream.range(0, rounds).mapToObj(admitted::get).toList();
  }
}
