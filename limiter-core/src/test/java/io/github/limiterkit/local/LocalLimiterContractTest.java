package io.github.limiterkit.local;

import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import io.github.limiterkit.testing.RateLimiterContract;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

class LocalLimiterContractTest extends RateLimiterContract {

  private final AtomicLong nanos = new AtomicLong();

  @Override
  protected RateLimiter createLimiter() {
    return new LocalLimiter(nanos::get, LocalTable.DEFAULT_MAX_KEYS);
  }

  @Override
  protected Source source() {
    return Source.LOCAL;
  }

  @Override
  protected void advance(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
