package io.github.limiterkit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;

/**
 * A connected socket on which one can wait for the first bytes of a reply without beginning to read
 * it. A reader who gives up in the middle of a reply would lose its place among the bytes; one who
 * gives up before it leaves everything to the next reader.
 *
 * <p>It stands in for the socket that Jedis asks for, so it passes on what Jedis calls.
 */
// Whoever closes it must not wait for a monitor; what is passed on is safe by itself.
@SuppressWarnings("UnsynchronizedOverridesSynchronized")
final class PatientSocket extends Socket {

  /** A time that does not come. */
  static final long NEVER = Long.MAX_VALUE;

  private static final int BUFFER_BYTES = 8_192;

  /** A socket waits for whole milliseconds. */
  private static final long LATE_NANOS = 1_000_000;

  private final Socket socket;
  private final Replies replies;

  /** How long a read waits unless there is a time to give up, and how long it would wait now. */
  private int patience;

  private int patienceNow;
  private long givingUpAt = NEVER;

  PatientSocket(Socket connected) throws IOException {
    super((SocketImpl) null);
    this.socket = connected;
    this.replies = new Replies(connected.getInputStream());
    this.patience = connected.getSoTimeout();
    this.patienceNow = patience;
  }

  /**
   * Waits until there is something to read, or the connection has ended, which reading will tell.
   *
   * @param untilNanos the end of the wait, by {@link System#nanoTime()}
   * @return false if it is over
   */
  boolean awaitBytes(long untilNanos) throws IOException {
    return replies.await(untilNanos);
  }

  /**
   * Has reading fail when a reply that has begun is not complete at some time. Whoever reads then
   * has lost the place, so the connection is of no more use.
   *
   * @param nanos the time, by {@link System#nanoTime()}, or {@link #NEVER}
   */
  void giveUpAt(long nanos) {
    givingUpAt = nanos;
  }

  @Override
  public InputStream getInputStream() {
    return replies;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return socket.getOutputStream();
  }

  @Override
  public void setSoTimeout(int millis) throws SocketException {
    patience = millis;
    waitFor(millis);
  }

  @Override
  public int getSoTimeout() {
    return patience;
  }

  /** Nearly all reads wait equally long, and a socket takes its time to be told. */
  private void waitFor(int millis) throws SocketException {
    if (millis != patienceNow) {
      socket.setSoTimeout(millis);
      patienceNow = millis;
    }
  }

  @Override
  public boolean isBound() {
    return socket.isBound();
  }

  @Override
  public boolean isConnected() {
    return socket.isConnected();
  }

  @Override
  public boolean isClosed() {
    return socket.isClosed();
  }

  @Override
  public boolean isInputShutdown() {
    return socket.isInputShutdown();
  }

  @Override
  public boolean isOutputShutdown() {
    return socket.isOutputShutdown();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** What has arrived and has not been read. */
  private final class Replies extends InputStream {
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int next;
    private int end;

    Replies(InputStream in) {
      this.in = in;
    }

    boolean await(long untilNanos) throws IOException {
      if (next < end) {
        return true;
      }
      try {
        next = 0;
        end = 0;
        end = Math.max(0, readUntil(untilNanos, buffer, 0, buffer.length));
        return true;
      } catch (SocketTimeoutException nothing) {
        return false;
      }
    }

    @Override
    public int read() throws IOException {
      return next < end || fill() ? buffer[next++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (next == end && (length >= buffer.length || !fill())) {
        return readUntil(givingUpAt, into, offset, length);
      }
      int count = Math.min(length, end - next);
      System.arraycopy(buffer, next, into, offset, count);
      next += count;
      return count;
    }

    /** Returns false at the end of the stream. */
    private boolean fill() throws IOException {
      next = 0;
      end = 0;
      end = Math.max(0, readUntil(givingUpAt, buffer, 0, buffer.length));
      return end > 0;
    }

    private int readUntil(long nanos, byte[] into, int offset, int length) throws IOException {
      if (nanos == NEVER) {
        waitFor(patience);
        return in.read(into, offset, length);
      }
      long left = nanos - System.nanoTime();
      if (left <= -LATE_NANOS) {
        throw new SocketTimeoutException("the reply comes too slowly");
      }
      waitFor((int) Math.max(1, (left + 999_999) / 1_000_000));
      return in.read(into, offset, length);
    }
  }
}
