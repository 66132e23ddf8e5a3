package io.github.limiterkit.degraded;

import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;

/** Samples as a store would report them. */
final class Samples {

  private Samples() {}

  static Sample failed(StoreFault fault) {
    return new Sample(FakeStore.NODE, 1, new StoreException(fault, "in a test"), false);
  }
}
