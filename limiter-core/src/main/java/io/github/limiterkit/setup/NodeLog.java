package io.github.limiterkit.setup;

import io.github.limiterkit.Mode;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.degraded.Transition;
import io.github.limiterkit.metrics.StoreCounters;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log when a node of the store is lost and when it is back, with a reason and with what
 * happened meanwhile. A node that comes and goes all the time fills no disk: after six lines in a
 * minute the rest are counted, and told in one.
 *
 * <p>Safe for use by several threads.
 */
final class NodeLog {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final int LINES_A_MINUTE = 6;

  private final Ticker ticker;
  private final StoreCounters counters;
  private final Map<String, Node> nodes = new HashMap<>();

  /** Tells what this instance gives out; null while the kit has not started, or is closed. */
  private volatile @Nullable Supplier<String> share;

  /** What was said of a node, and how much had been decided here when it was lost. */
  private static final class Node {
    private long began;
    private int said;
    private int kept;
    private Mode mode = Mode.DEGRADED;
    private @Nullable DecidedHere whenLost;

    Node(long began) {
      this.began = began;
    }
  }

  /** Decisions from this instance's memory so far. */
  private record DecidedHere(long all, long refused, long lowered) {

    static final DecidedHere NOTHING = new DecidedHere(0, 0, 0);

    static DecidedHere by(StoreCounters counters) {
      return new DecidedHere(
          counters.decidedHere(), counters.refusedHere(), counters.loweredRefusals());
    }

    DecidedHere since(DecidedHere before) {
      return new DecidedHere(all - before.all, refused - before.refused, lowered - before.lowered);
    }
  }

  NodeLog(Ticker ticker, StoreCounters counters) {
    this.ticker = ticker;
    this.counters = counters;
  }

  /** From now on changes are told, and first of all which nodes have not answered yet. */
  void begin(List<String> silent, Supplier<String> shareInWords) {
    share = shareInWords;
    for (String node : silent) {
      log.warn("store {} does not answer yet: {}", node, shareInWords.get());
    }
  }

  void end() {
    share = null;
  }

  void transition(Transition transition) {
    Supplier<String> words = share;
    if (words == null) {
      return;
    }
    if (transition.from() == Mode.SHARED) {
      if (lost(transition.node())) {
        log.warn("store {} is lost ({}): {}", transition.node(), transition.reason(), words.get());
      }
    } else if (transition.to() == Mode.SHARED) {
      String line = back(transition);
      if (line != null) {
        log.info("{}", line);
      }
    } else {
      log.debug("store {}: {} ({})", transition.node(), transition.to(), transition.reason());
    }
  }

  /** Tells of what was kept back, a minute after the first line. For a background thread. */
  synchronized void sayWhatWasKept() {
    long now = ticker.read();
    nodes.forEach(
        (name, node) -> {
          if (node.kept > 0 && now - node.began >= MINUTE) {
            log.warn(
                "store {} was lost and came back all the time, {} changes more than are told here;"
                    + " it is {} now",
                name,
                node.kept,
                node.mode == Mode.SHARED ? "back" : "lost");
            node.kept = 0;
          }
        });
  }

  /** Whether to say so. */
  private synchronized boolean lost(String name) {
    Node node = node(name);
    node.mode = Mode.DEGRADED;
    node.whenLost = DecidedHere.by(counters);
    return mayBeSaid(node);
  }

  /** What to say; null if nothing is to be said. */
  private synchronized @Nullable String back(Transition transition) {
    Node node = node(transition.node());
    DecidedHere before = node.whenLost;
    node.mode = Mode.SHARED;
    node.whenLost = null;
    return mayBeSaid(node) ? back(transition, before) : null;
  }

  private String back(Transition transition, @Nullable DecidedHere before) {
    DecidedHere meanwhile =
        DecidedHere.by(counters).since(before == null ? DecidedHere.NOTHING : before);
    return String.format(
        Locale.ROOT,
        "store %s %s after %s: limiting together; %,d decided here meanwhile, %,d of them refused,"
            + " %,d by the lowered limit alone",
        transition.node(),
        before == null ? "answers" : "is back",
        seconds(transition.lasted().toMillis()),
        meanwhile.all(),
        meanwhile.refused(),
        meanwhile.lowered());
  }

  private Node node(String name) {
    return nodes.computeIfAbsent(name, absent -> new Node(ticker.read()));
  }

  private boolean mayBeSaid(Node node) {
    long now = ticker.read();
    if (node.kept == 0 && now - node.began >= MINUTE) {
      node.began = now;
      node.said = 0;
    }
    if (node.said < LINES_A_MINUTE) {
      node.said++;
      return true;
    }
    node.kept++;
    return false;
  }

  private static String seconds(long millis) {
    return millis < 10_000
        ? String.format(Locale.ROOT, "%.1f s", millis / 1_000.0)
        : millis / 1_000 + " s";
  }
}
