package io.github.limiterkit.degraded;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Many instances on one clock and one store, each with the schedule of its own background thread
 * and a steady traffic; and every call that any of them makes of the store. Nothing waits: time
 * goes on to whatever comes next.
 */
final class LargeFleet {

  static final long BEAT_NANOS = Duration.ofSeconds(1).toNanos();

  /** A call of the store, whether it answered or not. */
  record Call(long at, int instance, Kind kind) {}

  enum Kind {
    DECISION,
    HEARTBEAT,
    PROBE
  }

  /** An instance whose gate has just opened or shut. */
  record Turned(long at, int instance, boolean open) {}

  final List<Call> calls = new ArrayList<>();
  final List<Turned> turned = new ArrayList<>();

  private record Event(long at, Runnable what) {}

  private final FakeTicker ticker = new FakeTicker();
  private final SimulatedStore store =
      new SimulatedStore(() -> 1_700_000_000_000L + now() / 1_000_000);
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at));
  private final List<Instance> instances = new ArrayList<>();
  private final Policy policy;
  private final Random random;

  /**
   * @param size how many instances
   * @param betweenRequests of one instance
   */
  LargeFleet(int size, Policy policy, Duration betweenRequests, Random random) {
    this.policy = policy;
    this.random = random;
    for (int i = 0; i < size; i++) {
      Instance instance = new Instance(i, size, betweenRequests.toNanos());
      instances.add(instance);
      // They were not all started at the same moment.
      events.add(new Event(random.nextLong(BEAT_NANOS), instance::background));
      events.add(new Event(random.nextLong(BEAT_NANOS), instance::request));
    }
  }

  long now() {
    return ticker.read();
  }

  /** Lets time pass. */
  void pass(Duration time) {
    long end = now() + time.toNanos();
    while (!events.isEmpty() && events.element().at() <= end) {
      Event next = events.remove();
      ticker.advance(Math.max(0, next.at() - now()));
      next.what().run();
    }
    ticker.advance(end - now());
  }

  /** Nothing listens on the store's port. */
  void lose() {
    instances.forEach(instance -> instance.link.cut = true);
  }

  void mend() {
    instances.forEach(instance -> instance.link.cut = false);
  }

  /** Somebody asks every instance so many times at once; how often he is admitted. */
  long storm(Policy policy, int tries) {
    long admitted = 0;
    for (Instance instance : instances) {
      for (int i = 0; i < tries; i++) {
        admitted += instance.limiter.acquire(Charge.of(policy, "abuser")).allowed() ? 1 : 0;
      }
    }
    return admitted;
  }

  private final class Instance {

    private final int number;
    private final long betweenRequests;
    private final SimulatedStore.Link link = store.new Link();
    private final DegradedLimiter limiter;
    private boolean wasOpen;

    /** The next thing that the background thread does; what was meant before is void. */
    private long plan;

    Instance(int number, int size, long betweenRequests) {
      this.number = number;
      this.betweenRequests = betweenRequests;
      this.limiter = DegradedLimiter.over(link).fleetSize(size).ticker(ticker::read).build();
    }

    private HealthGate gate() {
      return limiter.gate(SimulatedStore.NODE);
    }

    /** As {@link Prober} does: says that it is there, or probes. */
    void background() {
      if (gate().isOpen()) {
        calls.add(new Call(now(), number, Kind.HEARTBEAT));
        limiter.heartbeat(SimulatedStore.NODE);
        sample();
        again(gate().isOpen() ? BEAT_NANOS : gate().nextProbeNanos());
      } else {
        calls.add(new Call(now(), number, Kind.PROBE));
        gate().probed(1_000_000, fault());
        turn();
        again(gate().isOpen() ? 0 : gate().nextProbeNanos());
      }
    }

    void request() {
      boolean asks = gate().isOpen();
      if (asks) {
        calls.add(new Call(now(), number, Kind.DECISION));
      }
      Decision unused = limiter.acquire(Charge.of(policy, "everybody"));
      if (asks) {
        sample();
        if (!gate().isOpen()) {
          again(gate().nextProbeNanos());
        }
      }
      long half = betweenRequests / 2;
      events.add(new Event(now() + half + random.nextLong(2 * half), this::request));
    }

    private void again(long nanos) {
      long mine = ++plan;
      events.add(
          new Event(
              now() + nanos,
              () -> {
                if (mine == plan) {
                  background();
                }
              }));
    }

    private void sample() {
      gate().sample(new Sample(SimulatedStore.NODE, 1_000_000, fault(), false));
      turn();
    }

    private void turn() {
      if (gate().isOpen() != wasOpen) {
        wasOpen = gate().isOpen();
        turned.add(new Turned(now(), number, wasOpen));
      }
    }

    private @Nullable StoreException fault() {
      return link.cut ? new StoreException(StoreFault.UNREACHABLE, "in a test") : null;
    }
  }
}
