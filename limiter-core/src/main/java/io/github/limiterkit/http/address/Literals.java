package io.github.limiterkit.http.address;

import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Reads address literals, strictly: nothing that only some parsers take for an address, and never a
 * name, so that no client can make the kit ask DNS.
 */
final class Literals {

  /** The longest spelling of a literal: six groups of four digits and a dotted quad. */
  private static final int LONGEST_LITERAL = 45;

  /** A literal, brackets and a zone; longer text is not looked at. */
  private static final int LONGEST_TEXT = 128;

  private Literals() {}

  /**
   * The address that a text spells. An IPv4 address in IPv6 spelling ({@code ::ffff:198.51.100.7})
   * is that IPv4 address.
   *
   * @param text with or without brackets, which Jetty adds, and zone, which is left out
   * @return the address; null if the text is anything else
   */
  static @Nullable InetAddress address(@Nullable String text) {
    String literal = text == null ? null : literal(text);
    return literal == null ? null : InetAddresses.forString(literal);
  }

  /** The text without brackets and zone, or null if it is no literal. */
  static @Nullable String literal(String text) {
    String bare = bare(text);
    if (bare == null) {
      return null;
    }
    boolean dotted = bare.indexOf(':') < 0;
    return (dotted ? isDottedQuad(bare) : InetAddresses.isInetAddress(bare)) ? bare : null;
  }

  private static @Nullable String bare(String text) {
    int from = 0;
    int to = text.length();
    if (to > LONGEST_TEXT) {
      return null;
    }
    if (to > 1 && text.charAt(0) == '[' && text.charAt(to - 1) == ']') {
      from++;
      to--;
    }
    int zone = text.indexOf('%', from);
    if (zone >= 0) {
      to = zone;
    }
    if (to <= from || to - from > LONGEST_LITERAL) {
      return null;
    }
    String bare = text.substring(from, to);
    boolean colon = false;
    for (int i = 0; i < bare.length(); i++) {
      char c = bare.charAt(i);
      colon |= c == ':';
      // Guava would take the digits of any script.
      if (!(c == '.' || c == ':' || isHexDigit(c))) {
        return null;
      }
    }
    return zone >= 0 && !colon ? null : bare; // only IPv6 has zones
  }

  /** Four numbers from 0 to 255 without leading zeros: most requests come from such an address. */
  static boolean isDottedQuad(String text) {
    int parts = 0;
    int digits = 0;
    int value = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : '.';
      if (c == '.') {
        if (digits == 0) {
          return false;
        }
        parts++;
        digits = 0;
        value = 0;
      } else {
        if (c < '0' || c > '9' || (digits > 0 && value == 0)) {
          return false;
        }
        digits++;
        value = 10 * value + (c - '0');
        if (value > 255) {
          return false;
        }
      }
    }
    return parts == 4;
  }

  private static boolean isHexDigit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }
}
