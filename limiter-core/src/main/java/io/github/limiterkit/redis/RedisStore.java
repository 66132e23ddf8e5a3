package io.github.limiterkit.redis;

import io.github.limiterkit.store.SharedStore;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the shared counter lives and how it is spoken to. Redis 6.2 or newer, or Valkey; Jedis 5.2
 * or newer must be on the class path when the store is opened.
 *
 * <pre>{@code
 * RedisStore store =
 *     RedisStore.at("redis://localhost:6379").namespace("shop").deadline(Duration.ofMillis(50));
 * }</pre>
 *
 * <p>Immutable: each setting gives a new object. Nothing is connected before the kit starts, and an
 * unreachable server is no error here: the kit then limits locally until the server appears.
 */
public final class RedisStore {

  /** The default time for one decision: 50 ms. */
  public static final Duration DEFAULT_DEADLINE = Duration.ofMillis(50);

  private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Duration LONGEST_DEADLINE = Duration.ofSeconds(10);
  private static final int DEFAULT_PORT = 6379;

  private final String host;
  private final int port;
  private final boolean tls;
  private final int database;
  private final @Nullable String user;
  private final Supplier<@Nullable String> password;
  private final String namespace;
  private final Function<String, KeyNames> keyNames;
  private final Duration deadline;

  private RedisStore(
      String host,
      int port,
      boolean tls,
      int database,
      @Nullable String user,
      Supplier<@Nullable String> password,
      String namespace,
      Function<String, KeyNames> keyNames,
      Duration deadline) {
    this.host = host;
    this.port = port;
    this.tls = tls;
    this.database = database;
    this.user = user;
    this.password = password;
    this.namespace = namespace;
    this.keyNames = keyNames;
    this.deadline = deadline;
  }

  /**
   * Names the server.
   *
   * @param url {@code redis://user:password@host:port/database}, or {@code rediss://} for TLS;
   *     user, password, port (6379) and database (0) may be left out
   * @return settings with the namespace {@code limiterkit} and a deadline of 50 ms
   * @throws IllegalArgumentException if it is not of that form; the message holds no password
   */
  public static RedisStore at(String url) {
    URI uri = parse(url);
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    String host = uri.getHost();
    if (!(scheme.equals("redis") || scheme.equals("rediss")) || host == null) {
      throw wrongUrl(url, "write redis://host:6379, or rediss://host:6379 for TLS");
    }
    if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
      // Not quoted: somebody may have written a password there.
      throw wrongUrl(
          url.substring(0, url.indexOf(uri.getRawQuery() != null ? '?' : '#')),
          "nothing may follow it after ? or #; user, password and database go before, as in"
              + " redis://user:password@host:6379/0");
    }
    int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
    if (port < 1 || port > 65_535) {
      throw wrongUrl(url, "port " + port + " is outside 1 to 65535");
    }
    String userInfo = uri.getRawUserInfo();
    String user = null;
    String password = null;
    if (userInfo != null) {
      int colon = userInfo.indexOf(':');
      user = emptyToNull(decode(colon < 0 ? userInfo : userInfo.substring(0, colon)));
      password = colon < 0 ? null : emptyToNull(decode(userInfo.substring(colon + 1)));
    }
    String fixedPassword = password;
    return new RedisStore(
        host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
        port,
        scheme.equals("rediss"),
        database(url, uri.getPath()),
        user,
        () -> fixedPassword,
        "limiterkit",
        KeyNames::hashed,
        DEFAULT_DEADLINE);
  }

  /**
   * Keeps two services on one server apart.
   *
   * @param namespace 1 to 64 of {@code A-Z a-z 0-9 . _ -}; first part of every key
   * @return settings with it
   * @throws IllegalArgumentException if it is not of that form
   */
  public RedisStore namespace(String namespace) {
    if (!NAMESPACE.matcher(namespace).matches()) {
      throw new IllegalArgumentException(
          "store namespace \"%s\" does not match %s".formatted(namespace, NAMESPACE.pattern()));
    }
    return new RedisStore(host, port, tls, database, user, password, namespace, keyNames, deadline);
  }

  /**
   * Sets the time that one decision may take in all; after it the decision is made locally.
   *
   * @param deadline 1 ms to 10 s
   * @return settings with it
   * @throws IllegalArgumentException if it is out of range
   */
  public RedisStore deadline(Duration deadline) {
    if (deadline.compareTo(Duration.ofMillis(1)) < 0 || deadline.compareTo(LONGEST_DEADLINE) > 0) {
      throw new IllegalArgumentException(
          "store deadline %s is outside 1ms to 10s".formatted(deadline));
    }
    return new RedisStore(host, port, tls, database, user, password, namespace, keyNames, deadline);
  }

  /**
   * Asks for the password whenever a connection is made, so that it can change.
   *
   * @param password gives the current password, or null for none; called by the kit's own threads
   * @return settings with it
   */
  public RedisStore password(Supplier<@Nullable String> password) {
    Objects.requireNonNull(password, "password");
    return new RedisStore(host, port, tls, database, user, password, namespace, keyNames, deadline);
  }

  /**
   * Hashes the keys with a secret, so that whoever reads the server's memory cannot find out by
   * trying which addresses or users are counted. All instances need the same secret. Without it
   * keys are hashed too, but anybody can try.
   *
   * @param secret at least one byte
   * @return settings with it
   * @throws IllegalArgumentException if it is empty
   */
  public RedisStore keySecret(byte[] secret) {
    byte[] copy = secret.clone();
    KeyNames.hashedWith(namespace, copy);
    return new RedisStore(
        host,
        port,
        tls,
        database,
        user,
        password,
        namespace,
        prefix -> KeyNames.hashedWith(prefix, copy),
        deadline);
  }

  /**
   * Stores keys so that they can be read, addresses and user names too. For development.
   *
   * @return settings with readable keys
   */
  public RedisStore readableKeys() {
    return new RedisStore(
        host, port, tls, database, user, password, namespace, KeyNames::readable, deadline);
  }

  /**
   * Makes the store. It connects when it is started.
   *
   * @return a store of the caller's, to be closed by the caller
   * @throws IllegalStateException if Jedis is missing or too old; names the version needed
   */
  public SharedStore open() {
    JedisVersion.check();
    return RedisSharedStore.of(this);
  }

  /**
   * The time that one decision may take in all.
   *
   * @return the deadline
   */
  public Duration deadline() {
    return deadline;
  }

  /**
   * The namespace.
   *
   * @return first part of every key
   */
  public String namespace() {
    return namespace;
  }

  /** Kind and address, without user and password, as in {@code redis://localhost:6379}. */
  @Override
  public String toString() {
    return (tls ? "rediss://" : "redis://") + node() + (database == 0 ? "" : "/" + database);
  }

  String node() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }

  String host() {
    return host;
  }

  int port() {
    return port;
  }

  boolean tls() {
    return tls;
  }

  int database() {
    return database;
  }

  @Nullable String user() {
    return user;
  }

  @Nullable String password() {
    return password.get();
  }

  KeyNames keyNames() {
    return keyNames.apply(namespace);
  }

  private static URI parse(String url) {
    try {
      return new URI(url.strip());
    } catch (URISyntaxException malformed) {
      // Without a cause: the exception quotes the whole text, and with it the password.
      throw wrongUrl(url, "it is no URL; write redis://host:6379");
    }
  }

  private static int database(String url, @Nullable String path) {
    if (path == null || path.isEmpty() || path.equals("/")) {
      return 0;
    }
    String number = path.substring(1);
    if (!number.matches("[0-9]{1,5}")) {
      throw wrongUrl(url, "database \"" + number + "\" is not a number from 0 to 99999");
    }
    return Integer.parseInt(number);
  }

  private static IllegalArgumentException wrongUrl(String url, String reason) {
    int at = url.lastIndexOf('@');
    int scheme = url.indexOf("://");
    String shown =
        at < 0 ? url : (scheme < 0 ? "" : url.substring(0, scheme + 3)) + "…" + url.substring(at);
    return new IllegalArgumentException("store URL \"%s\": %s".formatted(shown, reason));
  }

  private static String decode(String part) {
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static @Nullable String emptyToNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
