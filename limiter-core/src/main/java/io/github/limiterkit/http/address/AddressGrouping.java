package io.github.limiterkit.http.address;

import com.google.common.net.InetAddresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which addresses count as one client.
 *
 * <p>One subscriber of an IPv6 network holds 2^64 addresses or more, so by default all of {@code
 * 2001:db8:1:2::/64} is one client; every IPv4 address is a client of its own. An IPv4 address that
 * arrives in IPv6 spelling ({@code ::ffff:198.51.100.7}) is that IPv4 address. Networks of a
 * translator (NAT64), which carry IPv4 addresses too, are like any other unless they are named.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * @param ipv4Prefix leading bits that make a client in IPv4, 16 to 32
 * @param ipv6Prefix leading bits that make a client in IPv6, 32 to 128
 * @param ipv4In networks of IPv6 whose addresses carry one of IPv4 in their last 32 bits, and count
 *     as that one
 */
public record AddressGrouping(int ipv4Prefix, int ipv6Prefix, Networks ipv4In) {

  /** IPv4 addresses one by one, IPv6 by /64. */
  public static final AddressGrouping DEFAULT = new AddressGrouping(32, 64);

  private static final int IPV4_BITS = 32;
  private static final int IPV6_BITS = 128;

  /**
   * Checks the bounds.
   *
   * @param ipv4Prefix leading bits that make a client in IPv4, 16 to 32
   * @param ipv6Prefix leading bits that make a client in IPv6, 32 to 128
   * @param ipv4In networks of IPv6 whose addresses carry one of IPv4 in their last 32 bits
   * @throws IllegalArgumentException if a prefix is out of range, or a network has no room for an
   *     IPv4 address
   */
  public AddressGrouping {
    if (ipv4Prefix < 16 || ipv4Prefix > IPV4_BITS) {
      throw new IllegalArgumentException("IPv4 prefix " + ipv4Prefix + " is outside 16 to 32");
    }
    if (ipv6Prefix < 32 || ipv6Prefix > IPV6_BITS) {
      throw new IllegalArgumentException("IPv6 prefix " + ipv6Prefix + " is outside 32 to 128");
    }
    Network tight = ipv4In.firstThatCannotCarryIpv4();
    if (tight != null) {
      throw new IllegalArgumentException(
          tight
              + " cannot carry IPv4; write a network of IPv6 of 96 bits or fewer, as in 64:ff9b::/96");
    }
  }

  /**
   * Two prefixes, and no network that carries IPv4.
   *
   * @param ipv4Prefix leading bits that make a client in IPv4, 16 to 32
   * @param ipv6Prefix leading bits that make a client in IPv6, 32 to 128
   * @throws IllegalArgumentException if a prefix is out of range
   */
  public AddressGrouping(int ipv4Prefix, int ipv6Prefix) {
    this(ipv4Prefix, ipv6Prefix, Networks.NONE);
  }

  /**
   * The client that an address belongs to, in the spelling of RFC 5952: {@code 203.0.113.9} or
   * {@code 2001:db8:1:2::/64}.
   *
   * @param text an address literal as a container spells it, with or without brackets and zone
   * @return the group; null if the text is null, empty or anything but an address literal
   */
  public @Nullable String groupOf(@Nullable String text) {
    String literal = text == null ? null : Literals.literal(text);
    if (literal == null) {
      return null;
    }
    if (ipv4Prefix == IPV4_BITS && literal.indexOf(':') < 0) {
      return literal; // a strict dotted quad has one spelling only
    }
    InetAddress address = carried(InetAddresses.forString(literal));
    boolean ipv4 = address instanceof Inet4Address;
    int prefix = ipv4 ? ipv4Prefix : ipv6Prefix;
    if (prefix == (ipv4 ? IPV4_BITS : IPV6_BITS)) {
      return InetAddresses.toAddrString(address);
    }
    return InetAddresses.toAddrString(masked(address, prefix)) + "/" + prefix;
  }

  /** The IPv4 address in the last bits of one that is known to carry it, or the address itself. */
  private InetAddress carried(InetAddress address) {
    byte[] bytes = address.getAddress();
    return ipv4In.contain(address) ? address(Arrays.copyOfRange(bytes, 12, 16)) : address;
  }

  private static InetAddress masked(InetAddress address, int prefix) {
    return address(Network.masked(address.getAddress(), prefix));
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible); // thrown for a wrong number of bytes only
    }
  }
}
