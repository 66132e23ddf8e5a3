package io.github.limiterkit.cases;

import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Source;
import io.github.limiterkit.setup.LimiterKit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** A client that asks a kit about once in two milliseconds, and keeps what it saw. */
final class SteadyTraffic implements AutoCloseable {

  /**
   * One call.
   *
   * @param took what it took of its own, less what this process stood still
   * @param mode of the kit when it had ended
   */
  record Asked(long began, long ended, Duration took, Decision decision, Mode mode) {

    boolean isShared() {
      return decision.source() == Source.SHARED;
    }

    boolean isLocal() {
      return decision.source() == Source.LOCAL;
    }

    boolean isWithoutStore() {
      return isLocal() && mode != Mode.SHARED;
    }
  }

  private final LimiterKit kit;
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final Thread thread;
  private volatile boolean closed;

  SteadyTraffic(LimiterKit kit) {
    Pauses.watch();
    this.kit = kit;
    this.thread = new Thread(this::run, "test-traffic");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!closed) {
      long began = System.nanoTime();
      Decision decision = Kits.ask(kit, "plenty");
      long ended = System.nanoTime();
      long own = ended - began - Pauses.nanosBetween(began, ended);
      asked.add(new Asked(began, ended, Duration.ofNanos(own), decision, kit.mode()));
      LockSupport.parkNanos(2_000_000);
    }
  }

  /** All calls that were under way at a time or began later, so far. */
  List<Asked> since(long nanoTime) {
    return asked.stream().filter(each -> each.ended() - nanoTime >= 0).toList();
  }

  /** The first such call among them. */
  Optional<Asked> first(long nanoTime, Predicate<Asked> such) {
    return asked.stream().filter(each -> each.ended() - nanoTime >= 0).filter(such).findFirst();
  }

  boolean isRunning() {
    return thread.isAlive();
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException askedToEnd) {
      Thread.currentThread().interrupt();
    }
  }
}
