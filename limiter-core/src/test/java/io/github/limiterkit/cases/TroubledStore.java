package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.testing.FaultProxy;
import io.github.limiterkit.testing.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A server of its own for one trouble, the way to it, and whatever the trouble needs besides. */
final class TroubledStore implements AutoCloseable {

  static final String USER = "limiterkit";
  static final String PASSWORD = "known";

  /** Under which a client of the policy of the tests is counted. */
  static final String KEY = "{limiterkit:plenty:user%3Aada}:1:60000";

  private static final Duration SOON = Duration.ofMillis(5);

  private final RedisServer server = RedisServer.start("maxmemory-policy noeviction");
  private final FaultProxy proxy = FaultProxy.inFrontOf(server.port());
  private @Nullable RedisServer another;
  private @Nullable Socket guest;
  private @Nullable Thread running;
  private volatile long ended;

  TroubledStore(StoreTrouble trouble) {
    command("ACL", "SETUSER", USER, "on", ">" + PASSWORD, "allkeys", "allchannels", "+@all");
    trouble.prepare(this);
  }

  String url(boolean asUser) {
    return asUser
        ? proxy.url().replace("redis://", "redis://" + USER + ":" + PASSWORD + "@")
        : proxy.url();
  }

  RedisServer server() {
    return server;
  }

  FaultProxy proxy() {
    return proxy;
  }

  void command(String... words) {
    String unused = server.command(words);
  }

  /** A command for the length of which the server does nothing else. */
  void begin(String... words) {
    Thread thread =
        new Thread(
            () -> {
              try {
                command(words);
              } catch (RuntimeException lateOrKilled) {
                // What counts is what the server does meanwhile.
              }
              await().pollDelay(Duration.ZERO).pollInterval(SOON).until(() -> isThere(server));
              ended = System.nanoTime();
            });
    running = thread;
    thread.start();
  }

  /** When the trouble was over, at most: now, or when the server answered others again. */
  long overSince() {
    Thread thread = running;
    if (thread == null) {
      return System.nanoTime();
    }
    try {
      thread.join();
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
    return ended;
  }

  void save() {
    command("BGSAVE");
    await().until(() -> persistence().contains("bgsave_in_progress:0"));
  }

  /** Nobody can write to the directory of the dump. */
  void failSaving() {
    command("CONFIG", "SET", "save", "3600 1");
    command("CONFIG", "SET", "dir", "/proc");
    save();
    assertThat(persistence()).contains("bgsave_status:err");
  }

  private String persistence() {
    return server.command("INFO", "persistence");
  }

  /** The name of the server means another one now. */
  void leadToAnother(String... configuration) {
    RedisServer other = RedisServer.start(configuration);
    another = other;
    proxy.leadTo(other.port());
  }

  /** The only place there is taken. */
  void leadToAFullOne() {
    RedisServer full = RedisServer.start("maxclients 1");
    another = full;
    await().until(() -> takePlace(full));
    proxy.leadTo(full.port());
  }

  private boolean takePlace(RedisServer full) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), full.port());
    socket.setSoTimeout(2_000);
    socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
    if (socket.getInputStream().read() == '+') {
      guest = socket;
      return true;
    }
    socket.close();
    return false;
  }

  void leadBack() {
    proxy.leadTo(server.port());
  }

  private static boolean isThere(RedisServer server) {
    try {
      return server.command("PING").contains("PONG");
    } catch (IllegalStateException notYet) {
      return false;
    }
  }

  @Override
  public void close() {
    proxy.close();
    try {
      if (guest != null) {
        guest.close();
      }
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
    if (another != null) {
      another.close();
    }
    server.close();
  }
}
