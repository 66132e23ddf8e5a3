package io.github.limiterkit.cases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;

/** Somebody else's connection to a server, over which nothing is sent. */
final class IdleClient implements AutoCloseable {

  private final Socket socket;

  IdleClient(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
    } catch (IOException refused) {
      throw new UncheckedIOException(refused);
    }
  }

  boolean isThere() {
    return socket.isConnected();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }
}
