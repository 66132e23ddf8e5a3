package io.github.limiterkit.http.address;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads elements of {@code Forwarded} (RFC 7239), and nodes of it and of {@code X-Forwarded-For}.
 */
final class ForwardedElements {

  private ForwardedElements() {}

  /**
   * The address that an element of {@code Forwarded} names.
   *
   * @param element such as {@code for="[2001:db8::17]:4711";proto=https}
   * @return an address literal; null if the element is malformed or names none
   */
  static @Nullable String forwarded(String element) {
    String found = null;
    boolean named = false;
    int seen = 0;
    for (int from = 0; from <= element.length(); ) {
      int to = pairEnd(element, from);
      int equals = element.indexOf('=', from);
      if (equals <= from || equals >= to || !isToken(element, from, equals)) {
        return null;
      }
      String name = element.substring(from, equals).toLowerCase(Locale.ROOT);
      String value = value(element.substring(equals + 1, to));
      int bit = bit(name);
      if (value == null || (seen & bit) != 0) {
        return null; // no value, or a parameter twice
      }
      seen |= bit;
      if (name.equals("for")) {
        named = true;
        found = node(value, false);
      }
      from = to + 1;
    }
    return named ? found : null;
  }

  /** Each of the parameters that there are may stand once; of others we know nothing. */
  private static int bit(String name) {
    return switch (name) {
      case "for" -> 1;
      case "by" -> 2;
      case "host" -> 4;
      case "proto" -> 8;
      default -> 0;
    };
  }

  /** The index of the next semicolon outside of a quoted string, or the length of the text. */
  private static int pairEnd(String text, int from) {
    boolean quoted = false;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == '\\' && quoted) {
        i++;
      } else if (c == ';' && !quoted) {
        return i;
      }
    }
    return text.length();
  }

  /** A token, or what is in a quoted string; null if it is neither. */
  private static @Nullable String value(String text) {
    if (text.isEmpty()) {
      return null;
    }
    if (text.charAt(0) != '"') {
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        // Brackets and colons want quotes; without them they are as plain.
        if (!isTokenCharacter(c) && c != '[' && c != ']' && c != ':') {
          return null;
        }
      }
      return text;
    }
    StringBuilder unquoted = new StringBuilder();
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        return i == text.length() - 1 ? unquoted.toString() : null;
      }
      if (c == '\\' && ++i == text.length()) {
        return null;
      }
      unquoted.append(text.charAt(i));
    }
    return null;
  }

  /**
   * The address of a node, without its port.
   *
   * @param text such as {@code 192.0.2.43:47011} or {@code [2001:db8::17]}
   * @param bareIpv6 whether IPv6 may stand without brackets, and then has no port
   * @return an address literal; null for {@code unknown}, {@code _hidden} and anything else
   */
  static @Nullable String node(String text, boolean bareIpv6) {
    if (text.startsWith("[")) {
      int end = text.indexOf(']');
      int colon = text.indexOf(':');
      return colon > 0 && colon < end && isPort(text, end + 1)
          ? Literals.literal(text.substring(0, end + 1))
          : null;
    }
    int colon = text.indexOf(':');
    if (colon >= 0 && text.indexOf(':', colon + 1) >= 0) {
      return bareIpv6 ? Literals.literal(text) : null;
    }
    String address = colon < 0 ? text : text.substring(0, colon);
    return Literals.isDottedQuad(address) && (colon < 0 || isPort(text, colon)) ? address : null;
  }

  /** Whether nothing is left, or a colon and a port, in digits or hidden as in {@code _p}. */
  private static boolean isPort(String text, int at) {
    if (at == text.length()) {
      return true;
    }
    String port = text.substring(at);
    return port.matches(":[0-9]{1,5}") || port.matches(":_[A-Za-z0-9._-]{1,64}");
  }

  private static boolean isToken(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!isTokenCharacter(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isTokenCharacter(char c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }
}
