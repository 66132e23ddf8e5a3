package io.github.limiterkit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Reads replies as Redis writes them (RESP2), one at a time and not a byte beyond, so that somebody
 * else can wait for the next. Refuses what is larger than any answer to the kit, before it makes
 * room for it. For one thread at a time.
 */
final class ReplyReader {

  private static final int MOST_BYTES = 1 << 20;
  private static final int MOST_PARTS = 100_000;
  private static final int MOST_DEPTH = 3;
  private static final int MOST_LINE = 4_096;
  private static final long MOST_NUMBER = Long.MAX_VALUE / 100;

  private final InputStream in;

  ReplyReader(InputStream in) {
    this.in = in;
  }

  /**
   * Reads the next reply.
   *
   * @return {@code byte[]}, {@code Long}, a list of such, or null for nil
   * @throws JedisDataException if it is an error of the server
   * @throws IOException if the connection ends or what comes is no such reply; it is of no more use
   */
  @Nullable Object read() throws IOException {
    Object reply = read(MOST_DEPTH);
    if (reply instanceof JedisDataException refused) {
      throw refused;
    }
    return reply;
  }

  private @Nullable Object read(int depth) throws IOException {
    int kind = readByte();
    return switch (kind) {
      case '+' -> line().getBytes(UTF_8);
      case '-' -> new JedisDataException(line());
      case ':' -> number();
      case '$' -> bytes(length(MOST_BYTES));
      case '*' -> list(length(MOST_PARTS), depth);
      default -> throw new IOException("not a reply of Redis: it begins with byte " + kind);
    };
  }

  private byte @Nullable [] bytes(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the connection ended in the middle of a reply");
    }
    if (readByte() != '\r' || readByte() != '\n') {
      throw new IOException("a string in a reply is longer than it said");
    }
    return bytes;
  }

  private @Nullable List<@Nullable Object> list(int length, int depth) throws IOException {
    if (length < 0) {
      return null;
    }
    if (depth == 0) {
      throw new IOException("a reply is nested more deeply than any of the kit's");
    }
    List<@Nullable Object> list = new ArrayList<>(Math.min(length, 16));
    for (int i = 0; i < length; i++) {
      list.add(read(depth - 1));
    }
    return list;
  }

  /** Nil has the length -1. */
  private int length(int most) throws IOException {
    long length = number();
    if (length < -1 || length > most) {
      throw new IOException("a reply says that it has " + length + " parts or bytes");
    }
    return (int) length;
  }

  private long number() throws IOException {
    int b = readByte();
    boolean negative = b == '-';
    long number = 0;
    for (b = negative ? readByte() : b; b >= '0' && b <= '9'; b = readByte()) {
      if (number > MOST_NUMBER) {
        throw new IOException("a number in a reply is larger than any of the kit's");
      }
      number = 10 * number + b - '0';
    }
    if (b != '\r' || readByte() != '\n') {
      throw new IOException("a number in a reply does not end well");
    }
    return negative ? -number : number;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(32);
    for (int b = readByte(); b != '\r'; b = readByte()) {
      line.write(b);
      if (line.size() > MOST_LINE) {
        throw new IOException("a line of a reply does not end");
      }
    }
    if (readByte() != '\n') {
      throw new IOException("a line of a reply does not end well");
    }
    return line.toString(UTF_8);
  }

  private int readByte() throws IOException {
    int b = in.read();
    if (b < 0) {
      throw new EOFException("the connection ended");
    }
    return b;
  }
}
