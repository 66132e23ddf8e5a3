package io.github.limiterkit.setup;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Ticker;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log under attack who is refused most: one line a minute at most, whatever comes, and
 * never a key, but what stands for it in the names of the store's keys. So whoever suspects a key
 * can hash it and compare, and whoever reads the log learns of nobody.
 */
final class AttackLog {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  /** A limit that refuses now and then is at work and under no attack. */
  static final int LEAST_REFUSALS = 100;

  private static final int MOST_KEYS = 5;

  private final Ticker ticker;
  private final UnaryOperator<String> hash;
  private final Set<String> triedOut;
  private final RefusedKeys refused = new RefusedKeys();
  private long began;

  /**
   * Creates it.
   *
   * @param hash what stands for a key
   * @param triedOut policies that refuse nobody
   */
  AttackLog(Ticker ticker, UnaryOperator<String> hash, Set<String> triedOut) {
    this.ticker = ticker;
    this.hash = hash;
    this.triedOut = Set.copyOf(triedOut);
    this.began = ticker.read();
  }

  void refused(Charge charge) {
    String policy = charge.policy().name();
    if (!triedOut.contains(policy)) {
      refused.add(policy, charge.key());
    }
  }

  /** Writes the line if it is due. For one thread, now and then. */
  void sayIfDue() {
    long now = ticker.read();
    if (now - began < MINUTE) {
      return;
    }
    began = now;
    long total = refused.total();
    if (total >= LEAST_REFUSALS) {
      log.info("{}", line(total));
    }
    refused.forget();
  }

  private String line(long total) {
    // Who has less than one in a hundred is lost among the others.
    String most =
        refused.most().stream()
            .filter(key -> key.atLeast() * 100 >= total)
            .limit(MOST_KEYS)
            .map(this::words)
            .collect(Collectors.joining(", "));
    return String.format(Locale.ROOT, "%,d refusals in the last minute; ", total)
        + (most.isEmpty() ? "no key has many of them" : "most of them: " + most);
  }

  private String words(RefusedKeys.Refused key) {
    return String.format(
        Locale.ROOT,
        "%s %s %,d or more",
        key.who().policy(),
        hash.apply(key.who().key()),
        key.atLeast());
  }
}
