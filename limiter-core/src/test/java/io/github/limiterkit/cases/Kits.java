package io.github.limiterkit.cases;

import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.store.SharedStore;
import io.github.limiterkit.store.StoreException;
import java.time.Duration;

/** Kits with the settings that the cases are told with. */
final class Kits {

  /** The deadline of a decision unless a case says otherwise. */
  static final Duration DEADLINE = Duration.ofMillis(100);

  /** What a machine that is busy with other tests may add. */
  static final Duration GRACE = Duration.ofMillis(50);

  /** Long enough for any case in which time is not the point. */
  static final Duration AMPLE = Duration.ofSeconds(5);

  /** The wait between two probes. */
  static final Duration PROBE = Duration.ofMillis(500);

  private Kits() {}

  /** Named plenty, and never used up. */
  static HttpPolicy plenty() {
    return HttpPolicy.named("plenty").limits("1000000/1m").build();
  }

  static LimiterKit.Builder over(String url, Duration deadline, HttpPolicy... policies) {
    return over(RedisStore.at(url).readableKeys(), deadline, policies);
  }

  static LimiterKit.Builder over(RedisStore store, Duration deadline, HttpPolicy... policies) {
    return LimiterKit.builder()
        .store(store.deadline(deadline))
        .fleetSize(1)
        .slow(deadline)
        .failuresInARow(5)
        .probeFirst(PROBE)
        .probeLongest(PROBE)
        .policy(policies);
  }

  /** Waits until decisions come from the store. */
  static LimiterKit shared(LimiterKit kit) {
    await()
        .pollInterval(Duration.ofMillis(5))
        .atMost(Duration.ofSeconds(10))
        .until(() -> kit.mode() == Mode.SHARED);
    return kit;
  }

  /** Tries a store that has no gate until it answers. */
  static void probe(SharedStore store) {
    boolean answered = false;
    while (!answered) {
      try {
        store.probe(store.nodes().get(0), System.nanoTime() + AMPLE.toNanos());
        answered = true;
      } catch (StoreException notYet) {
        Thread.onSpinWait();
      }
    }
  }

  /** A decision of the kit that is held to what holds for every answer. */
  static Decision ask(LimiterKit kit, String policy, String key) {
    return Answers.check(kit.acquire(policy, key));
  }

  static Decision ask(LimiterKit kit, String policy) {
    return ask(kit, policy, "user:ada");
  }

  /** The kit as a limiter of whatever policies a test makes up. */
  static RateLimiter limiter(LimiterKit kit) {
    return charges -> Answers.check(kit.limiter().acquire(charges));
  }

  static boolean isShared(Decision decision) {
    return decision.source() == Source.SHARED || decision.source() == Source.DENY_CACHE;
  }
}
