package io.github.limiterkit.redis;

import java.nio.ByteBuffer;

/** The figures of the script's answer, by place; and the other way, what the script is told. */
final class Figures {

  static final int LONG_BYTES = 6;
  static final int SHORT_BYTES = 2;

  /** The clock, and how many states were replaced. */
  static final int BEFORE_PARTS = LONG_BYTES + SHORT_BYTES;

  /** Of one limit: admitted, units before, wait for the next unit, for room, birth, fleet. */
  static final int PER_LIMIT = SHORT_BYTES + 5 * LONG_BYTES;

  private final ByteBuffer bytes;

  Figures(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  long stampMillis() {
    return longAt(0);
  }

  /** How many states were replaced because they could not be read. */
  int replaced() {
    return shortAt(LONG_BYTES);
  }

  int shortAt(int place) {
    return Short.toUnsignedInt(bytes.getShort(place));
  }

  long longAt(int place) {
    return ((long) shortAt(place) << 32) | Integer.toUnsignedLong(bytes.getInt(place + 2));
  }

  static void putLong(ByteBuffer buffer, long value) {
    buffer.putShort((short) (value >>> 32)).putInt((int) value);
  }
}
