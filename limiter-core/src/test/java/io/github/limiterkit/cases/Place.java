package io.github.limiterkit.cases;

/** Where a case is counted. */
enum Place {
  MEMORY,
  REDIS
}
