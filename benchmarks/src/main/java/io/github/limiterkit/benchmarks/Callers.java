package io.github.limiterkit.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Threads that ask a limiter and wait for its answer, one decision after the other. */
final class Callers {

  /** Times kept per caller, the latest ones; more say nothing new about a percentile. */
  private static final int TIMES = 1 << 15;

  private final SharedLoad load;
  private final SharedContender contender;
  private final String[] keys;
  private volatile boolean stopped;

  Callers(SharedLoad load, SharedContender contender, String[] keys) {
    this.load = load;
    this.contender = contender;
    this.keys = keys;
  }

  /**
   * What they saw.
   *
   * @param rate decisions per second that were answered within the time
   * @param decisions all of them, also those that were answered just after it
   * @param admitted decisions that were yes
   * @param allocated bytes that the callers' threads allocated
   * @param p50Micros time within which half of the decisions were made; 0 if they were not timed
   * @param p99Micros time within which 99 of 100 decisions were made; 0 if they were not timed
   */
  record Seen(
      double rate,
      long decisions,
      long admitted,
      long allocated,
      double p50Micros,
      double p99Micros) {}

  /**
   * Runs once; not to be called again.
   *
   * @param duration how long they ask
   * @param round so that each round picks other keys
   */
  Seen ask(Duration duration, int round) {
    CountDownLatch ready = new CountDownLatch(load.threads());
    CountDownLatch go = new CountDownLatch(1);
    List<Caller> callers = new ArrayList<>();
    for (int i = 0; i < load.threads(); i++) {
      Caller caller = new Caller(Keys.random(round * 1000 + i), ready, go);
      callers.add(caller);
      caller.start();
    }
    await(ready);
    long began = System.nanoTime();
    go.countDown();
    Pause.millis(duration.toMillis());
    stopped = true;
    double seconds = (System.nanoTime() - began) / 1e9;
    callers.forEach(Callers::join);
    return sum(callers, seconds);
  }

  private static Seen sum(List<Caller> callers, double seconds) {
    long inTime = 0;
    long decisions = 0;
    long admitted = 0;
    long allocated = 0;
    List<long[]> times = new ArrayList<>();
    for (Caller caller : callers) {
      if (caller.failure != null) {
        throw new IllegalStateException("a caller failed", caller.failure);
      }
      inTime += caller.inTime;
      decisions += caller.decisions;
      admitted += caller.admitted;
      allocated += caller.allocated;
      times.add(caller.times());
    }
    long[] nanos = times.stream().flatMapToLong(Arrays::stream).toArray();
    return new Seen(
        inTime / seconds,
        decisions,
        admitted,
        allocated,
        Quartiles.percentile(nanos, 0.5) / 1e3,
        Quartiles.percentile(nanos, 0.99) / 1e3);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", asked);
    }
  }

  private static void join(Caller caller) {
    try {
      caller.join();
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", asked);
    }
  }

  private final class Caller extends Thread {

    private final SplittableRandom random;
    private final CountDownLatch ready;
    private final CountDownLatch go;
    private final long[] nanos = new long[load.timed() ? TIMES : 0];
    private long inTime;
    private long decisions;
    private long admitted;
    private long allocated;
    private int timed;
    private @Nullable Throwable failure;

    Caller(SplittableRandom random, CountDownLatch ready, CountDownLatch go) {
      super("caller");
      this.random = random;
      this.ready = ready;
      this.go = go;
    }

    @Override
    public void run() {
      ready.countDown();
      await(go);
      long before = ClientFigures.allocatedByThisThread();
      try {
        while (!stopped) {
          decide();
        }
      } catch (RuntimeException | Error broken) {
        failure = broken;
      }
      allocated = ClientFigures.allocatedByThisThread() - before;
    }

    private void decide() {
      String key = keys.length == 1 ? keys[0] : keys[random.nextInt(keys.length)];
      if (load.timed()) {
        long began = System.nanoTime();
        admitted += contender.admits(key) ? 1 : 0;
        nanos[timed++ & (TIMES - 1)] = System.nanoTime() - began;
      } else {
        admitted += contender.admits(key) ? 1 : 0;
      }
      decisions++;
      if (!stopped) {
        inTime++;
      }
      if (load.isLight()) {
        LockSupport.parkNanos((long) (2 * random.nextDouble() * load.pause().toNanos()));
      }
    }

    long[] times() {
      return Arrays.copyOf(nanos, Math.min(timed, nanos.length));
    }
  }
}
