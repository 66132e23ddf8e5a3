package io.github.limiterkit.http.address;

import com.google.common.net.InetAddresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Which addresses count as one client.
 *
 * <p>One subscriber of an IPv6 network holds 2^64 addresses or more, so by default all of {@code
 * 2001:db8:1:2::/64} is one client; every IPv4 address is a client of its own. An IPv4 address that
 * arrives in IPv6 spelling ({@code ::ffff:198.51.100.7}) is that IPv4 address.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * @param ipv4Prefix leading bits that make a client in IPv4, 16 to 32
 * @param ipv6Prefix leading bits that make a client in IPv6, 32 to 128
 */
public record AddressGrouping(int ipv4Prefix, int ipv6Prefix) {

  /** IPv4 addresses one by one, IPv6 by /64. */
  public static final AddressGrouping DEFAULT = new AddressGrouping(32, 64);

  /** The longest spelling of a literal: six groups of four digits and a dotted quad. */
  private static final int LONGEST_LITERAL = 45;

  /** A literal, brackets and a zone; longer text is not looked at. */
  private static final int LONGEST_TEXT = 128;

  private static final int IPV4_BITS = 32;
  private static final int IPV6_BITS = 128;

  /**
   * Checks the bounds.
   *
   * @param ipv4Prefix leading bits that make a client in IPv4, 16 to 32
   * @param ipv6Prefix leading bits that make a client in IPv6, 32 to 128
   * @throws IllegalArgumentException if a prefix is out of range
   */
  public AddressGrouping {
    if (ipv4Prefix < 16 || ipv4Prefix > IPV4_BITS) {
      throw new IllegalArgumentException("IPv4 prefix " + ipv4Prefix + " is outside 16 to 32");
    }
    if (ipv6Prefix < 32 || ipv6Prefix > IPV6_BITS) {
      throw new IllegalArgumentException("IPv6 prefix " + ipv6Prefix + " is outside 32 to 128");
    }
  }

  /**
   * The client that an address belongs to, in the spelling of RFC 5952: {@code 203.0.113.9} or
   * {@code 2001:db8:1:2::/64}.
   *
   * @param text an address literal as a container spells it, with or without brackets and zone
   * @return the group; null if the text is null, empty or anything but an address literal
   */
  public @Nullable String groupOf(@Nullable String text) {
    String literal = text == null ? null : literal(text);
    if (literal == null) {
      return null;
    }
    boolean dotted = literal.indexOf(':') < 0;
    if (dotted ? !isDottedQuad(literal) : !InetAddresses.isInetAddress(literal)) {
      return null;
    }
    if (dotted && ipv4Prefix == IPV4_BITS) {
      return literal; // a strict dotted quad has one spelling only
    }
    InetAddress address = InetAddresses.forString(literal);
    boolean ipv4 = address instanceof Inet4Address;
    int prefix = ipv4 ? ipv4Prefix : ipv6Prefix;
    if (prefix == (ipv4 ? IPV4_BITS : IPV6_BITS)) {
      return InetAddresses.toAddrString(address);
    }
    return InetAddresses.toAddrString(masked(address, prefix)) + "/" + prefix;
  }

  /** The text without brackets (Jetty adds them) and zone, or null if it cannot be a literal. */
  private static @Nullable String literal(String text) {
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
    String literal = text.substring(from, to);
    boolean colon = false;
    for (int i = 0; i < literal.length(); i++) {
      char c = literal.charAt(i);
      colon |= c == ':';
      // Guava would take the digits of any script.
      if (!(c == '.' || c == ':' || isHexDigit(c))) {
        return null;
      }
    }
    return zone >= 0 && !colon ? null : literal; // only IPv6 has zones
  }

  /** Four numbers from 0 to 255 without leading zeros: most requests come from such an address. */
  private static boolean isDottedQuad(String text) {
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

  private static InetAddress masked(InetAddress address, int prefix) {
    byte[] bytes = address.getAddress();
    for (int i = 0; i < bytes.length; i++) {
      int keep = Math.max(0, Math.min(8, prefix - 8 * i));
      bytes[i] &= (byte) (0xff00 >> keep);
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible); // thrown for a wrong number of bytes only
    }
  }
}
