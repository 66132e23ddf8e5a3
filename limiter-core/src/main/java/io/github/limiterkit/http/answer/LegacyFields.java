package io.github.limiterkit.http.answer;

/**
 * Whether answers also tell of the limit of which least is left in {@code X-RateLimit-Limit},
 * {@code X-RateLimit-Remaining} and {@code X-RateLimit-Reset}, which no standard defines.
 */
public enum LegacyFields {
  /** Not sent. */
  OFF,
  /** Sent, the reset in seconds since 1970 by this machine's clock, as GitHub does. */
  EPOCH,
  /** Sent, the reset in seconds from now. */
  DELTA
}
