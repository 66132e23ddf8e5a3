package io.github.limiterkit.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A faulty network in front of a server on this machine: clients connect to {@link #port()}, and
 * what they send and receive goes through here.
 *
 * <p>One fault at a time is in force, for the connections that are open and for those to come,
 * until another is chosen; {@link #pass()} ends it. A connection that a fault has closed stays
 * closed. Methods may be called from any thread.
 */
public final class FaultProxy implements AutoCloseable {

  private enum Kind {
    PASS,
    SWALLOW,
    CUT,
    HALF_CLOSE,
    RESET,
    REFUSE
  }

  private record Fault(
      Kind kind,
      Duration requests,
      Duration replies,
      Duration perByte,
      int bytes,
      @Nullable String answer) {

    static Fault of(Kind kind) {
      return new Fault(kind, Duration.ZERO, Duration.ZERO, Duration.ZERO, 0, null);
    }

    static Fault delays(Duration requests, Duration replies, Duration perByte) {
      return new Fault(Kind.PASS, requests, replies, perByte, 0, null);
    }

    static Fault cuts(int bytes) {
      return new Fault(Kind.CUT, Duration.ZERO, Duration.ZERO, Duration.ZERO, bytes, null);
    }

    static Fault answers(String answer) {
      return new Fault(Kind.PASS, Duration.ZERO, Duration.ZERO, Duration.ZERO, 0, answer);
    }
  }

  /** Used again and again: clients in trouble make hundreds of connections a second. */
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "fault-proxy");
            thread.setDaemon(true);
            return thread;
          });

  private static final int FIRST_PORT = 20_000;
  private static final int LAST_PORT = 32_000;
  private static final int PORT_TRIES = 20;

  private final InetAddress address;
  private volatile int target;
  private final int port;
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong opened = new AtomicLong();
  private final AtomicLong toServer = new AtomicLong();
  private final AtomicLong toClients = new AtomicLong();
  private volatile Fault fault = Fault.of(Kind.PASS);
  private @Nullable Listener listener;

  private FaultProxy(int target) {
    this.address = InetAddress.getLoopbackAddress();
    this.target = target;
    this.port = listenSomewhere();
  }

  private FaultProxy(InetAddress address, int port, int target) {
    this.address = address;
    this.target = target;
    this.port = listen(port);
  }

  /** A proxy in front of a port on the loopback address; it passes everything on. */
  public static FaultProxy inFrontOf(int port) {
    return new FaultProxy(port);
  }

  /**
   * A proxy at another address of this machine in front of a port on the loopback address; it
   * passes everything on.
   */
  public static FaultProxy at(InetAddress address, int port, int target) {
    return new FaultProxy(address, port, target);
  }

  /** The port that clients connect to, on the loopback address. */
  public int port() {
    return port;
  }

  /** The address that clients connect to, as {@code redis://127.0.0.1:port}. */
  public String url() {
    return "redis://127.0.0.1:" + port;
  }

  /** Passes everything on at once, and listens again if it did not. */
  public void pass() {
    become(Fault.of(Kind.PASS));
  }

  /** Holds back what goes through by this long, in each direction. */
  public void delay(Duration each) {
    become(Fault.delays(each, each, Duration.ZERO));
  }

  /** Holds back what clients send by this long. */
  public void delayRequests(Duration by) {
    become(Fault.delays(by, Duration.ZERO, Duration.ZERO));
  }

  /** Holds back what the server answers by this long. */
  public void delayReplies(Duration by) {
    become(Fault.delays(Duration.ZERO, by, Duration.ZERO));
  }

  /** Passes on what clients send, and throws away what the server answers. */
  public void swallowReplies() {
    become(Fault.of(Kind.SWALLOW));
  }

  /**
   * Passes on what clients send, and of the server's next answer so many bytes; then it closes the
   * connection.
   */
  public void cutReplies(int afterBytes) {
    become(Fault.cuts(afterBytes));
  }

  /** Passes on what clients send, and answers each time with these characters instead. */
  public void answer(String instead) {
    become(Fault.answers(instead));
  }

  /** From now on new connections go to another port; those that are open are reset. */
  public void leadTo(int port) {
    target = port;
    open.forEach(Connection::reset);
  }

  /** Passes on what the server answers byte by byte, with this pause before each. */
  public void dribble(Duration perByte) {
    become(Fault.delays(Duration.ZERO, Duration.ZERO, perByte));
  }

  /** Ends the stream of answers (FIN), and goes on taking what clients send. */
  public void halfClose() {
    become(Fault.of(Kind.HALF_CLOSE));
    open.forEach(Connection::halfClose);
  }

  /** Resets (RST) the connections that are open, and each new one once it is there. */
  public void reset() {
    become(Fault.of(Kind.RESET));
    open.forEach(Connection::reset);
  }

  /** Resets the connections that are open, and refuses new ones: nothing listens on the port. */
  public void refuse() {
    become(Fault.of(Kind.REFUSE));
    open.forEach(Connection::reset);
  }

  /** How many connections clients have opened since the proxy exists. */
  public long connectionsOpened() {
    return opened.get();
  }

  /** How many connections are open now. */
  public int connectionsOpen() {
    return open.size();
  }

  /** Bytes passed on from clients to the server. */
  public long bytesToServer() {
    return toServer.get();
  }

  /** Bytes passed on from the server to clients. */
  public long bytesToClients() {
    return toClients.get();
  }

  /** Closes the port and all connections. */
  @Override
  public void close() {
    refuse();
  }

  private synchronized void become(Fault next) {
    fault = next;
    if (next.kind() == Kind.REFUSE) {
      if (listener != null) {
        listener.close();
      }
      listener = null;
    } else if (listener == null) {
      listen(port);
    }
  }

  /**
   * Below the ports from which the system takes those of clients: while this one is closed, nobody
   * is to get it by chance.
   */
  private int listenSomewhere() {
    UncheckedIOException last = new UncheckedIOException(new IOException("never tried"));
    for (int i = 0; i < PORT_TRIES; i++) {
      try {
        return listen(ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT));
      } catch (UncheckedIOException taken) {
        last = taken;
      }
    }
    throw last;
  }

  private synchronized int listen(int wanted) {
    try {
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(address, wanted), 512);
      listener = new Listener(socket, accepting(() -> accept(socket)));
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        opened.incrementAndGet();
        connect(client);
      } catch (IOException e) {
        // Closed by refuse(), or a client that has gone before it was accepted.
      }
    }
  }

  private void connect(Socket client) {
    Socket server = new Socket();
    Connection connection = new Connection(client, server);
    try {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 1_000);
    } catch (IOException e) {
      connection.close();
      return;
    }
    open.add(connection);
    // Looked at after the connection is in the set, so that no fault chosen meanwhile misses it.
    switch (fault.kind()) {
      case RESET, REFUSE -> connection.reset();
      case HALF_CLOSE -> connection.halfClose();
      case PASS, SWALLOW, CUT -> {}
    }
    connection.start();
  }

  private static Thread accepting(Runnable work) {
    Thread thread = new Thread(work, "fault-proxy-accept");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void closeQuietly(@Nullable AutoCloseable closeable) {
    try {
      if (closeable != null) {
        closeable.close();
      }
    } catch (Exception alreadyBroken) {
      // There is nobody to tell.
    }
  }

  /** A port that is listened on, and the thread that accepts there. */
  private record Listener(ServerSocket socket, Thread accepting) {

    /** The system goes on listening for as long as a thread is still in the call that accepts. */
    void close() {
      closeQuietly(socket);
      boolean interrupted = false;
      while (accepting.isAlive()) {
        try {
          accepting.join();
        } catch (InterruptedException asked) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Bytes on their way; no bytes means that the sender has ended its stream. */
  private static final class Chunk {

    final byte[] bytes;
    final long dueNanos;

    Chunk(byte[] bytes, long dueNanos) {
      this.bytes = bytes;
      this.dueNanos = dueNanos;
    }
  }

  private final class Connection {

    private final Socket client;
    private final Socket server;

    Connection(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void start() {
      direction(client, server, true);
      direction(server, client, false);
    }

    /** Reading and writing have a thread each, so that a delay holds back without slowing down. */
    private void direction(Socket from, Socket to, boolean request) {
      BlockingQueue<Chunk> queue = new LinkedBlockingQueue<>();
      THREADS.execute(() -> read(from, queue, request));
      THREADS.execute(() -> write(to, queue, request));
    }

    private void read(Socket from, BlockingQueue<Chunk> queue, boolean request) {
      byte[] buffer = new byte[16 * 1024];
      int n = 0;
      while (n >= 0) {
        try {
          InputStream in = from.getInputStream();
          n = in.read(buffer);
        } catch (IOException e) {
          close();
          n = -1;
        }
        Duration delay = request ? fault.requests() : fault.replies();
        byte[] bytes = n < 0 ? new byte[0] : Arrays.copyOf(buffer, n);
        queue.add(new Chunk(bytes, System.nanoTime() + delay.toNanos()));
      }
    }

    private void write(Socket to, BlockingQueue<Chunk> queue, boolean request) {
      try {
        OutputStream out = to.getOutputStream();
        for (Chunk chunk = queue.take(); chunk.bytes.length > 0; chunk = queue.take()) {
          TimeUnit.NANOSECONDS.sleep(chunk.dueNanos - System.nanoTime());
          if (request) {
            out.write(chunk.bytes);
            toServer.addAndGet(chunk.bytes.length);
          } else {
            reply(out, chunk.bytes);
          }
        }
        to.shutdownOutput();
        if (!request) {
          close();
        }
      } catch (IOException e) {
        close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        close();
      }
    }

    private void reply(OutputStream out, byte[] reply) throws IOException, InterruptedException {
      String instead = fault.answer();
      byte[] bytes = instead == null ? reply : instead.getBytes(StandardCharsets.ISO_8859_1);
      for (int i = 0; i < bytes.length; ) {
        Fault now = fault;
        if (now.kind() == Kind.SWALLOW || now.kind() == Kind.HALF_CLOSE) {
          return;
        }
        if (now.kind() == Kind.CUT) {
          out.write(bytes, i, Math.min(now.bytes(), bytes.length - i));
          close();
          return;
        }
        boolean whole = now.perByte().isZero();
        TimeUnit.NANOSECONDS.sleep(now.perByte().toNanos());
        int n = whole ? bytes.length - i : 1;
        try {
          out.write(bytes, i, n);
        } catch (IOException e) {
          if (fault.kind() == Kind.HALF_CLOSE) {
            return;
          }
          throw e;
        }
        toClients.addAndGet(n);
        i += n;
      }
    }

    void halfClose() {
      try {
        client.shutdownOutput();
      } catch (IOException alreadyClosed) {
        close();
      }
    }

    void reset() {
      try {
        client.setSoLinger(true, 0);
      } catch (IOException alreadyClosed) {
        // Closing is all that is left to do.
      }
      close();
    }

    void close() {
      closeQuietly(client);
      closeQuietly(server);
      open.remove(this);
    }
  }
}
