package io.github.limiterkit.redis;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of {@code redis://user:password@host:port/database}. No message of its errors, and no
 * text of its own, holds a password.
 */
record RedisUrl(
    String host,
    int port,
    boolean tls,
    int database,
    @Nullable String user,
    @Nullable String password) {

  private static final int DEFAULT_PORT = 6379;

  /** As in the RFC on URIs, but for underscores, which names of containers have. */
  private static final Pattern AUTHORITY =
      Pattern.compile("(?:([^@]*)@)?(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(?::([0-9]*))?");

  static RedisUrl parse(String text) {
    URI uri = uri(text);
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    String authority = uri.getRawAuthority();
    Matcher parts = AUTHORITY.matcher(authority == null ? "" : authority);
    if (!(scheme.equals("redis") || scheme.equals("rediss")) || !parts.matches()) {
      throw wrong(text, "write redis://host:6379, or rediss://host:6379 for TLS");
    }
    if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
      // Not quoted: somebody may have written a password there.
      throw wrong(
          text.substring(0, text.indexOf(uri.getRawQuery() != null ? '?' : '#')),
          "nothing may follow it after ? or #; user, password and database go before, as in"
              + " redis://user:password@host:6379/0");
    }
    String login = parts.group(1) == null ? "" : parts.group(1);
    int colon = login.indexOf(':');
    String host = parts.group(2);
    return new RedisUrl(
        host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
        port(text, parts.group(3)),
        scheme.equals("rediss"),
        database(text, uri.getPath()),
        decoded(colon < 0 ? login : login.substring(0, colon)),
        colon < 0 ? null : decoded(login.substring(colon + 1)));
  }

  /** Host and port, as the name of a node. */
  String node() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }

  /** Kind and address, without user and password. */
  @Override
  public String toString() {
    return (tls ? "rediss://" : "redis://") + node() + (database == 0 ? "" : "/" + database);
  }

  private static URI uri(String text) {
    try {
      return new URI(text.strip());
    } catch (URISyntaxException malformed) {
      // Without a cause: the exception quotes the whole text, and with it the password.
      throw wrong(text, "it is no URL; write redis://host:6379");
    }
  }

  private static int port(String text, @Nullable String digits) {
    if (digits == null || digits.isEmpty()) {
      return DEFAULT_PORT;
    }
    int port = digits.length() > 6 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    if (port < 1 || port > 65_535) {
      throw wrong(text, "port " + digits + " is outside 1 to 65535");
    }
    return port;
  }

  private static int database(String text, @Nullable String path) {
    if (path == null || path.isEmpty() || path.equals("/")) {
      return 0;
    }
    String number = path.substring(1);
    if (!number.matches("[0-9]{1,5}")) {
      throw wrong(text, "database \"" + number + "\" is not a number from 0 to 99999");
    }
    return Integer.parseInt(number);
  }

  private static @Nullable String decoded(String part) {
    return part.isEmpty()
        ? null
        : URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static IllegalArgumentException wrong(String text, String reason) {
    int at = text.lastIndexOf('@');
    int scheme = text.indexOf("://");
    String shown =
        at < 0
            ? text
            : (scheme < 0 ? "" : text.substring(0, scheme + 3)) + "…" + text.substring(at);
    return new IllegalArgumentException("store URL \"%s\": %s".formatted(shown, reason));
  }
}
