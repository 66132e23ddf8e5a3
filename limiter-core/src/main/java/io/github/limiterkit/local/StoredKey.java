package io.github.limiterkit.local;

import com.google.common.hash.Hashing;

/** What is kept of a key, so that nobody can fill the memory with long ones. */
final class StoredKey {

  private StoredKey() {}

  /** The key as it is stored: a string, or a hash, which no string can equal. */
  static Object of(String key) {
    // Hashes the characters, because UTF-8 has but one replacement for all lone surrogates.
    return exceeds(key, LocalTable.MAX_KEY_BYTES) ? Hashing.sha256().hashUnencodedChars(key) : key;
  }

  private static boolean exceeds(String key, int bytes) {
    if (3 * (long) key.length() <= bytes) {
      return false;
    }
    int count = key.length();
    for (int i = 0; i < key.length() && count <= bytes; i++) {
      char c = key.charAt(i);
      if (c >= 0x80) {
        count += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
      }
    }
    return count > bytes;
  }
}
