package io.github.limiterkit.setup;

import io.github.limiterkit.Ticker;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What somebody has to mend. An ERROR at once, then at most one a minute for each node while it
 * lasts, however many requests meet it. Safe for use by several threads.
 */
final class Alarms {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  /** What the store itself says comes in few words; more than this are not told apart. */
  private static final int MOST_WORDINGS = 16;

  private final Ticker ticker;
  private final Map<String, Raised> raised = new LinkedHashMap<>();
  private final Map<String, Long> unreadable = new LinkedHashMap<>();

  /** The last alarm of a place, and when each wording was last written to the log. */
  private record Raised(StoreException failure, long at, Map<String, Long> said) {

    StoreFault fault() {
      return failure.fault();
    }
  }

  Alarms(Ticker ticker) {
    this.ticker = ticker;
  }

  void raise(String node, StoreException failure) {
    if (note("store " + node, failure)) {
      log.error("{}: {}", "store " + node, advice(failure));
    }
  }

  /** This instance may not say that it is there. */
  void fleetUnknown(String node, StoreException failure) {
    if (note(heartbeatTo(node), failure)) {
      log.error("{}: {}", heartbeatTo(node), fleetUnknown(failure));
    }
  }

  /** It has said so. */
  synchronized void fleetKnown(String node) {
    raised.remove(heartbeatTo(node));
  }

  private static String heartbeatTo(String node) {
    return "heartbeat to store " + node;
  }

  void unreadable(String node, long states) {
    if (noteUnreadable(node)) {
      log.error(
          "store {}: {} counts could not be read and began anew; does something else write to the"
              + " kit's keys?",
          node,
          states);
    }
  }

  /** The node is in use again. */
  synchronized void clear(String node) {
    raised.computeIfPresent(
        "store " + node, (name, last) -> last.fault().concernsNode() ? null : last);
  }

  /** Node and fault; null if there is nothing to mend. */
  synchronized @Nullable String active() {
    long now = ticker.read();
    for (Map.Entry<String, Raised> entry : raised.entrySet()) {
      Raised last = entry.getValue();
      // What concerns single decisions has no end of its own; a minute without it is one.
      if (last.fault().concernsNode() || now - last.at() < MINUTE) {
        return entry.getKey()
            + ": "
            + (entry.getKey().startsWith("heartbeat")
                ? fleetUnknown(last.failure())
                : advice(last.failure()));
      }
    }
    return null;
  }

  private synchronized boolean note(String place, StoreException failure) {
    long now = ticker.read();
    Raised before = raised.get(place);
    Map<String, Long> said = before == null ? new HashMap<>() : before.said();
    raised.put(place, new Raised(failure, now, said));
    said.values().removeIf(at -> now - at >= MINUTE);
    return said.size() < MOST_WORDINGS && said.putIfAbsent(advice(failure), now) == null;
  }

  private synchronized boolean noteUnreadable(String node) {
    long now = ticker.read();
    Long said = unreadable.get(node);
    boolean say = said == null || now - said >= MINUTE;
    if (say) {
      unreadable.put(node, now);
    }
    return say;
  }

  private static String fleetUnknown(StoreException failure) {
    return ("the user may not do what the operations guide lists (%s), so the instances cannot be"
            + " counted; quotas are divided by the configured fleet size only")
        .formatted(failure.getMessage());
  }

  private static String advice(StoreException failure) {
    return switch (failure.fault()) {
      case AUTHENTICATION ->
          "the user or the password is wrong; limiting locally until that is mended";
      case PERMISSION ->
          ("the user may not do what the kit needs, which the operations guide lists (%s);"
                  + " limiting locally until that is mended")
              .formatted(failure.getMessage());
      case CROSS_SLOT -> "the keys of one decision live in different slots; decided locally";
      case SCRIPT -> "the script failed (%s); decided locally".formatted(failure.getMessage());
      default -> Words.word(failure.fault());
    };
  }
}
