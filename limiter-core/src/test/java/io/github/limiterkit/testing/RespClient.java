package io.github.limiterkit.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

/**
 * Sends one command and reads one reply, over a connection of its own, so that the harness does not
 * depend on the client that is under test.
 */
final class RespClient {

  private static final int CONNECT_MILLIS = 1_000;
  private static final int READ_MILLIS = 2_000;

  private final InputStream in;

  private RespClient(InputStream in) {
    this.in = in;
  }

  /** The reply as text; an error reply is thrown as {@link IllegalStateException}. */
  static String send(String host, int port, String... words) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(READ_MILLIS);
      socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
      socket.getOutputStream().write(request(words));
      return new RespClient(new BufferedInputStream(socket.getInputStream())).reply();
    }
  }

  private static byte[] request(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.UTF_8));
    for (String word : words) {
      byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
      out.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.UTF_8));
      out.writeBytes(bytes);
      out.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
    }
    return out.toByteArray();
  }

  private String reply() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+', ':' -> rest;
      case '-' -> throw new IllegalStateException("Redis answered: " + rest);
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> array(Integer.parseInt(rest));
      default -> throw new IOException("not a RESP reply: " + line);
    };
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return "(nil)";
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length || in.readNBytes(2).length < 2) {
      throw new EOFException("the reply was cut off");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private String array(int length) throws IOException {
    if (length < 0) {
      return "(nil)";
    }
    StringJoiner lines = new StringJoiner("\n");
    for (int i = 0; i < length; i++) {
      lines.add(reply());
    }
    return lines.toString();
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\r'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the connection was closed instead of a reply");
      }
      line.write(b);
    }
    if (in.read() != '\n' || line.size() == 0) {
      throw new IOException("not a RESP line: " + line);
    }
    return line.toString(StandardCharsets.UTF_8);
  }
}
