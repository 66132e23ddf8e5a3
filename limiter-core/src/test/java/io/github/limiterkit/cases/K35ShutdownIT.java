package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Source;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.FaultProxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shutdown hang, thread and class-loader leak. */
class K35ShutdownIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  @ParameterizedTest
  @EnumSource(names = {"NONE", "REFUSE", "HALF_CLOSE", "SILENCE", "SLOW", "DRIBBLE"})
  @DisplayName(
      "ST-086 closing takes less than a second whatever the store does, also a second time")
  void closesWithinASecond(WireFault fault) throws Exception {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port())) {
      LimiterKit kit = Kits.shared(Kits.over(proxy.url(), Kits.DEADLINE, Kits.plenty()).build());
      Kits.ask(kit, "plenty");
      fault.inject(proxy);
      // Somebody asks all the while.
      List<Integer> local =
          Together.run(
              5,
              thread -> {
                if (thread == 0) {
                  Thread.sleep(50);
                  long began = System.nanoTime();
                  kit.close();
                  assertThat(Duration.ofNanos(System.nanoTime() - began))
                      .isLessThan(Duration.ofSeconds(1));
                  kit.close();
                  return 0;
                }
                Calls calls = new Calls();
                long end = System.nanoTime() + Duration.ofMillis(300).toNanos();
                while (System.nanoTime() - end < 0) {
                  assertThat(calls.ask(kit, "plenty", "user:ada").allowed()).isTrue();
                  Thread.sleep(5);
                }
                calls.assertInTime(Kits.DEADLINE);
                return (int) calls.from(Source.LOCAL);
              });
      assertThat(local.subList(1, 5)).allMatch(count -> count > 0);
      assertThat(Kits.ask(kit, "plenty").source()).as("after closing").isEqualTo(Source.LOCAL);
      await().atMost(Duration.ofSeconds(1)).until(() -> threads().isEmpty());
    }
  }

  @Test
  @DisplayName("ST-086 all threads of the kit are daemons and named")
  void startsOnlyDaemons() {
    Thread[] before = Thread.getAllStackTraces().keySet().toArray(Thread[]::new);
    try (LimiterKit kit =
        Kits.shared(Kits.over(redis.url(), Kits.DEADLINE, Kits.plenty()).build())) {
      Kits.ask(kit, "plenty");
      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(thread -> !List.of(before).contains(thread))
          // This test's own: it has waited for the store.
          .filteredOn(thread -> !thread.getName().startsWith("awaitility"))
          .isNotEmpty()
          .allSatisfy(
              thread -> {
                assertThat(thread.getName()).startsWith("limiterkit-");
                assertThat(thread.isDaemon()).isTrue();
              });
    }
  }

  @Test
  @DisplayName("ST-086 a process whose main method forgets the kit ends all the same")
  void doesNotKeepAProcessAlive() throws Exception {
    try (ChildJvm child = ChildJvm.start(K35ShutdownIT.class, List.of(redis.url()))) {
      assertThat(child.hears()).isEqualTo("SHARED");
      long began = System.nanoTime();
      assertThat(child.hearsToTheEnd(Duration.ofSeconds(10))).isEmpty();
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
    }
  }

  /** Runs in a process of its own: URL. */
  public static void main(String[] arguments) {
    LimiterKit forgotten =
        Kits.shared(Kits.over(arguments[0], Kits.DEADLINE, Kits.plenty()).build());
    ChildJvm.say(forgotten.mode());
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("limiterkit-"))
        .toList();
  }
}
