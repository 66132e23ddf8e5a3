package io.github.limiterkit.http;

import com.google.common.hash.Hashing;
import io.github.limiterkit.Ticker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds a key for every request: a key that is missing never means that there is no limit. */
final class KeyFinder {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");

  private static final int LONGEST_KEY = 256;
  private static final int LONGEST_KIND = 64;

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

  /** The key of a request; null if it lacks one and the policy refuses it for that. */
  @Nullable String find(HttpPolicy policy, RequestView request) {
    String key = find(policy, policy.key(), request);
    if (key == null && Keys.refuses(policy.key())) {
      return null;
    }
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
    return bounded(key);
  }

  /** A key of any length would be kept in memory at that length, as often as a client likes. */
  private static String bounded(String key) {
    if (key.length() <= LONGEST_KEY) {
      return key;
    }
    int colon = key.indexOf(':');
    String kind = colon > 0 && colon <= LONGEST_KIND ? key.substring(0, colon) : "key";
    return kind + "#" + Hashing.sha256().hashString(key, StandardCharsets.UTF_8);
  }

  private @Nullable String find(HttpPolicy policy, KeyResolver resolver, RequestView request) {
    if (resolver instanceof FirstKey two) {
      String key = find(policy, two.first(), request);
      return key == null ? find(policy, two.other(), request) : key;
    }
    if (resolver instanceof JoinedKey joined) {
      List<String> keys = new ArrayList<>(joined.parts().size());
      for (KeyResolver part : joined.parts()) {
        String key = find(policy, part, request);
        if (key == null) {
          return null;
        }
        keys.add(key);
      }
      return JoinedKey.join(keys);
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
