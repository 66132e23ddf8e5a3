package io.github.limiterkit.examples.outagereplay;

import jakarta.servlet.Filter;

/** The limiter of one instance. */
interface Protection extends AutoCloseable {

  /** The field of a request that names its client. */
  String CLIENT = "X-Client";

  /** The status of a request that is over its limit. */
  int TOO_MANY = 429;

  /** What stands before the API. */
  Filter filter();

  /** Whether it counts in the store now; false while it decides without. */
  boolean countsInStore();

  @Override
  void close();
}
