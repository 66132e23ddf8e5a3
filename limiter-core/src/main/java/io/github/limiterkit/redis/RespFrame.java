package io.github.limiterkit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * A command as Redis reads it, in one piece. Jedis would wrap each argument in an object of its own
 * first, which costs more than all the bytes do.
 */
final class RespFrame {

  private static final int LONGEST_NUMBER = 10;
  private static final int MARK_AND_LINE_ENDS = 5;

  private final byte[] bytes;
  private int size;

  private RespFrame(int capacity) {
    this.bytes = new byte[capacity];
  }

  /** Writes a command and its arguments down. */
  static RespFrame of(byte[] command, byte[][] arguments) {
    int capacity = (arguments.length + 2) * (LONGEST_NUMBER + MARK_AND_LINE_ENDS) + command.length;
    for (byte[] argument : arguments) {
      capacity += argument.length;
    }
    RespFrame frame = new RespFrame(capacity);
    frame.count('*', arguments.length + 1);
    frame.text(command);
    for (byte[] argument : arguments) {
      frame.text(argument);
    }
    return frame;
  }

  /** What is sent, in its first {@link #size} bytes. */
  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  private void text(byte[] text) {
    count('$', text.length);
    System.arraycopy(text, 0, bytes, size, text.length);
    size += text.length;
    endLine();
  }

  private void count(char mark, int number) {
    bytes[size++] = (byte) mark;
    if (number < 10) {
      bytes[size++] = (byte) ('0' + number);
    } else {
      byte[] digits = Integer.toString(number).getBytes(US_ASCII);
      System.arraycopy(digits, 0, bytes, size, digits.length);
      size += digits.length;
    }
    endLine();
  }

  private void endLine() {
    bytes[size++] = '\r';
    bytes[size++] = '\n';
  }
}
