package io.github.limiterkit.http;

import io.github.limiterkit.Ticker;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds a key for every request: a key that is missing never means that there is no limit. */
final class KeyFinder {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");

  private final LongAdder failures = new LongAdder();
  private final AtomicBoolean saidUnknown = new AtomicBoolean();
  private final LogGate gate;

  KeyFinder(Ticker ticker) {
    this.gate = new LogGate(ticker);
  }

  /** How often a resolver threw. */
  long failures() {
    return failures.sum();
  }

  String find(HttpPolicy policy, RequestView request) {
    String key = find(policy, policy.key(), request);
    if (key == null) {
      key = find(policy, Keys.clientAddress(), request);
    }
    if (key == null) {
      key = Keys.UNKNOWN_ADDRESS; // the adapter's own view failed
    }
    if (key.equals(Keys.UNKNOWN_ADDRESS) && saidUnknown.compareAndSet(false, true)) {
      log.warn(
          "a request of policy {} has no client address; all such requests count as one"
              + " client, under the key \"{}\"",
          policy.name(),
          Keys.UNKNOWN_ADDRESS);
    }
    return key;
  }

  private @Nullable String find(HttpPolicy policy, KeyResolver resolver, RequestView request) {
    if (resolver instanceof FirstKey two) {
      String key = find(policy, two.first(), request);
      return key == null ? find(policy, two.other(), request) : key;
    }
    try {
      String key = resolver.resolve(request);
      return key == null || key.isEmpty() ? null : key;
    } catch (RuntimeException thrown) {
      failures.increment();
      long kept = gate.pass();
      if (kept >= 0) {
        // Its message may quote the request, so only the kind of the exception is told.
        log.warn(
            "the key {} of policy {} threw {}; the next key counts ({} more since the"
                + " last such line)",
            Keys.describe(resolver),
            policy.name(),
            thrown.getClass().getName(),
            kept);
      }
      return null;
    }
  }
}
