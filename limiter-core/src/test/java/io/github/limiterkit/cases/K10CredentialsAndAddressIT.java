package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import com.codahale.metrics.MetricRegistry;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Source;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.setup.LogCapture;
import io.github.limiterkit.testing.FaultProxy;
import io.github.limiterkit.testing.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Credentials, DNS and address change. */
class K10CredentialsAndAddressIT {

  private static final String SECRET = "hunter2-and-more";

  private final MetricRegistry registry = new MetricRegistry();

  @Test
  @DisplayName("ST-025 every connection authenticates, also those that are made later")
  void authenticatesEachConnection() {
    try (RedisServer redis = withUser();
        LogCapture log = new LogCapture();
        FaultProxy proxy = FaultProxy.inFrontOf(redis.port());
        LimiterKit kit = kit(proxy)) {
      for (int i = 0; i < 5; i++) {
        long before = proxy.connectionsOpened();
        redis.command("CLIENT", "KILL", "USER", "shop");
        await()
            .until(
                () ->
                    Kits.ask(kit, "plenty").source() == Source.SHARED
                        && proxy.connectionsOpened() > before);
      }
      assertThat(authenticationFaults()).isZero();
      assertThat(log.at(Level.ERROR)).isEmpty();
    }
  }

  @Test
  @DisplayName("ST-025 a changed password: local, one line without it, one try for each probe")
  void bearsAChangedPassword() {
    try (RedisServer redis = withUser();
        LogCapture log = new LogCapture();
        FaultProxy proxy = FaultProxy.inFrontOf(redis.port());
        LimiterKit kit = kit(proxy)) {
      Kits.ask(kit, "plenty");
      redis.command("ACL", "SETUSER", "shop", "resetpass", ">another");
      redis.command("CLIENT", "KILL", "USER", "shop");
      await()
          .until(
              () -> Kits.ask(kit, "plenty").source() == Source.LOCAL && kit.mode() != Mode.SHARED);
      long began = System.nanoTime();
      long opened = proxy.connectionsOpened();
      for (int i = 0; i < 200; i++) {
        assertThat(Kits.ask(kit, "plenty", "user:" + i).source()).isEqualTo(Source.LOCAL);
      }
      await().until(() -> authenticationFaults() > 3);
      long halfProbes = (System.nanoTime() - began) / Kits.PROBE.dividedBy(2).toNanos();
      assertThat(proxy.connectionsOpened() - opened).isBetween(1L, halfProbes + 2);
      assertThat(log.at(Level.ERROR)).singleElement().asString().contains("password is wrong");
      redis.command("ACL", "SETUSER", "shop", ">" + SECRET);
      await().until(() -> Kits.ask(kit, "plenty").source() == Source.SHARED);
      assertThat(kit.status().toString()).doesNotContain(SECRET);
      for (Level level : List.of(Level.DEBUG, Level.INFO, Level.WARN, Level.ERROR)) {
        assertThat(log.at(level)).noneMatch(line -> line.contains(SECRET));
      }
    }
  }

  private static RedisServer withUser() {
    RedisServer redis = RedisServer.start();
    redis.command("ACL", "SETUSER", "shop", "on", ">" + SECRET, "allkeys", "allchannels", "+@all");
    return redis;
  }

  private LimiterKit kit(FaultProxy proxy) {
    String url = proxy.url().replace("redis://", "redis://shop:" + SECRET + "@");
    return Kits.shared(
        Kits.over(url, Kits.DEADLINE, Kits.plenty())
            .metrics(DropwizardMetrics.on(registry))
            .build());
  }

  private long authenticationFaults() {
    return registry.counter("limiterkit.store.faults.authentication").getCount();
  }

  @Test
  @DisplayName("ST-026 each new connection looks up the name again")
  void followsTheName(@TempDir Path directory) throws Exception {
    Path hosts = directory.resolve("hosts");
    Files.writeString(hosts, "127.0.0.1 store.test\n");
    try (RedisServer first = RedisServer.start();
        RedisServer second = RedisServer.start();
        FaultProxy elsewhere =
            FaultProxy.at(InetAddress.getByName("127.0.0.2"), first.port(), second.port());
        ChildJvm child =
            ChildJvm.start(
                K10CredentialsAndAddressIT.class,
                List.of("redis://store.test:" + first.port()),
                "-Djdk.net.hosts.file=" + hosts,
                "-Dsun.net.inetaddr.ttl=1")) {
      assertThat(child.hears()).isEqualTo("SHARED");
      Files.writeString(hosts, "127.0.0.2 store.test\n");
      first.kill();
      child.tell("lost");
      assertThat(child.hears()).isEqualTo("LOCAL");
      assertThat(child.hears()).isEqualTo("SHARED");
      assertThat(elsewhere.connectionsOpened()).isPositive();
      assertThat(TestRedis.executions(second)).isPositive();
      assertThat(child.hearsToTheEnd(Duration.ofSeconds(10))).isEmpty();
    }
  }

  /** Asks until the store answers, then until it does not, then until it does again. */
  public static void main(String[] arguments) throws IOException {
    try (LimiterKit kit =
        Kits.shared(Kits.over(arguments[0], Kits.DEADLINE, Kits.plenty()).build())) {
      sayOnce(kit, Source.SHARED);
      BufferedReader input =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      String unused = input.readLine();
      sayOnce(kit, Source.LOCAL);
      sayOnce(kit, Source.SHARED);
    }
  }

  private static void sayOnce(LimiterKit kit, Source source) {
    await().until(() -> Kits.ask(kit, "plenty").source() == source);
    ChildJvm.say(source);
  }
}
