package io.github.limiterkit.redis;

import com.google.common.hash.Hashing;
import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A script of the kit: its text and the name under which Redis keeps it. */
final class Script {

  /** Decides. */
  static final Script DECIDE = read("decide.lua");

  /** Hears of instances, and counts them. */
  static final Script FLEET = read("fleet.lua");

  /** What a connection must know before it is used. */
  static final List<Script> ALL = List.of(DECIDE, FLEET);

  private final byte[] text;
  private final byte[] sha;

  private Script(byte[] text) {
    this.text = text;
    this.sha = sha1(text).getBytes(StandardCharsets.US_ASCII);
  }

  /** Not to be changed. */
  byte[] text() {
    return text;
  }

  /** Not to be changed. */
  byte[] sha() {
    return sha;
  }

  private static Script read(String name) {
    URL resource = Resources.getResource(Script.class, name);
    try {
      return new Script(Resources.toByteArray(resource));
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
