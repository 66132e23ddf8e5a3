package io.github.limiterkit.degraded;

import io.github.limiterkit.OperatorSwitch;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Source;
import io.github.limiterkit.local.LocalLimiter;
import io.github.limiterkit.local.LocalTable;
import io.github.limiterkit.testing.RateLimiterContract;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A kit without a store that an operator lets limit alone: nothing is different. */
class OverridingLimiterContractTest extends RateLimiterContract {

  private final AtomicLong nanos = new AtomicLong();

  @Override
  protected RateLimiter createLimiter() {
    LocalLimiter local = new LocalLimiter(nanos::get, LocalTable.DEFAULT_MAX_KEYS);
    OperatorOverride override = new OperatorOverride(nanos::get);
    override.set(OperatorSwitch.LOCAL_ONLY, OperatorOverride.LONGEST, "a test", "a test");
    return new OverridingLimiter(local, local, override);
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
