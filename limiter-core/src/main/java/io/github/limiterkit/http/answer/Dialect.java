package io.github.limiterkit.http.answer;

import java.util.Locale;

/**
 * In which form answers tell of limits. One at a time: the drafts use the same names of fields for
 * different things. {@code Retry-After} is sent in all of them.
 */
public enum Dialect {
  /**
   * As of draft-ietf-httpapi-ratelimit-headers 08 to 11, every policy by its name: {@code
   * RateLimit-Policy: "p";q=100;w=60} and {@code RateLimit: "p";r=50;t=30}.
   */
  DRAFT_11,
  /**
   * As of draft 07, only the limit of which least is left: {@code RateLimit-Policy: 100;w=60} and
   * {@code RateLimit: limit=100, remaining=50, reset=30}.
   */
  DRAFT_07,
  /**
   * As of draft 06, only the limit of which least is left: {@code RateLimit-Policy: 100;w=60},
   * {@code RateLimit-Limit: 100}, {@code RateLimit-Remaining: 50} and {@code RateLimit-Reset: 30}.
   */
  DRAFT_06,
  /** Nothing. */
  NONE;

  /**
   * How the configuration writes it.
   *
   * @return the word, as in {@code draft-11}
   */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
