package io.github.limiterkit.redis;

import com.google.common.base.Preconditions;
import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.github.limiterkit.Limit;
import io.github.limiterkit.Policy;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Names of the keys in Redis: {@code {namespace:policy:subject}:1:60000}.
 *
 * <p>All limits of one charge share the hash tag in braces, and so a slot. After it come the
 * version of the state's format and the window in milliseconds, so that two releases, or two
 * windows, live side by side during a roll-out. A policy and a namespace cannot contain a colon or
 * a brace, and an encoded subject neither, so different triples have different names.
 */
final class KeyNames {

  private static final String FORMAT = "1";
  static final int LONGEST_SUBJECT = 200;
  private static final int HASH_BYTES = 16;

  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final String namespace;
  private final @Nullable HashFunction hash;

  private KeyNames(String namespace, @Nullable HashFunction hash) {
    this.namespace = namespace;
    this.hash = hash;
  }

  /**
   * Subjects are stored as 128 bits of SHA-256: an address or an API key is not there to be read.
   */
  static KeyNames hashed(String namespace) {
    return new KeyNames(namespace, Hashing.sha256());
  }

  /** As {@link #hashed}, but nobody can try out all addresses who does not have the secret. */
  static KeyNames hashedWith(String namespace, byte[] secret) {
    Preconditions.checkArgument(secret.length > 0, "the secret for hashing keys is empty");
    return new KeyNames(namespace, Hashing.hmacSha256(secret.clone()));
  }

  /** Subjects can be read in Redis. */
  static KeyNames readable(String namespace) {
    return new KeyNames(namespace, null);
  }

  /** What stands for a subject, also where the keys themselves are readable. */
  String hashOf(String subject) {
    return digest(subject, hash == null ? Hashing.sha256() : hash);
  }

  /** The part that all limits of one charge share. */
  String tag(Policy policy, String subject) {
    String stored = hash == null ? escape(subject) : digest(subject, hash);
    return "{" + namespace + ":" + policy.name() + ":" + stored + "}:" + FORMAT + ":";
  }

  /** The key of one limit. */
  static String key(String tag, Limit limit) {
    return tag + limit.windowMillis();
  }

  /** The keys that say which instances there are; together in one slot, apart from all policies. */
  String fleet(String what) {
    return "{" + namespace + ":limiterkit-fleet:}:" + FORMAT + ":" + what;
  }

  private static String digest(String subject, HashFunction function) {
    // Not UTF-8: it would turn all lone surrogates into one question mark.
    byte[] chars = new byte[2 * subject.length()];
    for (int i = 0; i < subject.length(); i++) {
      chars[2 * i] = (byte) subject.charAt(i);
      chars[2 * i + 1] = (byte) (subject.charAt(i) >>> 8);
    }
    byte[] digest = function.hashBytes(chars).asBytes();
    return BASE64.encodeToString(Arrays.copyOf(digest, HASH_BYTES));
  }

  private static String escape(String subject) {
    if (subject.length() > LONGEST_SUBJECT) {
      return "%" + digest(subject, Hashing.sha256());
    }
    StringBuilder text = new StringBuilder(subject.length() + 16);
    for (int i = 0; i < subject.length(); i++) {
      append(text, subject, i);
    }
    return text.length() > LONGEST_SUBJECT
        ? "%" + digest(subject, Hashing.sha256())
        : text.toString();
  }

  private static void append(StringBuilder text, String subject, int i) {
    char c = subject.charAt(i);
    if (isPlain(c)) {
      text.append(c);
    } else if (c < 0x80) {
      text.append('%').append(hex(c >> 4)).append(hex(c));
    } else {
      // One UTF-16 unit at a time, so that a lone surrogate keeps its own name.
      text.append("%u");
      for (int shift = 12; shift >= 0; shift -= 4) {
        text.append(hex(c >> shift));
      }
    }
  }

  private static boolean isPlain(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "-._~@=/".indexOf(c) >= 0;
  }

  private static char hex(int value) {
    return "0123456789ABCDEF".charAt(value & 0xF);
  }
}
