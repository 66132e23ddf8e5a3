package io.github.limiterkit.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Decodes the path of a request line for a framework that hands it over as it was sent. */
public final class RawPath {

  private RawPath() {}

  /**
   * Decodes percent signs, once.
   *
   * @param raw the path as it was sent, without query; null if there is none
   * @return the path as {@link RequestView#path} wants it; null if it is not UTF-8, holds a percent
   *     sign without two digits, or an encoded slash or backslash, which some would take for a
   *     separator and others not
   */
  public static @Nullable String decoded(@Nullable String raw) {
    if (raw == null || raw.indexOf('%') < 0) {
      return raw;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
    int from = 0;
    for (int at = raw.indexOf('%'); at >= 0; at = raw.indexOf('%', from)) {
      bytes.writeBytes(raw.substring(from, at).getBytes(StandardCharsets.UTF_8));
      int octet = octet(raw, at + 1);
      if (octet < 0 || octet == '/' || octet == '\\') {
        return null;
      }
      bytes.write(octet);
      from = at + 3;
    }
    bytes.writeBytes(raw.substring(from).getBytes(StandardCharsets.UTF_8));
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException notUtf8) {
      return null;
    }
  }

  private static int octet(String text, int at) {
    if (at + 1 >= text.length()) {
      return -1;
    }
    int high = hex(text.charAt(at));
    int low = hex(text.charAt(at + 1));
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  /** Character.digit would take the digits of any script. */
  private static int hex(char c) {
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }
}
