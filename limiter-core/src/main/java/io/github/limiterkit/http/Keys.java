package io.github.limiterkit.http;

import com.google.common.hash.Hashing;
import com.google.common.io.BaseEncoding;
import io.github.limiterkit.http.address.AddressGrouping;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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

  private static final Set<String> STOCK_KINDS = Set.of("ip", "user", "hdr", "const");

  private static final List<String> WORDS =
      List.of("client-address", "principal", "header:NAME", "constant:TEXT");

  private static final KeyResolver CLIENT_ADDRESS =
      new StockKey("client-address", false, Keys::addressKey);

  private static final KeyResolver PRINCIPAL = new StockKey("principal", true, Keys::principalKey);

  private Keys() {}

  /**
   * The client's address: {@code ip:203.0.113.9}, or {@code ip:2001:db8:1:2::/64} for all of an
   * IPv6 network. Forwarding headers are not looked at. A connection without an address counts as
   * {@value #UNKNOWN_ADDRESS}, together with all others of its kind.
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
   * empty one, are no key at all.
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
    String prefix = "hdr:" + name.toLowerCase(Locale.ROOT) + ":";
    return new StockKey("header:" + name, false, request -> headerKey(request, name, prefix));
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
   * @param kind a lower-case letter, then lower-case letters, digits or {@code -}; none of {@code
   *     ip}, {@code user}, {@code hdr} and {@code const}
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
   * {@code header:NAME} or {@code constant:TEXT}, and several of them as in {@code principal, else
   * client-address}.
   *
   * @param text the words
   * @return the resolver
   * @throws IllegalArgumentException if a word is unknown; the message quotes it and names the
   *     nearest
   */
  public static KeyResolver parse(String text) {
    List<KeyResolver> resolvers = new ArrayList<>();
    for (String element : text.split(",", -1)) {
      String word = element.strip();
      boolean first = resolvers.isEmpty();
      if (!first) {
        if (!word.startsWith("else ")) {
          throw new IllegalArgumentException(
              "\"%s\": what follows a comma begins with else, as in principal, else client-address"
                  .formatted(text.strip()));
        }
        word = word.substring("else ".length()).strip();
      }
      resolvers.add(parseOne(word));
    }
    KeyResolver last = resolvers.get(resolvers.size() - 1);
    for (int i = resolvers.size() - 2; i >= 0; i--) {
      last = resolvers.get(i).orElse(last);
    }
    return last;
  }

  /**
   * The words for a resolver.
   *
   * @param resolver any
   * @return as {@link #parse} reads it; {@code custom} for a resolver that is not of this kit
   */
  public static String describe(KeyResolver resolver) {
    return resolver instanceof StockKey || resolver instanceof FirstKey
        ? resolver.toString()
        : "custom";
  }

  private static KeyResolver parseOne(String word) {
    if (word.equals("client-address")) {
      return clientAddress();
    }
    if (word.equals("principal")) {
      return principal();
    }
    if (word.startsWith("header:")) {
      return header(word.substring("header:".length()).strip());
    }
    if (word.startsWith("constant:")) {
      return constant(word.substring("constant:".length()).strip());
    }
    int colon = word.indexOf(':');
    String head = colon < 0 ? word : word.substring(0, colon);
    String meant =
        Spelling.nearest(head, List.of("client-address", "principal", "header", "constant"));
    String advice =
        meant == null
            ? ""
            : WORDS.stream()
                .filter(known -> known.startsWith(meant))
                .findFirst()
                .map(known -> "; did you mean \"" + known + "\"?")
                .orElse("");
    throw new IllegalArgumentException(
        "there is no key \"%s\"%s (keys: %s; several joined by \", else \")"
            .formatted(word, advice, String.join(", ", WORDS)));
  }

  private static String addressKey(RequestView request) {
    String group = AddressGrouping.DEFAULT.groupOf(request.remoteAddress());
    return group == null ? UNKNOWN_ADDRESS : "ip:" + group;
  }

  private static @Nullable String principalKey(RequestView request) {
    return prefixed("user:", request.principal());
  }

  private static @Nullable String headerKey(RequestView request, String name, String prefix) {
    List<String> lines = request.headers(name);
    // Of two lines the application may read the other one, so neither names the client.
    String value = lines.size() == 1 ? lines.get(0).strip() : "";
    if (value.isEmpty()) {
      return null;
    }
    byte[] hash = Hashing.sha256().hashString(value, StandardCharsets.UTF_8).asBytes();
    return prefix + BaseEncoding.base16().lowerCase().encode(hash, 0, HASH_BYTES);
  }

  private static @Nullable String prefixed(String prefix, @Nullable String value) {
    return value == null || value.isEmpty() ? null : prefix + value;
  }
}
