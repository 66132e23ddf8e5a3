package io.github.limiterkit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What stands for a key of any length: hashed once, where it comes in, so that nothing behind it
 * pays for what a client made long.
 */
final class LongKey {

  /** The longest key that is kept as it is, in characters. */
  static final int LONGEST = 256;

  /** No kind of key begins so, and what stands for a key stands for itself. */
  private static final String MARK = "\0sha-256:";

  private LongKey() {}

  /** The key itself unless it is long. */
  static String bounded(String key) {
    return key.length() <= LONGEST ? key : MARK + HexFormat.of().formatHex(digest(key));
  }

  private static byte[] digest(String key) {
    return isNarrow(key)
        ? digest((byte) 1, key.getBytes(StandardCharsets.ISO_8859_1))
        : digest((byte) 2, wide(key));
  }

  private static boolean isNarrow(String key) {
    for (int i = 0; i < key.length(); i++) {
      if (key.charAt(i) > 0xFF) {
        return false;
      }
    }
    return true;
  }

  /** Two bytes a character. Not UTF-8: it would turn all lone surrogates into one question mark. */
  private static byte[] wide(String key) {
    char[] characters = new char[key.length()];
    key.getChars(0, characters.length, characters, 0);
    ByteBuffer bytes = ByteBuffer.allocate(2 * characters.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asCharBuffer().put(characters);
    return bytes.array();
  }

  private static byte[] digest(byte bytesPerCharacter, byte[] characters) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(bytesPerCharacter);
      return sha256.digest(characters);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
