package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Source;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.setup.LimiterConfigurationException;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.setup.LogCapture;
import io.github.limiterkit.testing.FaultProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Start-up with the store down. */
class K34StartWithoutStoreIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  @Test
  @DisplayName("ST-085 a store that refuses: built within a second, local at once, then shared")
  void startsWithoutAServer() {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port())) {
      proxy.refuse();
      startsAndFindsIt(proxy);
    }
  }

  @Test
  @DisplayName("ST-085 the same with one that accepts and never answers")
  void startsWithASilentServer() {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port())) {
      proxy.swallowReplies();
      startsAndFindsIt(proxy);
    }
  }

  private static void startsAndFindsIt(FaultProxy proxy) {
    try (LogCapture log = new LogCapture();
        LimiterKit kit = buildsWithinASecond(proxy.url())) {
      assertThat(log.at(Level.WARN)).anyMatch(line -> line.contains("does not answer yet"));
      proxy.pass();
      // A connection that says nothing is given up after a second.
      await().atMost(Duration.ofSeconds(4)).until(() -> kit.mode() == Mode.SHARED);
      assertThat(Kits.ask(kit, "plenty").source()).isEqualTo(Source.SHARED);
    }
  }

  @Test
  @DisplayName("ST-085 and with a name that nobody knows")
  void startsWithAnUnknownName() {
    buildsWithinASecond("redis://no-such-host.invalid:6379").close();
  }

  @Test
  @DisplayName("ST-085 sibling: and with a port at which something else listens")
  void startsWithSomethingElseAtThePort() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread talker =
          new Thread(
              () -> {
                try {
                  while (true) {
                    other
                        .accept()
                        .getOutputStream()
                        .write("220 mail ready\r\n".getBytes(StandardCharsets.US_ASCII));
                  }
                } catch (IOException closed) {
                  // The test is over.
                }
              });
      talker.setDaemon(true);
      talker.start();
      buildsWithinASecond("redis://127.0.0.1:" + other.getLocalPort()).close();
    }
  }

  @Test
  @DisplayName("ST-085 what is wrong in itself still fails at once, and says what")
  void failsFastOnWrongConfiguration() {
    assertThatThrownBy(() -> RedisStore.at("redis://localhost:99999"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("99999");
    assertThatThrownBy(() -> RedisStore.at("redis://localhost:0")).hasMessageContaining("port 0");
    assertThatThrownBy(() -> RedisStore.at(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> LimiterKit.builder().store(RedisStore.at("redis://x")).build())
        .isInstanceOf(LimiterConfigurationException.class)
        .hasMessageContaining("there is no policy");
    assertThatThrownBy(
            () ->
                Kits.over("redis://127.0.0.1:1", Kits.DEADLINE, Kits.plenty()).fleetSize(0).build())
        .isInstanceOf(LimiterConfigurationException.class)
        .hasMessageContaining("fleetSize: 0 is outside 1");
  }

  private static LimiterKit buildsWithinASecond(String url) {
    long began = System.nanoTime();
    LimiterKit kit = Kits.over(url, Kits.DEADLINE, Kits.plenty()).build();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(1));
    Calls first = new Calls();
    Decision decision = first.ask(kit, "plenty", "user:ada");
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.source()).isEqualTo(Source.LOCAL);
    first.assertInTime(Kits.DEADLINE);
    return kit;
  }
}
