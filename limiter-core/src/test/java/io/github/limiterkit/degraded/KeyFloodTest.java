package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import io.github.limiterkit.local.LocalLimiter;
import io.github.limiterkit.local.LocalTable;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A flood of clients that nobody has seen before, one request each and ten times as many as the
 * table holds, against a whole limiter. It must not cost more memory than the table was given, give
 * an amnesty to those who are being refused, or turn away clients who ask once.
 */
class KeyFloodTest {

  private static final Policy POLICY = Policy.named("a").limits("10/1m").build();
  private static final int ABUSERS = 10;
  private static final int FLOOD_PER_KEY = 10;
  private static final long FLOOD_NANOS = Duration.ofSeconds(40).toNanos();
  private static final double MEGABYTE = 1 << 20;

  private final AtomicLong nanos = new AtomicLong();

  /**
   * What a flood left behind.
   *
   * @param served how many of its clients were let through
   * @param mostKeys the most keys that were ever held
   */
  private record Flood(int served, int mostKeys) {}

  @Test
  void aFloodMovesNoAbuserOutOfTheMemoryOfALimiterThatIsAlone() {
    LocalLimiter limiter = new LocalLimiter(nanos::get, 2_000);
    assertHolds(flood(limiter, limiter::size, 2_000), 2_000);
    // One unit of everybody in the flood for whom there was no room.
    assertThat(limiter.forgottenUnits()).isEqualTo(2_000 * (FLOOD_PER_KEY - 1) + ABUSERS);
  }

  @Test
  void aFloodMovesNoAbuserOutOfTheMemoryOfALimiterThatHasLostItsStore() {
    try (DegradedLimiter limiter = limiterWithAStore(2_000)) {
      assertHolds(flood(limiter, limiter::keys, 2_000), 2_000);
    }
  }

  @Test
  @Tag("deep")
  void aMillionKeysCostNoMoreThanTheTableWasGiven() {
    int keys = LocalTable.DEFAULT_MAX_KEYS;
    long before = usedHeap();
    LocalLimiter alone = new LocalLimiter(nanos::get, keys);
    Flood floodOfAlone = flood(alone, alone::size, keys);
    assertHolds(floodOfAlone, keys);
    long between = usedHeap();
    report("alone", floodOfAlone, between - before);
    assertThat((between - before) / MEGABYTE).isLessThanOrEqualTo(40);
    try (DegradedLimiter limiter = limiterWithAStore(keys)) {
      Flood flood = flood(limiter, limiter::keys, keys);
      assertHolds(flood, keys);
      long after = usedHeap();
      report("with a store that is lost", flood, after - between);
      assertThat((after - between) / MEGABYTE).isLessThanOrEqualTo(60);
    }
    // Keeps the first one alive until here.
    assertThat(alone.size()).isEqualTo(keys);
  }

  /** Abusers use up their limit, the store is lost if there is one, and the flood comes. */
  private Flood flood(RateLimiter limiter, IntSupplier keys, int maxKeys) {
    List<Charge> abusers =
        IntStream.range(0, ABUSERS).mapToObj(i -> Charge.of(POLICY, "user:abuser-" + i)).toList();
    for (Charge abuser : abusers) {
      for (int i = 0; i < 10; i++) {
        assertThat(limiter.acquire(abuser).allowed()).isTrue();
      }
    }
    if (limiter instanceof DegradedLimiter degraded) {
      degraded.gate(FakeStore.NODE).sample(Samples.failed(StoreFault.READONLY));
    }
    int clients = FLOOD_PER_KEY * maxKeys;
    int served = 0;
    int most = 0;
    for (int i = 0; i < clients; i++) {
      // Shorter than the window in all, so nothing expires by itself.
      nanos.addAndGet(FLOOD_NANOS / clients);
      Decision decision =
          limiter.acquire(Charge.of(POLICY, "ip:2001:db8::" + Integer.toHexString(i)));
      assertThat(decision.source()).isEqualTo(Source.LOCAL);
      served += decision.allowed() ? 1 : 0;
      most = Math.max(most, keys.getAsInt());
      if (i % (clients / 100) == 0) {
        assertRefused(limiter, abusers);
      }
    }
    assertRefused(limiter, abusers);
    return new Flood(served, most);
  }

  private static void assertRefused(RateLimiter limiter, List<Charge> abusers) {
    for (Charge abuser : abusers) {
      assertThat(limiter.acquire(abuser).allowed()).as(abuser.key()).isFalse();
    }
  }

  private static void assertHolds(Flood flood, int maxKeys) {
    assertThat(flood.served()).isGreaterThanOrEqualTo(maxKeys * FLOOD_PER_KEY / 100 * 99);
    assertThat(flood.mostKeys()).isEqualTo(maxKeys);
  }

  private DegradedLimiter limiterWithAStore(int maxKeys) {
    FakeStore store = new FakeStore(() -> 1_700_000_000_000L + nanos.get() / 1_000_000);
    DegradedLimiter limiter =
        DegradedLimiter.over(store).fleetSize(4).maxKeys(maxKeys).ticker(nanos::get).build();
    for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
      limiter.gate(FakeStore.NODE).probed(1, null);
    }
    return limiter;
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }

  private static void report(String limiter, Flood flood, long bytes) {
    System.out.printf(
        Locale.ROOT,
        "A limiter %s served %,d clients of a flood of %,d, and holds %,d keys in %.1f MB: %d bytes"
            + " per key with its text%n",
        limiter,
        flood.served(),
        flood.mostKeys() * FLOOD_PER_KEY,
        flood.mostKeys(),
        bytes / MEGABYTE,
        bytes / flood.mostKeys());
  }
}
