package io.github.limiterkit.http;

import com.google.common.hash.Hashing;
import com.google.common.io.BaseEncoding;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The stock key resolvers. Each key begins with its kind, so that keys of different kinds never
 * meet, whatever a client calls itself.
 */
public final class Keys {

  /** The key of all clients whose connection has no address, as over a Unix socket. */
  public static final String UNKNOWN_ADDRESS = "unknown";

  /** Enough that no two header values ever meet, short enough to keep many of them. */
  private static final int HASH_BYTES = 16;

  private static final Set<String> STOCK_KINDS =
      Set.of("ip", "user", "hdr", "cookie", "attr", "path", "all", "const", UNKNOWN_ADDRESS);

  /** Fields whose value begins with a scheme, which a client may spell as it likes. */
  private static final Set<String> CREDENTIALS = Set.of("authorization", "proxy-authorization");

  private static final KeyResolver CLIENT_ADDRESS =
      new StockKey("client-address", false, Keys::addressKey);

  private static final KeyResolver PRINCIPAL = new StockKey("principal", true, Keys::principalKey);

  private static final KeyResolver PATH_TEMPLATE =
      new StockKey("path-template", false, Keys::pathKey);

  private static final KeyResolver REFUSE = new StockKey("refuse", false, request -> null);

  private Keys() {}

  /**
   * The client's address: {@code ip:203.0.113.9}, or {@code ip:2001:db8:1:2::/64} for all of an
   * IPv6 network. Forwarding headers are looked at only as far as the kit is told whom to trust. A
   * connection without an address counts as {@value #UNKNOWN_ADDRESS}, together with all others of
   * its kind.
   *
   * @return the resolver, which always finds a key
   */
  public static KeyResolver clientAddress() {
    return CLIENT_ADDRESS;
  }

  /**
   * The authenticated user: {@code user:alice}. There is no key before authentication, so whatever
   * authenticates must come first.
   *
   * @return the resolver
   */
  public static KeyResolver principal() {
    return PRINCIPAL;
  }

  /**
   * The value of a header field, hashed: {@code hdr:x-api-key:} and 32 hexadecimal digits.
   *
   * <p>A client chooses what it sends. Use it after the value has been validated, or along with a
   * policy by address; otherwise every new value is a new quota. Two lines of the field, or an
   * empty one, are no key at all. Of {@code Authorization} the letter case of the scheme and the
   * blanks after it make no difference.
   *
   * @param name of the field
   * @return the resolver
   * @throws IllegalArgumentException if it is not a name of a field
   */
  public static KeyResolver header(String name) {
    if (!Tokens.isToken(name)) {
      throw new IllegalArgumentException(
          "\""
              + name
              + "\" is not the name of a header; write header:NAME, as in header:X-Api-Key");
    }
    String lowerCase = name.toLowerCase(Locale.ROOT);
    String prefix = "hdr:" + lowerCase + ":";
    if (CREDENTIALS.contains(lowerCase)) {
      return new StockKey(
          "header:" + name, false, request -> credentialsKey(request, name, prefix));
    }
    return new StockKey("header:" + name, false, request -> headerKey(request, name, prefix));
  }

  /**
   * The value of a cookie, hashed: {@code cookie:sid:} and 32 hexadecimal digits.
   *
   * <p>A client chooses what it sends, as with {@link #header}. A cookie that is there twice is no
   * key at all.
   *
   * @param name of the cookie, in its letter case
   * @return the resolver
   * @throws IllegalArgumentException if it is not a name of a cookie
   */
  public static KeyResolver cookie(String name) {
    if (!Tokens.isToken(name)) {
      throw new IllegalArgumentException(
          "\"" + name + "\" is not the name of a cookie; write cookie:NAME, as in cookie:sid");
    }
    String prefix = "cookie:" + name + ":";
    return new StockKey(
        "cookie:" + name, false, request -> hashed(prefix, Cookies.value(request, name)));
  }

  /**
   * What the application has set as an attribute of the request, in its text form: {@code
   * attr:plan:gold}. It must be set before the policy is asked, as by a filter in front.
   *
   * @param name of the attribute
   * @return the resolver
   * @throws IllegalArgumentException if the name is empty
   */
  public static KeyResolver attribute(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "an attribute needs a name; write attribute:NAME, as in attribute:tenant");
    }
    String prefix = "attr:" + name + ":";
    return new StockKey(
        "attribute:" + name,
        true,
        request -> {
          Object value = request.attribute(name);
          return prefixed(prefix, value == null ? null : value.toString());
        });
  }

  /**
   * The path of the route on which the policy applies, as it is configured: {@code
   * path:/users/{id}} for all users. So there are as many keys as routes, whatever paths clients
   * ask for. A policy that is named by an annotation or in code has none.
   *
   * @return the resolver, to be joined with others as in {@code pathTemplate().and(principal())}
   */
  public static KeyResolver pathTemplate() {
    return PATH_TEMPLATE;
  }

  /**
   * No key, and nobody in its place: in {@code principal().orElse(refuse())} a request without a
   * user is refused, with the policy's status and without {@code Retry-After}. Nothing is charged.
   *
   * @return the resolver, which has its meaning at the end only
   */
  public static KeyResolver refuse() {
    return REFUSE;
  }

  /**
   * One key for everybody: {@code const:} and the text. Such a policy limits the application, not a
   * client; 503 is the status that says so.
   *
   * @param text any, not empty
   * @return the resolver
   * @throws IllegalArgumentException if the text is empty
   */
  public static KeyResolver constant(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException(
          "a constant key needs a text; write constant:TEXT, as in constant:everybody");
    }
    String key = "const:" + text;
    return new StockKey("constant:" + text, false, request -> key);
  }

  /**
   * A key of the user's own: the kind, a colon, and what the function finds.
   *
   * <pre>{@code
   * Keys.custom("tenant", request -> (String) request.attribute("tenant"))   // tenant:acme
   * }</pre>
   *
   * @param kind a lower-case letter, then lower-case letters, digits or {@code -}; none of the
   *     kit's own, such as {@code ip} and {@code user}
   * @param value finds the rest of the key, null or empty if there is none; may throw, which is the
   *     same
   * @return the resolver
   * @throws IllegalArgumentException if the kind is not of that form
   */
  public static KeyResolver custom(String kind, Function<RequestView, @Nullable String> value) {
    Objects.requireNonNull(value, "value");
    if (!kind.matches("[a-z][a-z0-9-]*") || STOCK_KINDS.contains(kind)) {
      throw new IllegalArgumentException(
          "\"%s\" is not a kind of key of your own; write a word such as tenant, but none of %s"
              .formatted(kind, String.join(", ", STOCK_KINDS.stream().sorted().toList())));
    }
    return new StockKey(kind, true, request -> prefixed(kind + ":", value.apply(request)));
  }

  /**
   * Reads a key from the words of the configuration: {@code client-address}, {@code principal},
   * {@code path-template}, {@code header:NAME}, {@code cookie:NAME}, {@code attribute:NAME} or
   * {@code constant:TEXT}; several as one, as in {@code principal + client-address}; and one in
   * place of another, as in {@code principal, else client-address} or {@code principal, else
   * refuse}.
   *
   * @param text the words
   * @return the resolver
   * @throws IllegalArgumentException if a word is unknown; the message quotes it and names the
   *     nearest
   */
  public static KeyResolver parse(String text) {
    return KeyWords.parse(text);
  }

  /**
   * The words for a resolver.
   *
   * @param resolver any
   * @return as {@link #parse} reads it; {@code custom} for a resolver that is not of this kit
   */
  public static String describe(KeyResolver resolver) {
    return resolver instanceof StockKey
            || resolver instanceof FirstKey
            || resolver instanceof JoinedKey
        ? resolver.toString()
        : "custom";
  }

  /** Whether a request without a key is refused. */
  static boolean refuses(KeyResolver resolver) {
    return resolver == REFUSE || (resolver instanceof FirstKey two && refuses(two.other()));
  }

  private static String addressKey(RequestView request) {
    return request instanceof ClientRequest known
        ? known.addressKey()
        : ClientAddresses.PLAIN.key(request.remoteAddress());
  }

  private static @Nullable String pathKey(RequestView request) {
    Route route = request instanceof ClientRequest known ? known.route() : null;
    return route == null ? null : "path:" + route.path();
  }

  private static @Nullable String principalKey(RequestView request) {
    return prefixed("user:", request.principal());
  }

  private static @Nullable String headerKey(RequestView request, String name, String prefix) {
    return hashed(prefix, single(request, name));
  }

  private static @Nullable String credentialsKey(RequestView request, String name, String prefix) {
    String value = single(request, name);
    return hashed(prefix, value == null ? null : inOneSpelling(value));
  }

  private static @Nullable String single(RequestView request, String name) {
    List<String> lines = request.headers(name);
    // Of two lines the application may read the other one, so neither names the client.
    return lines.size() == 1 ? lines.get(0).strip() : null;
  }

  /** Credentials whose scheme is in lower case, and one blank after it. */
  private static String inOneSpelling(String credentials) {
    for (int i = 0; i < credentials.length(); i++) {
      if (credentials.charAt(i) == ' ' || credentials.charAt(i) == '\t') {
        String scheme = credentials.substring(0, i).toLowerCase(Locale.ROOT);
        return scheme + " " + credentials.substring(i).strip();
      }
    }
    return credentials;
  }

  private static @Nullable String hashed(String prefix, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      return null;
    }
    byte[] hash = Hashing.sha256().hashString(value, StandardCharsets.UTF_8).asBytes();
    return prefix + BaseEncoding.base16().lowerCase().encode(hash, 0, HASH_BYTES);
  }

  private static @Nullable String prefixed(String prefix, @Nullable String value) {
    return value == null || value.isEmpty() ? null : prefix + value;
  }
}
