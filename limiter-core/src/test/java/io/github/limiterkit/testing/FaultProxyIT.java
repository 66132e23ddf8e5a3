package io.github.limiterkit.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultProxyIT {

  private static final String PING = "PING\r\n";
  private static final String PONG = "+PONG\r\n";

  private static RedisServer redis;

  private FaultProxy proxy;
  private Socket client;

  @BeforeAll
  static void startRedis() {
    redis = RedisServer.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @BeforeEach
  void connectThroughTheProxy() throws IOException {
    proxy = FaultProxy.inFrontOf(redis.port());
    client = connect();
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    proxy.close();
  }

  @Test
  void passesEverythingOnAndCountsIt() throws IOException {
    assertThat(proxy.url()).isEqualTo("redis://127.0.0.1:" + proxy.port());
    assertThat(ping(client)).isEqualTo(PONG);
    try (Socket other = connect()) {
      assertThat(ping(other)).isEqualTo(PONG);
      assertThat(proxy.connectionsOpen()).isEqualTo(2);
    }
    assertThat(proxy.connectionsOpened()).isEqualTo(2);
    await().until(() -> proxy.bytesToServer() == 2L * PING.length());
    await().until(() -> proxy.bytesToClients() == 2L * PONG.length());
    await().until(() -> proxy.connectionsOpen() == 1);
  }

  @Test
  void holdsBackBothDirections() throws IOException {
    proxy.delay(Duration.ofMillis(100));
    assertThat(millisOfPing()).isBetween(200L, 1_000L);
  }

  @Test
  void holdsBackRequestsOnly() throws IOException {
    proxy.delayRequests(Duration.ofMillis(150));
    assertThat(millisOfPing()).isBetween(150L, 1_000L);
  }

  @Test
  void holdsBackRepliesOnlyAndNotOneAfterTheOther() throws IOException {
    proxy.delayReplies(Duration.ofMillis(150));
    long start = System.nanoTime();
    for (int i = 0; i < 10; i++) {
      send(client);
    }
    for (int i = 0; i < 10; i++) {
      assertThat(receive(client)).isEqualTo(PONG);
    }
    assertThat(millisSince(start)).isBetween(150L, 1_000L);
    proxy.pass();
    assertThat(millisOfPing()).isLessThan(150);
  }

  @Test
  void swallowsRepliesButNotRequests() throws IOException {
    proxy.swallowReplies();
    redis.command("SET", "counter", "0");
    client.setSoTimeout(200);
    client.getOutputStream().write("INCR counter\r\n".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> receive(client)).isInstanceOf(SocketTimeoutException.class);
    await().until(() -> redis.command("GET", "counter").equals("1"));
    proxy.pass();
    assertThat(ping(client)).isEqualTo(PONG);
  }

  @Test
  void cutsTheConnectionInTheMiddleOfAReply() throws IOException {
    proxy.cutReplies(3);
    redis.command("SET", "counter", "1000");
    client.getOutputStream().write("INCR counter\r\n".getBytes(StandardCharsets.UTF_8));
    assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo(":10");
    assertThat(redis.command("GET", "counter")).isEqualTo("1001");
    proxy.pass();
    try (Socket fresh = connect()) {
      assertThat(ping(fresh)).isEqualTo(PONG);
    }
  }

  @Test
  void answersInPlaceOfTheServer() throws IOException {
    proxy.answer("+PANG\r\n");
    assertThat(ping(client)).isEqualTo("+PANG\r\n");
    proxy.pass();
    assertThat(ping(client)).isEqualTo(PONG);
  }

  @Test
  void leadsToAnotherServer() throws IOException {
    ping(client);
    try (RedisServer other = RedisServer.start()) {
      proxy.leadTo(other.port());
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
      try (Socket fresh = connect()) {
        assertThat(ping(fresh)).isEqualTo(PONG);
        assertThat(other.command("INFO", "clients")).contains("connected_clients:2");
      }
    }
  }

  @Test
  void dribblesRepliesByteByByte() throws IOException {
    proxy.dribble(Duration.ofMillis(30));
    send(client);
    assertThat(client.getInputStream().read()).isEqualTo('+');
    assertThat(client.getInputStream().available()).isLessThan(PONG.length() - 1);
    long start = System.nanoTime();
    assertThat(client.getInputStream().readNBytes(PONG.length() - 1)).hasSize(PONG.length() - 1);
    assertThat(millisSince(start)).isBetween(100L, 2_000L);
  }

  @Test
  void endsTheStreamOfRepliesButStillTakesRequests() throws IOException {
    ping(client);
    redis.command("SET", "counter", "0");
    proxy.halfClose();
    assertThat(client.getInputStream().read()).isEqualTo(-1);
    client.getOutputStream().write("INCR counter\r\n".getBytes(StandardCharsets.UTF_8));
    await().until(() -> redis.command("GET", "counter").equals("1"));
    try (Socket late = connect()) {
      assertThat(late.getInputStream().read()).isEqualTo(-1);
    }
    proxy.pass();
    try (Socket fresh = connect()) {
      assertThat(ping(fresh)).isEqualTo(PONG);
    }
  }

  @Test
  void resetsOpenConnectionsAndNewOnes() throws IOException {
    ping(client);
    proxy.reset();
    assertThatThrownBy(() -> client.getInputStream().read())
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("reset");
    try (Socket late = connect()) {
      assertThatThrownBy(() -> late.getInputStream().read()).isInstanceOf(SocketException.class);
    }
    proxy.pass();
    try (Socket fresh = connect()) {
      assertThat(ping(fresh)).isEqualTo(PONG);
    }
  }

  @Test
  void refusesConnectionsUntilItPassesAgainOnTheSamePort() throws IOException {
    ping(client);
    int port = proxy.port();
    proxy.refuse();
    assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
    assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    proxy.pass();
    assertThat(proxy.port()).isEqualTo(port);
    try (Socket fresh = connect()) {
      assertThat(ping(fresh)).isEqualTo(PONG);
    }
  }

  @Test
  void refusesFromTheMomentOnAtWhichItSaysSo() throws IOException {
    for (int i = 0; i < 300; i++) {
      proxy.refuse();
      assertThatThrownBy(this::connect).as("time %d", i).isInstanceOf(ConnectException.class);
      proxy.pass();
    }
  }

  @Test
  void closesTheConnectionWhenTheServerHasGone() throws IOException {
    try (RedisServer mortal = RedisServer.start();
        FaultProxy inFront = FaultProxy.inFrontOf(mortal.port());
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), inFront.port())) {
      assertThat(ping(socket)).isEqualTo(PONG);
      mortal.kill();
      socket.setSoTimeout(2_000);
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
      await().until(() -> inFront.connectionsOpen() == 0);
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(5_000);
    return socket;
  }

  private static String ping(Socket socket) throws IOException {
    send(socket);
    return receive(socket);
  }

  private static void send(Socket socket) throws IOException {
    socket.getOutputStream().write(PING.getBytes(StandardCharsets.UTF_8));
  }

  private static String receive(Socket socket) throws IOException {
    byte[] reply = socket.getInputStream().readNBytes(PONG.length());
    return new String(reply, StandardCharsets.UTF_8);
  }

  private long millisOfPing() throws IOException {
    long start = System.nanoTime();
    assertThat(ping(client)).isEqualTo(PONG);
    return millisSince(start);
  }

  private static long millisSince(long startNanos) {
    return Duration.ofNanos(System.nanoTime() - startNanos).toMillis();
  }
}
