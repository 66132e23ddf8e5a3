package io.github.limiterkit.benchmarks;

/** A contender did not do the work that it is measured at, so its figures mean nothing. */
final class NotLimitingException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  NotLimitingException(String message) {
    super(message);
  }
}
