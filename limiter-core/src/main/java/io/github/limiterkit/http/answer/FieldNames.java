package io.github.limiterkit.http.answer;

/** The names of the fields that an answer carries. */
public final class FieldNames {

  /** The quotas that apply. */
  public static final String RATE_LIMIT_POLICY = "RateLimit-Policy";

  /** What is left of them. */
  public static final String RATE_LIMIT = "RateLimit";

  /** The quota of one limit, as of draft 06. */
  public static final String RATE_LIMIT_LIMIT = "RateLimit-Limit";

  /** What is left of it. */
  public static final String RATE_LIMIT_REMAINING = "RateLimit-Remaining";

  /** Seconds until there is more. */
  public static final String RATE_LIMIT_RESET = "RateLimit-Reset";

  /** The quota of one limit, as no standard says. */
  public static final String X_RATE_LIMIT_LIMIT = "X-RateLimit-Limit";

  /** What is left of it. */
  public static final String X_RATE_LIMIT_REMAINING = "X-RateLimit-Remaining";

  /** When there is more. */
  public static final String X_RATE_LIMIT_RESET = "X-RateLimit-Reset";

  /** Which fields scripts of other origins may read. */
  public static final String EXPOSE = "Access-Control-Expose-Headers";

  /** How long a refused client is to wait, in whole seconds. */
  public static final String RETRY_AFTER = "Retry-After";

  /** Keeps a refusal out of caches. */
  public static final String CACHE_CONTROL = "Cache-Control";

  /** Who decided; off by default. */
  public static final String LIMITER_SOURCE = "Limiter-Source";

  private FieldNames() {}
}
