package io.github.limiterkit.redis;

import io.github.limiterkit.store.SharedStore;
import java.time.Duration;
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

  private final RedisUrl url;
  private final String node;
  private final Supplier<@Nullable String> password;
  private final String namespace;
  private final Function<String, KeyNames> keyNames;
  private final Duration deadline;

  private RedisStore(
      RedisUrl url,
      Supplier<@Nullable String> password,
      String namespace,
      Function<String, KeyNames> keyNames,
      Duration deadline) {
    this.url = url;
    this.node = url.node();
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
    RedisUrl parts = RedisUrl.parse(url);
    return new RedisStore(parts, parts::password, "limiterkit", KeyNames::hashed, DEFAULT_DEADLINE);
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
    return new RedisStore(url, password, namespace, keyNames, deadline);
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
    return new RedisStore(url, password, namespace, keyNames, deadline);
  }

  /**
   * Asks for the password whenever a connection is made, so that it can change.
   *
   * @param password gives the current password, or null for none; called by the kit's own threads
   * @return settings with it
   */
  public RedisStore password(Supplier<@Nullable String> password) {
    Objects.requireNonNull(password, "password");
    return new RedisStore(url, password, namespace, keyNames, deadline);
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
        url, password, namespace, prefix -> KeyNames.hashedWith(prefix, copy), deadline);
  }

  /**
   * Stores keys so that they can be read, addresses and user names too. For development.
   *
   * @return settings with readable keys
   */
  public RedisStore readableKeys() {
    return new RedisStore(url, password, namespace, KeyNames::readable, deadline);
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

  /**
   * What stands for a key in the names of the store's keys, and may stand in a log.
   *
   * @param key as in {@link io.github.limiterkit.Charge#key}
   * @return 22 letters, digits, {@code -} and {@code _}: 128 bits of its SHA-256, or of its HMAC if
   *     there is a {@link #keySecret}; with {@link #readableKeys} too
   */
  public String hashOf(String key) {
    return keyNames().hashOf(key);
  }

  /** Kind and address, without user and password, as in {@code redis://localhost:6379}. */
  @Override
  public String toString() {
    return url.toString();
  }

  RedisUrl url() {
    return url;
  }

  String node() {
    return node;
  }

  @Nullable String password() {
    return password.get();
  }

  KeyNames keyNames() {
    return keyNames.apply(namespace);
  }
}
