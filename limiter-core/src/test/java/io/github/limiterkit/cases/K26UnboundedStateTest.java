package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.local.LocalLimiter;
import io.github.limiterkit.local.LocalTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Unbounded per-key state in the process. */
class K26UnboundedStateTest {

  private static final int SUBJECTS = 5_000_000;
  private static final int MEGABYTE = 1 << 20;

  @Test
  @DisplayName("HT-055, ST-071 however many subjects come, no more than the cap are held")
  void holdsNoMoreThanTheCap() {
    LocalLimiter limiter = new LocalLimiter(Ticker.system(), 1_000);
    Policy policy = Policy.named("p").limits("10/1h").build();
    for (int i = 0; i < 100_000; i++) {
      limiter.acquire(Charge.of(policy, "ip:2001:db8::" + Integer.toHexString(i)));
      assertThat(limiter.size()).isLessThanOrEqualTo(1_000);
    }
    assertThat(limiter.size()).isEqualTo(1_000);
    assertThat(limiter.forgottenUnits()).isEqualTo(99_000);
  }

  @Test
  @Tag("deep")
  @DisplayName("ST-071 five million subjects in a small heap, and no call takes long")
  void staysSmallUnderMillionsOfSubjects() throws Exception {
    try (ChildJvm child = ChildJvm.start(K26UnboundedStateTest.class, List.of(), "-Xmx128m")) {
      String[] figures = child.hearsToTheEnd(Duration.ofMinutes(5)).get(0).split(" ", -1);
      assertThat(Integer.parseInt(figures[0])).as("keys").isEqualTo(LocalTable.DEFAULT_MAX_KEYS);
      assertThat(Integer.parseInt(figures[1])).as("megabytes in use").isLessThanOrEqualTo(64);
      assertThat(Long.parseLong(figures[2])).as("ns at the 99th percentile").isLessThan(1_000_000);
    }
  }

  /** Runs in a process of its own. */
  public static void main(String[] arguments) {
    LocalLimiter limiter = new LocalLimiter(Ticker.system(), LocalTable.DEFAULT_MAX_KEYS);
    Policy policy = Policy.named("a").limits("10/1h").build();
    int[] callsByMicros = new int[1_001];
    for (int i = 0; i < SUBJECTS; i++) {
      Charge charge = Charge.of(policy, "ip:2001:db8::" + Integer.toHexString(i));
      long start = System.nanoTime();
      limiter.acquire(charge);
      long micros = (System.nanoTime() - start) / 1_000;
      callsByMicros[(int) Math.min(1_000, micros)]++;
      if (limiter.size() > limiter.maxKeys()) {
        throw new IllegalStateException("holds " + limiter.size());
      }
    }
    int slowest = 1_000;
    for (int slower = 0; slower + callsByMicros[slowest] <= SUBJECTS / 100; slowest--) {
      slower += callsByMicros[slowest];
    }
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    long used = (runtime.totalMemory() - runtime.freeMemory()) / MEGABYTE;
    ChildJvm.say(limiter.size() + " " + used + " " + 1_000L * (slowest + 1));
  }

  @Test
  @DisplayName("HT-052, ST-072 without traffic the store empties in one sweep, in short slices")
  void emptiesWithoutTraffic() throws Exception {
    FakeTicker ticker = new FakeTicker();
    LocalLimiter limiter = new LocalLimiter(ticker::read, LocalTable.DEFAULT_MAX_KEYS);
    Policy policy = Policy.named("p").limits("10/1m").build();
    for (int i = 0; i < 50_000; i++) {
      limiter.acquire(Charge.of(policy, "user:" + i));
    }
    assertThat(limiter.size()).isEqualTo(50_000);
    assertThat(limiter.sweep()).as("nothing has expired").isZero();
    ticker.advance(Duration.ofMinutes(2));
    List<Long> waits = new ArrayList<>();
    List<Integer> results =
        Together.run(
            2,
            thread -> {
              if (thread == 0) {
                return limiter.sweep();
              }
              // Whoever comes meanwhile waits for a slice at most.
              while (limiter.size() > 1) {
                long began = System.nanoTime();
                limiter.acquire(new Charge(policy, "late:" + waits.size(), 0));
                waits.add(System.nanoTime() - began);
              }
              return 0;
            });
    assertThat(results.get(0)).isGreaterThanOrEqualTo(50_000);
    assertThat(limiter.size()).isLessThanOrEqualTo(1);
    // But for the few whose thread the machine itself held up.
    waits.sort(null);
    assertThat(waits).isNotEmpty();
    assertThat(Duration.ofNanos(waits.get(waits.size() * 95 / 100)))
        .isLessThan(Duration.ofMillis(5));
    ticker.advance(Duration.ofMinutes(2));
    limiter.sweep();
    assertThat(limiter.size()).isZero();
  }

  @Test
  @DisplayName("ST-072 sibling: looks and refusals leave no entry behind")
  void leavesNoEntryForWhatWasNotCharged() {
    LocalLimiter limiter = new LocalLimiter(() -> 0, 100);
    Policy policy = Policy.named("p").limits("10/1m").build();
    for (int i = 0; i < 1_000; i++) {
      limiter.acquire(new Charge(policy, "looked:" + i, 0));
      limiter.acquire(new Charge(policy, "impossible:" + i, 11));
      assertThat(limiter.size()).isZero();
    }
  }
}
