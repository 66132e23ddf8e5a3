package io.github.limiterkit.http;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says on whose account a request is counted.
 *
 * <p>The stock resolvers are in {@link Keys}, and so is {@link Keys#custom}, which keeps a user's
 * own keys apart from all others. A resolver written as a bare lambda must do that itself: its keys
 * begin with a word for their kind and a colon, as in {@code tenant:acme}, whatever the client
 * sent.
 *
 * <p>Implementations are safe for use by several threads, do not block, and may throw: a resolver
 * that throws has found no key.
 */
@FunctionalInterface
public interface KeyResolver {

  /**
   * Finds the key.
   *
   * @param request whose key is wanted
   * @return the key, not to be shown or logged; null or empty if the request has none, and then the
   *     next resolver is asked, in the end the client's address
   */
  @Nullable String resolve(RequestView request);

  /**
   * Whether the key can be known only after the user is authenticated. Where authentication is a
   * step of its own, such policies are asked after it, and all others before it.
   *
   * @return true by default, for nobody knows what a lambda looks at
   */
  default boolean needsPrincipal() {
    return true;
  }

  /**
   * Asks another resolver if this one finds no key.
   *
   * @param other whom to ask then
   * @return both
   */
  default KeyResolver orElse(KeyResolver other) {
    return new FirstKey(this, other);
  }

  /**
   * Joins another key to this one: each pair of the two counts by itself, as in {@code
   * principal().and(clientAddress())}. A request that lacks one of them has no key.
   *
   * @param other what else to count by
   * @return both as one
   */
  default KeyResolver and(KeyResolver other) {
    return new JoinedKey(List.of(this, Objects.requireNonNull(other, "other")));
  }
}
