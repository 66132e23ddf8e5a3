package io.github.limiterkit.redis;

import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Names what went wrong. Jedis has classes for few of the server's errors, so the text decides: its
 * first word, and for what a script was refused inside also the rest.
 */
final class Faults {

  private static final Map<String, StoreFault> BY_FIRST_WORD =
      Map.ofEntries(
          Map.entry("READONLY", StoreFault.READONLY),
          Map.entry("LOADING", StoreFault.LOADING),
          Map.entry("OOM", StoreFault.OUT_OF_MEMORY),
          Map.entry("BUSY", StoreFault.BUSY),
          Map.entry("MISCONF", StoreFault.MISCONFIGURED),
          Map.entry("NOREPLICAS", StoreFault.NO_REPLICAS),
          Map.entry("MASTERDOWN", StoreFault.MASTER_DOWN),
          Map.entry("CLUSTERDOWN", StoreFault.CLUSTER_DOWN),
          Map.entry("NOAUTH", StoreFault.AUTHENTICATION),
          Map.entry("WRONGPASS", StoreFault.AUTHENTICATION),
          Map.entry("NOPERM", StoreFault.PERMISSION),
          Map.entry("CROSSSLOT", StoreFault.CROSS_SLOT),
          Map.entry("TRYAGAIN", StoreFault.TRY_AGAIN));

  /** The kit's scripts say first which of their commands failed. */
  private static final Pattern IN_SCRIPT = Pattern.compile("^[A-Z]+( or [A-Z]+)?: ");

  private Faults() {}

  /** What an error reply of the server means. */
  static StoreException ofServerMessage(String message) {
    return new StoreException(classify(message), firstWords(message));
  }

  /** What an exception of Jedis means, from a call or from making a connection. */
  static StoreException of(JedisException failure) {
    return failure instanceof JedisDataException
        ? ofServerMessage(String.valueOf(failure.getMessage()))
        : ofBrokenReply(failure);
  }

  /** As {@link #of}, where there is no connection afterwards. */
  static StoreException whileConnecting(JedisException failure) {
    StoreException fault = of(failure);
    return fault.fault() == StoreFault.RESET || fault.fault() == StoreFault.SCRIPT
        ? new StoreException(StoreFault.UNREACHABLE, String.valueOf(fault.getMessage()))
        : fault;
  }

  /** What it means that a reply could not be read to its end, whatever it failed with. */
  static StoreException ofBrokenReply(Throwable failure) {
    if (failure instanceof StoreException known) {
      return known;
    }
    return new StoreException(
        StoreFault.RESET,
        firstWords(failure.getClass().getSimpleName() + ": " + failure.getMessage()));
  }

  /**
   * Whether another connection may be answered otherwise: by now the name of the server may lead to
   * its successor, while the old one keeps its connections open, and the password may have changed.
   */
  static boolean endsConnection(StoreFault fault) {
    return switch (fault) {
      case READONLY, MASTER_DOWN, NO_REPLICAS, AUTHENTICATION -> true;
      default -> false;
    };
  }

  static boolean isNoScript(Object reply) {
    return reply instanceof JedisDataException failure
        && String.valueOf(failure.getMessage()).startsWith("NOSCRIPT");
  }

  private static StoreFault classify(String text) {
    String message = IN_SCRIPT.matcher(text).replaceFirst("");
    int space = message.indexOf(' ');
    String word = space < 0 ? message : message.substring(0, space);
    StoreFault known = BY_FIRST_WORD.get(word);
    if (known != null) {
      return known;
    }
    String rest = message.toLowerCase(Locale.ROOT);
    if (rest.contains("max number of clients")) {
      return StoreFault.TOO_MANY_CLIENTS;
    }
    // "ERR AUTH <password> called without any password configured", "ERR invalid password"
    if (rest.contains("password")) {
      return StoreFault.AUTHENTICATION;
    }
    // A command or key that is refused inside a script comes without NOPERM in front.
    if (rest.contains("can't run this command")
        || rest.contains("can't access")
        || rest.contains("no permissions")
        || rest.contains("noperm")) {
      return StoreFault.PERMISSION;
    }
    // Before Redis 7 a script that fails brings the server's own word in the middle of the text.
    for (Map.Entry<String, StoreFault> known7 : BY_FIRST_WORD.entrySet()) {
      if (message.contains("-" + known7.getKey() + " ")) {
        return known7.getValue();
      }
    }
    return StoreFault.SCRIPT;
  }

  /** Enough for an operator, without the key or the script that may follow. */
  private static String firstWords(String message) {
    String line = message.lines().findFirst().orElse("");
    return line.length() > 120 ? line.substring(0, 120) + "…" : line;
  }
}
