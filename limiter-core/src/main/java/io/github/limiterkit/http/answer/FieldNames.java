package io.github.limiterkit.http.answer;

/** The names of the fields that an answer carries. */
public final class FieldNames {

  /** The quotas that apply. */
  public static final String RATE_LIMIT_POLICY = "RateLimit-Policy";

  /** What is left of them. */
  public static final String RATE_LIMIT = "RateLimit";

  /** How long a refused client is to wait, in whole seconds. */
  public static final String RETRY_AFTER = "Retry-After";

  /** Keeps a refusal out of caches. */
  public static final String CACHE_CONTROL = "Cache-Control";

  /** Who decided; off by default. */
  public static final String LIMITER_SOURCE = "Limiter-Source";

  private FieldNames() {}
}
