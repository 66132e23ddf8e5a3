package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Decision;
import io.github.limiterkit.Source;
import io.github.limiterkit.setup.LimiterKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Calls that were made of a kit: what was answered, and how long each took of its own. */
final class Calls {

  private final List<Decision> decisions = new ArrayList<>();
  private final List<Long> nanos = new ArrayList<>();

  Calls() {
    Pauses.watch();
  }

  /** Asks, and returns the answer. */
  Decision ask(LimiterKit kit, String policy, String key) {
    long began = System.nanoTime();
    Decision decision = Kits.ask(kit, policy, key);
    long ended = System.nanoTime();
    nanos.add(ended - began - Pauses.nanosBetween(began, ended));
    decisions.add(decision);
    return decision;
  }

  int size() {
    return decisions.size();
  }

  long from(Source source) {
    return decisions.stream().filter(decision -> decision.source() == source).count();
  }

  Duration longest() {
    return percentile(100);
  }

  /** So many percent took this long or less. */
  Duration percentile(int percent) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sorted);
    return Duration.ofNanos(sorted[Math.max(0, sorted.length * percent / 100 - 1)]);
  }

  /** Nobody waited longer than the deadline. */
  void assertInTime(Duration deadline) {
    assertThat(longest()).isLessThan(deadline.plus(Kits.GRACE));
  }
}
