package io.github.limiterkit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisException;

/** One connection that has been authenticated and knows the script. For one thread at a time. */
final class Link {

  private final Connection connection;
  private final Socket socket;

  private Link(Connection connection, Socket socket) {
    this.connection = connection;
    this.socket = socket;
  }

  /**
   * Connects; takes up to the given time for each step, so never on a thread of a request.
   *
   * @throws StoreException if there is no usable connection
   */
  static Link open(RedisStore settings, int timeoutMillis) {
    Config config = new Config(settings, timeoutMillis);
    // The host name goes to the resolver each time: after a failover it may mean another address.
    SocketKeeper sockets =
        new SocketKeeper(
            new DefaultJedisSocketFactory(
                new HostAndPort(settings.host(), settings.port()), config));
    Connection connection = null;
    try {
      connection = new Connection(sockets, config);
      Socket socket = sockets.last;
      if (socket == null) {
        throw new IllegalStateException("Jedis connected without its socket factory");
      }
      connection.sendCommand(Command.SCRIPT, "LOAD".getBytes(US_ASCII), DecideScript.TEXT);
      Object unused = connection.getOne();
      return new Link(connection, socket);
    } catch (JedisException failure) {
      closeQuietly(connection, sockets.last);
      throw Faults.whileConnecting(failure);
    } catch (RuntimeException failure) {
      // Such as a password supplier of the user's that throws; it may happen at each attempt.
      closeQuietly(connection, sockets.last);
      throw new StoreException(StoreFault.UNREACHABLE, "cannot connect: " + failure.getClass());
    }
  }

  /**
   * Sends one command and reads its reply.
   *
   * @return the reply; an error reply of the server is an exception
   */
  Object call(ProtocolCommand command, byte[] first, List<byte[]> rest) {
    byte[][] arguments = new byte[rest.size() + 1][];
    arguments[0] = first;
    for (int i = 0; i < rest.size(); i++) {
      arguments[i + 1] = rest.get(i);
    }
    connection.sendCommand(command, arguments);
    return connection.getOne();
  }

  /** Ends the connection; from any thread, and whoever reads from it then fails at once. */
  void close() {
    closeQuietly(null, socket);
  }

  private static void closeQuietly(@Nullable Connection connection, @Nullable Socket socket) {
    try {
      // The socket first: closing the connection would try to flush what cannot be sent any more.
      if (socket != null) {
        socket.close();
      }
      if (connection != null) {
        connection.close();
      }
    } catch (IOException | JedisException alreadyGone) {
      // Nothing depends on how an abandoned connection ends.
    }
  }

  /** Remembers the socket, so that another thread can end a read that would take too long. */
  private static final class SocketKeeper implements JedisSocketFactory {
    private final JedisSocketFactory factory;
    private @Nullable Socket last;

    SocketKeeper(JedisSocketFactory factory) {
      this.factory = factory;
    }

    @Override
    public Socket createSocket() {
      Socket socket = factory.createSocket();
      last = socket;
      return socket;
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
      return settings.user();
    }

    @Override
    public @Nullable String getPassword() {
      return settings.password();
    }

    @Override
    public int getDatabase() {
      return settings.database();
    }

    @Override
    public String getClientName() {
      return "limiterkit";
    }

    @Override
    public boolean isSsl() {
      return settings.tls();
    }
  }
}
