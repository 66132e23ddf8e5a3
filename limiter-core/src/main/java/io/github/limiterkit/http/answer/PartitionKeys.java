package io.github.limiterkit.http.answer;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.github.limiterkit.Charge;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Writes the parameter {@code pk}, by which a client tells apart the quotas that it shares with
 * others: {@code ;pk=:3q2+7wABAgMEBQYH:}. Without the secret nothing can be told of the key.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class PartitionKeys {

  /** Writes nothing. */
  public static final PartitionKeys NONE = new PartitionKeys(null);

  /** The fewest characters of a secret. */
  public static final int SHORTEST_SECRET = 16;

  /** Enough that no two keys of a client meet. */
  private static final int BYTES = 12;

  private final @Nullable HashFunction mac;

  private PartitionKeys(@Nullable HashFunction mac) {
    this.mac = mac;
  }

  /**
   * With a secret, which all instances must have in common.
   *
   * @param secret at least {@value #SHORTEST_SECRET} characters
   * @return a writer
   * @throws IllegalArgumentException if it is shorter; the message does not repeat it
   */
  public static PartitionKeys of(String secret) {
    if (secret.length() < SHORTEST_SECRET) {
      throw new IllegalArgumentException(
          "the secret of partition keys has %d characters; write %d or more"
              .formatted(secret.length(), SHORTEST_SECRET));
    }
    return new PartitionKeys(Hashing.hmacSha256(secret.getBytes(StandardCharsets.UTF_8)));
  }

  /** Appends the parameter for what was charged, or nothing. */
  void appendTo(StringBuilder field, Charge charge) {
    if (mac != null) {
      byte[] code =
          mac.newHasher()
              .putString(charge.policy().name(), StandardCharsets.UTF_8)
              .putByte((byte) 0) // which no name has, so that the two cannot be shifted
              .putString(charge.key(), StandardCharsets.UTF_8)
              .hash()
              .asBytes();
      field
          .append(";pk=:")
          .append(Base64.getEncoder().encodeToString(Arrays.copyOf(code, BYTES)))
          .append(':');
    }
  }
}
