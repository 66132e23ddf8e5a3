package io.github.limiterkit.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisServerIT {

  @Test
  void answersCommandsOnALoopbackPort() {
    try (RedisServer redis = RedisServer.start()) {
      assertThat(redis.host()).isEqualTo("127.0.0.1");
      assertThat(redis.url()).isEqualTo("redis://127.0.0.1:" + redis.port());
      assertThat(redis.command("SET", "name", "zwölf")).isEqualTo("OK");
      assertThat(redis.command("GET", "name")).isEqualTo("zwölf");
      assertThat(redis.command("GET", "nothing")).isEqualTo("(nil)");
      assertThat(redis.command("INCRBY", "count", "7")).isEqualTo("7");
      assertThat(redis.command("MGET", "name", "count")).isEqualTo("zwölf\n7");
    }
  }

  @Test
  void throwsAnErrorReply() {
    try (RedisServer redis = RedisServer.start()) {
      assertThatThrownBy(() -> redis.command("NOSUCHCOMMAND"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("unknown command");
    }
  }

  @Test
  void takesLinesOfConfiguration() {
    try (RedisServer redis = RedisServer.start("maxmemory 32mb", "maxmemory-policy noeviction")) {
      assertThat(redis.command("CONFIG", "GET", "maxmemory")).isEqualTo("maxmemory\n33554432");
    }
  }

  @Test
  void saysWhyAServerDidNotStart() {
    assertThatThrownBy(() -> RedisServer.start("no-such-setting yes"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no-such-setting");
  }

  @Test
  void hasGoneOnceItIsClosed() {
    ProcessHandle process;
    try (RedisServer redis = RedisServer.start()) {
      process = ProcessHandle.of(redis.pid()).orElseThrow();
      assertThat(process.isAlive()).isTrue();
    }
    assertThat(process.isAlive()).isFalse();
  }

  @Test
  void hasGoneOnceItIsClosedWhilePaused() {
    ProcessHandle process;
    try (RedisServer redis = RedisServer.start()) {
      process = ProcessHandle.of(redis.pid()).orElseThrow();
      redis.pause();
    }
    assertThat(process.isAlive()).isFalse();
  }

  @Test
  void refusesConnectionsOnceKilledAndComesBackEmptyOnTheSamePort() {
    try (RedisServer redis = RedisServer.start()) {
      int port = redis.port();
      long pid = redis.pid();
      redis.command("SET", "name", "value");

      redis.kill();
      assertThatThrownBy(() -> redis.command("PING"))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("refused");
      assertThatThrownBy(redis::pid).hasMessageContaining("killed");

      redis.restart();
      assertThat(redis.port()).isEqualTo(port);
      assertThat(redis.pid()).isNotEqualTo(pid);
      assertThat(redis.command("GET", "name")).isEqualTo("(nil)");
    }
  }

  @Test
  void restartsWhileItRuns() {
    try (RedisServer redis = RedisServer.start()) {
      redis.command("SET", "name", "value");
      redis.restart();
      assertThat(redis.command("DBSIZE")).isEqualTo("0");
    }
  }

  @Test
  void keepsAllItHasButAnswersNothingWhilePaused() {
    try (RedisServer redis = RedisServer.start()) {
      redis.command("SET", "name", "value");
      redis.pause();
      assertThatThrownBy(() -> redis.command("GET", "name"))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("timed out");
      redis.resume();
      assertThat(redis.command("GET", "name")).isEqualTo("value");
    }
  }

  @Test
  void countsWhatItRan() {
    try (RedisServer redis = RedisServer.start()) {
      redis.command("CONFIG", "RESETSTAT");
      redis.command("SET", "name", "value");
      redis.command("GET", "name");
      redis.command("GET", "name");
      assertThatThrownBy(() -> redis.command("INCR", "name")).hasMessageContaining("integer");

      assertThat(redis.commandStats())
          .containsEntry("set", new RedisServer.CommandCount(1, 0))
          .containsEntry("get", new RedisServer.CommandCount(2, 0))
          .containsEntry("incr", new RedisServer.CommandCount(1, 1))
          .doesNotContainKey("del");
    }
  }

  @Test
  void runSideBySide() {
    try (RedisServer one = RedisServer.start();
        RedisServer other = RedisServer.start()) {
      one.command("SET", "name", "value");
      assertThat(other.command("GET", "name")).isEqualTo("(nil)");
    }
  }

  @Test
  void aBinaryThatWasAskedForButDoesNotRunIsAnError(@TempDir Path empty) {
    assertThatThrownBy(() -> RedisBinary.find(empty.resolve("redis-server").toString(), null))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(RedisServer.BINARY)
        .hasMessageContaining(empty.toString());
  }

  @Test
  void thePathIsSearchedDirectoryByDirectory(@TempDir Path empty) {
    Path bundled = RedisBinary.find(null, null).orElseThrow();
    assertThat(RedisBinary.onPath(empty.toString())).isEmpty();
    assertThat(RedisBinary.onPath(null)).isEmpty();
    assertThat(bundled).isExecutable();
  }

  @Test
  void anAbortedJvmLeavesNoServerBehind() throws Exception {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Forgetful.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = jvm.inputReader(StandardCharsets.UTF_8)) {
      ProcessHandle redis = ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
      assertThat(redis.isAlive()).isTrue();
      jvm.destroy();
      assertThat(jvm.waitFor(10, TimeUnit.SECONDS)).isTrue();
      redis.onExit().get(10, TimeUnit.SECONDS);
    } finally {
      jvm.destroyForcibly();
    }
  }

  /** Starts a server, says which, and never closes it. */
  static final class Forgetful {

    private Forgetful() {}

    public static void main(String[] args) throws Exception {
      System.out.println(RedisServer.start().pid());
      Thread.sleep(60_000);
    }
  }
}
