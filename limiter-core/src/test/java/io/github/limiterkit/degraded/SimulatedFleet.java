package io.github.limiterkit.degraded;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/**
 * A fleet on one clock, whose links to its store are cut and mended at random; and everything that
 * it admitted of one key. No threads: heartbeats and probes are made when their time has come.
 */
final class SimulatedFleet {

  private static final long HEARTBEAT_MILLIS = 1_000;
  private static final long BASE_MILLIS = 1_700_000_000_000L;

  /** Of the store, or of an instance alone. */
  record Admission(long at, long cost, boolean byStore) {}

  final List<Admission> admissions = new ArrayList<>();
  final List<Long> flushes = new ArrayList<>();
  final List<Long> starts = new ArrayList<>();

  /** From when to when no instance used the store, and whether all lost it in one epoch. */
  final List<Outage> outages = new ArrayList<>();

  record Outage(long from, long to, boolean inOneEpoch) {}

  /** Decisions that were made here with more than an equal share. */
  long unequal;

  private final FakeTicker ticker = new FakeTicker();
  private final SimulatedStore store = new SimulatedStore(this::now);
  private final Random random;
  private final Policy policy;
  private final long equalQuota;
  private final List<Instance> instances = new ArrayList<>();
  private int pinned;
  private long outageSince = Long.MIN_VALUE;

  private final class Instance {
    SimulatedStore.Link link = store.new Link();
    DegradedLimiter limiter;
    long nextBeat;
    long nextProbe;
    long lostAt;

    /** Whether an operator lets it limit alone. */
    boolean alone;

    Instance() {
      limiter = build();
    }

    private DegradedLimiter build() {
      return DegradedLimiter.over(link).fleetSize(size).ticker(ticker::read).build();
    }

    boolean isOpen() {
      return limiter.gate(SimulatedStore.NODE).isOpen();
    }

    void restart(boolean cleanly) {
      if (cleanly) {
        limiter.close();
      }
      link = store.new Link();
      limiter = build();
      nextProbe = now();
      lostAt = now();
      starts.add(now());
    }

    /** What its background threads do, up to now. */
    void background() {
      if (isOpen() && now() >= nextBeat) {
        limiter.heartbeat(SimulatedStore.NODE);
        nextBeat = now() + HEARTBEAT_MILLIS;
        sample(link.cut);
      } else if (!isOpen() && now() >= nextProbe) {
        nextProbe = now() + 100 + random.nextInt(400);
        if (!link.cut) {
          for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
            limiter.gate(SimulatedStore.NODE).probed(1, null);
          }
          nextBeat = now();
        }
      }
    }

    void acquire(long cost) {
      boolean asks = isOpen() && !alone;
      boolean failed = link.cut || link.failsOnce;
      RateLimiter asked = alone ? limiter.alone() : limiter;
      Decision decision = asked.acquire(new Charge(policy, "key", cost));
      if (decision.allowed()) {
        admissions.add(new Admission(now(), cost, decision.source() == Source.SHARED));
      }
      if (decision.source() == Source.LOCAL && decision.usages().get(0).quota() > equalQuota) {
        unequal++;
      }
      if (asks && decision.source() != Source.DENY_CACHE) {
        sample(failed);
      }
    }

    private void sample(boolean failed) {
      StoreException fault = failed ? new StoreException(StoreFault.TIMEOUT, "cut") : null;
      limiter
          .gate(SimulatedStore.NODE)
          .sample(new Sample(SimulatedStore.NODE, 1_000_000, fault, false));
      if (!isOpen()) {
        lostAt = now();
        nextProbe = now() + 100;
      }
    }
  }

  private final int size;

  SimulatedFleet(int size, Policy policy, Random random) {
    this.size = size;
    this.policy = policy;
    this.random = random;
    this.equalQuota = LocalRule.ofFleet(size).quotaHere(policy.limits().get(0), policy.safety());
    for (int i = 0; i < size; i++) {
      instances.add(new Instance());
    }
  }

  long now() {
    return BASE_MILLIS + Duration.ofNanos(ticker.read()).toMillis();
  }

  /** Time passes; background threads do their work meanwhile. */
  void pass(long millis) {
    long end = now() + millis;
    while (now() < end) {
      ticker.advance(Duration.ofMillis(Math.min(100, end - now())));
      instances.forEach(Instance::background);
      watchOutage();
    }
  }

  /** A request comes in: mostly where the last one did, now and then elsewhere. */
  void request(long cost) {
    if (random.nextInt(8) == 0) {
      pinned = random.nextInt(size);
    }
    Instance instance = instances.get(random.nextInt(4) == 0 ? random.nextInt(size) : pinned);
    instance.link.failsOnce = random.nextInt(200) == 0;
    instance.link.executesWhatFails = random.nextBoolean();
    instance.acquire(cost);
    instance.link.failsOnce = false;
    watchOutage();
  }

  /** Everybody asks every instance for all that it gives. */
  void storm(int quota) {
    for (Instance instance : instances) {
      for (int tries = 0; tries < 40; tries++) {
        instance.acquire(1 + random.nextInt(1 + quota / 20));
      }
    }
    watchOutage();
  }

  void cutAll() {
    instances.forEach(instance -> instance.link.cut = true);
  }

  void cutSome() {
    instances.forEach(instance -> instance.link.cut |= random.nextBoolean());
  }

  void turnOne() {
    Instance one = instances.get(random.nextInt(size));
    one.link.cut = !one.link.cut;
  }

  void mendAll() {
    instances.forEach(instance -> instance.link.cut = false);
  }

  void letOneLimitAlone() {
    instances.get(random.nextInt(size)).alone = true;
  }

  void letAllLimitAlone() {
    instances.forEach(instance -> instance.alone = true);
  }

  void letNobodyLimitAlone() {
    instances.forEach(instance -> instance.alone = false);
  }

  void restartOne() {
    instances.get(random.nextInt(size)).restart(random.nextBoolean());
  }

  void flush() {
    store.flush();
    flushes.add(now());
  }

  private void watchOutage() {
    boolean out = instances.stream().noneMatch(Instance::isOpen);
    if (out && outageSince == Long.MIN_VALUE) {
      outageSince = now();
    } else if (!out && outageSince != Long.MIN_VALUE) {
      end();
    }
  }

  /** Closes the outage that is going on, if any. */
  void end() {
    if (outageSince != Long.MIN_VALUE) {
      long length = EpochUnits.lengthMillis(policy.limits().get(0));
      TreeSet<Long> epochs = new TreeSet<>();
      instances.forEach(instance -> epochs.add(instance.lostAt / length));
      outages.add(new Outage(outageSince, now(), epochs.size() == 1));
      outageSince = Long.MIN_VALUE;
    }
  }
}
