package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Mode;
import io.github.limiterkit.Source;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Recovery: replay, double count, herd. */
class K33ReturnIT {

  private static final Duration PROBE = Duration.ofMillis(250);

  @RegisterExtension static final TestRedis redis = new TestRedis();

  @Test
  @DisplayName("ST-083 nothing of an outage's calls is sent when the store is back")
  void sendsNothingLate() {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit =
            Kits.shared(Kits.over(proxy.url(), Kits.DEADLINE, Kits.plenty()).build())) {
      Kits.ask(kit, "plenty");
      proxy.refuse();
      await().until(() -> Kits.ask(kit, "plenty", "user:lost").source() == Source.LOCAL);
      for (int i = 0; i < 1_000; i++) {
        assertThat(Kits.ask(kit, "plenty", "user:lost").source()).isEqualTo(Source.LOCAL);
      }
      proxy.pass();
      Kits.shared(kit);
      long ofRequests =
          redis.lifetimes("plenty").keySet().stream().filter(key -> key.contains("lost")).count();
      assertThat(ofRequests).as("keys that only the outage's calls could have made").isZero();
      long left = Answers.left(kit.acquire("plenty", "user:lost", 0));
      assertThat(left)
          .as("what was admitted here still counts, by this instance's own word")
          .isLessThanOrEqualTo(1_000_000 - 1_000);
    }
  }

  @Test
  @DisplayName("ST-083 sibling: calls that timed out ran once at most, and are not sent again")
  void sendsNothingAgain() throws Exception {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit =
            Kits.shared(Kits.over(proxy.url(), Kits.DEADLINE, Kits.plenty()).build())) {
      Kits.ask(kit, "plenty");
      redis.command("CONFIG", "RESETSTAT");
      proxy.delayRequests(Duration.ofMillis(400));
      Together.run(
          20,
          thread -> {
            for (int i = 0; i < 50; i++) {
              Kits.ask(kit, "plenty", "user:late");
            }
            return 0;
          });
      Thread.sleep(800);
      long executions = TestRedis.executions(redis.server());
      // Those that left before the gate shut came in few flushes; the rest are probes.
      assertThat(executions).isLessThan(20);
      proxy.pass();
      Kits.shared(kit);
    }
  }

  @Test
  @DisplayName("ST-084 twenty instances try one by one, and come back with a connection each")
  void comesBackWithoutAHerd() throws Exception {
    List<LimiterKit> kits = new ArrayList<>();
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port())) {
      kits.addAll(
          Together.run(
              20,
              thread ->
                  Kits.shared(
                      Kits.over(proxy.url(), Kits.AMPLE, Kits.plenty())
                          .fleetSize(20)
                          .probeFirst(PROBE)
                          .probeLongest(PROBE)
                          .build())));
      // Accepts, and resets at once: so every attempt shows.
      proxy.reset();
      await()
          .until(
              () -> {
                kits.forEach(kit -> Kits.ask(kit, "plenty"));
                return kits.stream().allMatch(kit -> kit.mode() != Mode.SHARED);
              });
      Thread.sleep(PROBE.toMillis());
      long before = proxy.connectionsOpened();
      int intervals = 4;
      Thread.sleep(PROBE.toMillis() * intervals);
      long attempts = proxy.connectionsOpened() - before;
      // An interval is shortened at random by up to a half.
      assertThat(attempts).isBetween(20L * (intervals - 1), 20L * (2 * intervals + 1));
      long atReturn = proxy.connectionsOpened();
      proxy.pass();
      kits.forEach(Kits::shared);
      kits.forEach(kit -> Kits.ask(kit, "plenty"));
      assertThat(proxy.connectionsOpened() - atReturn).isLessThanOrEqualTo(22);
      assertThat(proxy.connectionsOpen()).isEqualTo(20);
    } finally {
      kits.forEach(LimiterKit::close);
    }
  }
}
