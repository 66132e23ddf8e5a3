package io.github.limiterkit.redis;

import com.google.common.hash.Hashing;
import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/**
 * The one script of the kit, {@code decide.lua}: its text and the name under which Redis keeps it.
 */
final class DecideScript {

  static final byte[] TEXT = read();
  static final byte[] SHA = sha1(TEXT).getBytes(StandardCharsets.US_ASCII);

  private DecideScript() {}

  private static byte[] read() {
    URL resource = Resources.getResource(DecideScript.class, "decide.lua");
    try {
      return Resources.toByteArray(resource);
    } catch (IOException broken) {
      throw new UncheckedIOException("cannot read " + resource, broken);
    }
  }

  // Redis names scripts by SHA-1; nothing here depends on its strength.
  @SuppressWarnings("deprecation")
  private static String sha1(byte[] text) {
    return Hashing.sha1().hashBytes(text).toString();
  }
}
