package io.github.limiterkit.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One connection that writes and reads bytes as they are: no client library tidies them up. */
public final class RawHttp implements Closeable {

  private static final int PATIENCE_MILLIS = 10_000;

  private final Closeable connection;
  private final InputStream in;
  private final OutputStream out;

  private RawHttp(Closeable connection, InputStream in, OutputStream out) {
    this.connection = connection;
    this.in = new BufferedInputStream(in);
    this.out = out;
  }

  /** Connects to this machine. */
  public static RawHttp connect(int port) {
    return connect("127.0.0.1", "127.0.0.1", port);
  }

  /** Connects from one of the addresses of this machine to another. */
  public static RawHttp connect(String from, String to, int port) {
    try {
      Socket socket = new Socket();
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.setTcpNoDelay(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
      socket.connect(new InetSocketAddress(InetAddress.getByName(to), port), PATIENCE_MILLIS);
      return new RawHttp(socket, socket.getInputStream(), socket.getOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Connects to a Unix domain socket. */
  public static RawHttp connect(Path socket) {
    try {
      SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
      return new RawHttp(
          channel, Channels.newInputStream(channel), Channels.newOutputStream(channel));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A request on a connection of its own. */
  public static Reply get(int port, String path, String... headers) {
    return once(port, "GET", path, headers);
  }

  /** A request on a connection of its own. */
  public static Reply once(int port, String method, String path, String... headers) {
    try (RawHttp http = connect(port)) {
      return http.ask(method, path, headers);
    }
  }

  /** Sends a request without a body and reads the reply. */
  public Reply ask(String method, String path, String... headers) {
    StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: test\r\n");
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    write(request.append("\r\n").toString());
    return read(method.equals("HEAD"));
  }

  /** Sends text as it is, one byte per character. */
  public void write(String text) {
    try {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As {@link #write}, for what the other side need not read to the end. */
  public void writeUntilHungUp(String text) {
    try {
      write(text);
    } catch (UncheckedIOException hungUp) {
      // It has said what it had to say.
    }
  }

  /** Reads a reply with its body, unless it is one to HEAD. */
  public Reply read(boolean head) {
    try {
      String statusLine = line();
      List<String> headers = new ArrayList<>();
      for (String line = line(); !line.isEmpty(); line = line()) {
        headers.add(line);
      }
      int status = Integer.parseInt(statusLine.split(" ", 3)[1]);
      Reply reply = new Reply(status, List.copyOf(headers), "");
      boolean bare = head || status == 204 || status == 304 || status < 200;
      return bare ? reply : new Reply(status, reply.headers(), body(reply));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String body(Reply reply) throws IOException {
    if (reply.all("Transfer-Encoding").contains("chunked")) {
      return latin(chunks());
    }
    List<String> length = reply.all("Content-Length");
    return latin(length.isEmpty() ? in.readAllBytes() : bytes(Integer.parseInt(length.get(0))));
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int size = size(); size > 0; size = size()) {
      body.write(bytes(size));
      line();
    }
    String trailer = line();
    if (!trailer.isEmpty()) {
      throw new AssertionError("nothing here sends trailers, but this came: " + trailer);
    }
    return body.toByteArray();
  }

  private int size() throws IOException {
    return Integer.parseInt(line().split(";", 2)[0].strip(), 16);
  }

  private byte[] bytes(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("only " + bytes.length + " of " + length + " bytes");
    }
    return bytes;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the connection ended after \"" + line + "\"");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What came back: the header lines as written, and the body, one character per byte. */
  public record Reply(int status, List<String> headers, String body) {

    /** The values of a field, one per line. */
    public List<String> all(String name) {
      return headers.stream()
          .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
          .map(line -> line.substring(name.length() + 1).strip())
          .toList();
    }

    /** The value of a field that has one line; null if it has none. */
    public @Nullable String one(String name) {
      List<String> values = all(name);
      if (values.size() > 1) {
        throw new AssertionError(name + " has several lines: " + values);
      }
      return values.isEmpty() ? null : values.get(0);
    }
  }
}
