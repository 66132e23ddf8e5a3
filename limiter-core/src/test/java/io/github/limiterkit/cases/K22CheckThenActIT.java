package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.store.SharedStore;
import io.github.limiterkit.store.StoreReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Check-then-act race on the shared store. */
class K22CheckThenActIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  @Test
  @DisplayName("ST-062 of 200 threads that ask at once exactly 5 are admitted, 100 times")
  void admitsExactlyTheLimit() throws Exception {
    try (LimiterKit kit = kit()) {
      assertThat(Together.admitted(200, 200, Kits.limiter(kit), rounds(100)))
          .hasSize(100)
          .containsOnly(5);
    }
  }

  @Test
  @DisplayName("ST-062 sibling: three instances in one JVM, whose threads take turns")
  void admitsExactlyTheLimitOverSeveralInstances() throws Exception {
    try (LimiterKit one = kit();
        LimiterKit two = kit();
        LimiterKit three = kit()) {
      List<LimiterKit> kits = List.of(one, two, three);
      AtomicInteger next = new AtomicInteger();
      RateLimiter any =
          charges ->
              Kits.limiter(kits.get(Math.floorMod(next.getAndIncrement(), 3))).acquire(charges);
      assertThat(Together.admitted(60, 180, any, rounds(40))).hasSize(40).containsOnly(5);
    }
  }

  @Test
  @Tag("deep")
  @DisplayName("ST-062 from three processes at once")
  void admitsExactlyTheLimitOverProcesses() throws Exception {
    assertThat(new AskingProcesses(3, 100, 70, 70, "5/1h").admitted(redis.url()))
        .hasSize(100)
        .containsOnly(5);
  }

  @Test
  @DisplayName("ST-063 four connections as fast as they can: at most 10 in any second, 110 in ten")
  void admitsAtMostTheLimitInAnyWindow() throws Exception {
    // Scaled down: windows of 200 ms for two seconds.
    hammer(Policy.named("p").limits("10/200ms").build(), Duration.ofSeconds(2));
  }

  @Test
  @Tag("deep")
  @DisplayName("ST-063 the same with W = 1 s for ten seconds")
  void admitsAtMostTheLimitInAnySecond() throws Exception {
    hammer(Policy.named("p").limits("10/1s").build(), Duration.ofSeconds(10));
  }

  private static void hammer(Policy policy, Duration length) throws Exception {
    long end = System.nanoTime() + length.toNanos();
    List<List<Long>> stamps =
        Together.run(
            4,
            thread -> {
              try (SharedStore store = RedisStore.at(redis.url()).deadline(Kits.AMPLE).open()) {
                store.start(sample -> {});
                Kits.probe(store);
                List<Long> admitted = new ArrayList<>();
                while (System.nanoTime() - end < 0) {
                  StoreReply reply =
                      store.decide(
                          List.of(Charge.of(policy, "user:ada")),
                          new long[1],
                          System.nanoTime() + Kits.AMPLE.toNanos());
                  if (reply.allowed()) {
                    admitted.add(reply.stampMillis());
                  }
                }
                return admitted;
              }
            });
    List<Long> sorted = stamps.stream().flatMap(List::stream).sorted().toList();
    long window = policy.limits().get(0).windowMillis();
    for (int i = 10; i < sorted.size(); i++) {
      assertThat(sorted.get(i) - sorted.get(i - 10)).isGreaterThanOrEqualTo(window);
    }
    long windows = length.toMillis() / window;
    assertThat(sorted).hasSizeLessThanOrEqualTo((int) (10 * windows + 10));
    // It does give out what there is, too.
    assertThat(sorted).hasSizeGreaterThanOrEqualTo((int) (10 * windows / 2));
  }

  private static List<Policy> rounds(int rounds) {
    return AskingProcesses.rounds(rounds, "5/1h");
  }

  private static LimiterKit kit() {
    return Kits.shared(Kits.over(redis.url(), Kits.AMPLE, Kits.plenty()).build());
  }
}
