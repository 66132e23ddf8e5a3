package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import com.google.common.collect.ImmutableList;
import io.github.limiterkit.Mode;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Probe tests the wrong thing; flapping. */
class K32ProbeIT {

  /** A server that answers a PING and refuses writes. */
  enum Refuses {
    READONLY(List.of("REPLICAOF", "127.0.0.1", "1"), List.of("REPLICAOF", "NO", "ONE")),
    OUT_OF_MEMORY(
        List.of("CONFIG", "SET", "maxmemory", "1"), List.of("CONFIG", "SET", "maxmemory", "0")),
    NO_REPLICAS(
        List.of("CONFIG", "SET", "min-replicas-to-write", "1"),
        List.of("CONFIG", "SET", "min-replicas-to-write", "0")),
    NO_PERMISSION(
        List.of("ACL", "SETUSER", "default", "-set"), List.of("ACL", "SETUSER", "default", "+set"));

    private final ImmutableList<String> begin;
    private final ImmutableList<String> end;

    Refuses(List<String> begin, List<String> end) {
      this.begin = ImmutableList.copyOf(begin);
      this.end = ImmutableList.copyOf(end);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("ST-082 while a server refuses writes, though it says PONG, the gate stays shut")
  void staysShut(Refuses refuses) {
    staysShut(refuses, Duration.ofMillis(500));
  }

  @ParameterizedTest
  @EnumSource
  @Tag("deep")
  @DisplayName("ST-082 the same for half a minute: no transition at all")
  void staysShutForLong(Refuses refuses) {
    staysShut(refuses, Duration.ofSeconds(30));
  }

  private static void staysShut(Refuses refuses, Duration length) {
    MetricRegistry registry = new MetricRegistry();
    try (RedisServer redis = RedisServer.start();
        LimiterKit kit =
            Kits.shared(
                Kits.over(redis.url(), Kits.DEADLINE, Kits.plenty())
                    .probeFirst(Duration.ofMillis(100))
                    .probeLongest(Duration.ofMillis(100))
                    .metrics(DropwizardMetrics.on(registry))
                    .build())) {
      Kits.ask(kit, "plenty");
      redis.command(refuses.begin.toArray(String[]::new));
      assertThat(redis.command("PING")).isEqualTo("PONG");
      int[] subject = new int[1];
      await()
          .until(
              () -> {
                Kits.ask(kit, "plenty", "user:" + subject[0]++);
                return kit.mode() == Mode.DEGRADED;
              });
      await().during(length).atMost(length.plusSeconds(2)).until(() -> kit.mode() == Mode.DEGRADED);
      assertThat(transitions(registry, "degraded")).isOne();
      assertThat(transitions(registry, "shared")).as("that at the start").isOne();
      redis.command(refuses.end.toArray(String[]::new));
      Kits.shared(kit);
    }
  }

  private static long transitions(MetricRegistry registry, String to) {
    return registry.counter("limiterkit.store.transitions." + to).getCount();
  }
}
