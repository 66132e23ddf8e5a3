package io.github.limiterkit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One connection that has been authenticated and knows the scripts. One thread at a time may send,
 * and one, which may be another, read.
 */
final class Link {

  /** What the system takes of us while the server reads nothing. */
  static final int SEND_BUFFER_BYTES = 131_072;

  private final PatientSocket socket;
  private final ReplyReader replies;

  private Link(PatientSocket socket) {
    this.socket = socket;
    this.replies = new ReplyReader(socket.getInputStream());
  }

  /**
   * Connects; takes up to the given time to reach the server and again as long to be ready, so
   * never on a thread of a request.
   *
   * @param connecting is told the socket as soon as there is one, to close it from another thread
   * @throws StoreException if there is no usable connection
   */
  static Link open(RedisStore settings, int timeoutMillis, Consumer<Closeable> connecting) {
    Config config = new Config(settings, timeoutMillis);
    // The host name goes to the resolver each time: after a failover it may mean another address.
    SocketKeeper sockets =
        new SocketKeeper(
            new DefaultJedisSocketFactory(
                new HostAndPort(settings.url().host(), settings.url().port()), config),
            timeoutMillis,
            connecting);
    Connection connection = null;
    try {
      connection = new Connection(sockets, config);
      PatientSocket socket = sockets.last;
      if (socket == null) {
        throw new IllegalStateException("Jedis connected without its socket factory");
      }
      for (Script script : Script.ALL) {
        connection.sendCommand(Command.SCRIPT, "LOAD".getBytes(US_ASCII), script.text());
        Object unused = connection.getOne();
      }
      return new Link(socket);
    } catch (JedisException failure) {
      closeQuietly(connection, sockets.last);
      throw Faults.whileConnecting(failure);
    } catch (RuntimeException | Error failure) {
      // Such as a password supplier of the user's that throws; the next attempt may do better.
      closeQuietly(connection, sockets.last);
      throw new StoreException(StoreFault.UNREACHABLE, "cannot connect: " + failure.getClass());
    }
  }

  /** Sends one command, and returns the number of bytes. */
  int send(ProtocolCommand command, byte[][] arguments) {
    RespFrame frame = RespFrame.of(command.getRaw(), arguments);
    try {
      // Past the buffer of Jedis, in which nothing is left once the connection is set up.
      socket.getOutputStream().write(frame.bytes(), 0, frame.size());
      return frame.size();
    } catch (IOException lost) {
      throw new JedisConnectionException("the connection was lost while sending", lost);
    }
  }

  /**
   * Waits until the reply begins to come in, without reading any of it.
   *
   * @param untilNanos the end of the wait
   * @return false if it is over; the reply can then be read by somebody else
   */
  boolean awaitReply(long untilNanos) {
    try {
      return socket.awaitBytes(untilNanos);
    } catch (IOException broken) {
      throw new StoreException(StoreFault.RESET, String.valueOf(broken.getMessage()));
    }
  }

  /**
   * Reads the reply to what was sent.
   *
   * @param untilNanos when a reply that has begun is given up, and the connection with it
   * @return the reply; an error reply of the server is an exception
   */
  @Nullable Object read(long untilNanos) {
    socket.giveUpAt(untilNanos);
    try {
      // Not by Jedis, which reads ahead into a buffer of its own, in which nobody can see whether
      // the next reply is there already.
      return replies.read();
    } catch (IOException lost) {
      throw new JedisConnectionException("while reading: " + lost.getMessage(), lost);
    }
  }

  /** Ends the connection; from any thread, and whoever reads from it then fails at once. */
  void close() {
    closeQuietly(null, socket);
  }

  /** The socket first: closing the connection would try to flush what cannot be sent any more. */
  private static void closeQuietly(@Nullable Connection connection, @Nullable Socket socket) {
    closeQuietly(socket);
    closeQuietly(connection);
  }

  static void closeQuietly(@Nullable Closeable end) {
    try {
      if (end != null) {
        end.close();
      }
    } catch (IOException | JedisException alreadyGone) {
      // Nothing depends on how an abandoned connection ends.
    }
  }

  /** Remembers the socket, so that another thread can end a read that would take too long. */
  private static final class SocketKeeper implements JedisSocketFactory {
    private final JedisSocketFactory factory;
    private final int timeoutMillis;
    private final Consumer<Closeable> connecting;
    private @Nullable PatientSocket last;

    SocketKeeper(JedisSocketFactory factory, int timeoutMillis, Consumer<Closeable> connecting) {
      this.factory = factory;
      this.timeoutMillis = timeoutMillis;
      this.connecting = connecting;
    }

    @Override
    public Socket createSocket() {
      try {
        Socket connected = factory.createSocket();
        connected.setSendBufferSize(SEND_BUFFER_BYTES);
        PatientSocket socket = new PatientSocket(connected);
        // For all of it, however small the pieces in which the server answers.
        socket.giveUpAt(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
        last = socket;
        connecting.accept(socket);
        return socket;
      } catch (IOException lost) {
        throw new JedisConnectionException("the connection ended at once", lost);
      }
    }
  }

  /** What Jedis asks. Written against the interface alone, which is the same since Jedis 5.2. */
  private record Config(RedisStore settings, int timeoutMillis) implements JedisClientConfig {

    @Override
    public RedisProtocol getRedisProtocol() {
      return RedisProtocol.RESP2;
    }

    @Override
    public int getConnectionTimeoutMillis() {
      return timeoutMillis;
    }

    @Override
    public int getSocketTimeoutMillis() {
      return timeoutMillis;
    }

    @Override
    public @Nullable String getUser() {
      return settings.url().user();
    }

    @Override
    public @Nullable String getPassword() {
      return settings.password();
    }

    @Override
    public int getDatabase() {
      return settings.url().database();
    }

    @Override
    public String getClientName() {
      return "limiterkit";
    }

    @Override
    public boolean isSsl() {
      return settings.url().tls();
    }
  }
}
