package io.github.limiterkit.http.address;

import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All addresses that begin with the same bits: {@code 10.0.0.0/8}, or one address alone.
 *
 * <p>IPv4 and IPv6 are apart: {@code ::/0} holds no IPv4 address, however it is spelled. Immutable
 * and safe for use by several threads.
 */
public final class Network {

  private final byte[] first;
  private final int prefix;

  private Network(byte[] first, int prefix) {
    this.first = first;
    this.prefix = prefix;
  }

  /**
   * Reads a network.
   *
   * @param text an address, a slash and the number of leading bits, as in {@code 10.0.0.0/8} or
   *     {@code 2001:db8::/32}; or an address
   * @return the network
   * @throws IllegalArgumentException if it is not of that form, or the address has further bits
   *     set; the message quotes the text and names what was meant
   */
  public static Network parse(String text) {
    String written = text.strip();
    int slash = written.indexOf('/');
    String literal = slash < 0 ? written : written.substring(0, slash);
    InetAddress address = literal.indexOf('%') >= 0 ? null : Literals.address(literal);
    if (address == null || literal.startsWith("[")) {
      throw wrong(written, "write an address and a number of bits, as in 10.0.0.0/8");
    }
    byte[] bytes = address.getAddress();
    int bits = 8 * bytes.length;
    int prefix = slash < 0 ? bits : prefix(written, written.substring(slash + 1), literal, bits);
    byte[] first = masked(bytes.clone(), prefix);
    if (!Arrays.equals(first, bytes)) {
      throw wrong(
          written,
          "its address has bits set after the first %d; write %s/%d"
              .formatted(prefix, InetAddresses.toAddrString(toAddress(first)), prefix));
    }
    return new Network(first, prefix);
  }

  private static int prefix(String written, String digits, String literal, int bits) {
    boolean mapped = bits == 32 && literal.indexOf(':') >= 0;
    int most = mapped ? 128 : bits;
    int prefix = digits.matches("0|[1-9][0-9]{0,2}") ? Integer.parseInt(digits) : -1;
    if (prefix < 0 || prefix > most) {
      throw wrong(written, "after the slash write 0 to " + most);
    }
    if (mapped && prefix < 96) {
      throw wrong(written, "it is an IPv4 address in IPv6 spelling; write it as IPv4");
    }
    return mapped ? prefix - 96 : prefix;
  }

  /**
   * Whether an address is in it.
   *
   * @param text an address literal, with or without brackets and zone; may be null
   * @return false for anything but an address
   */
  public boolean contains(@Nullable String text) {
    InetAddress address = Literals.address(text);
    return address != null && contains(address);
  }

  boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    return bytes.length == first.length && Arrays.equals(masked(bytes, prefix), first);
  }

  /** Whether its addresses are IPv6 and have room for one of IPv4 behind their prefix. */
  boolean canCarryIpv4() {
    return first.length == 16 && prefix <= 96;
  }

  /** Clears all bits but the first ones, in place. */
  static byte[] masked(byte[] bytes, int prefix) {
    for (int i = 0; i < bytes.length; i++) {
      int keep = Math.max(0, Math.min(8, prefix - 8 * i));
      bytes[i] &= (byte) (0xff00 >> keep);
    }
    return bytes;
  }

  private static InetAddress toAddress(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible); // thrown for a wrong number of bytes only
    }
  }

  private static IllegalArgumentException wrong(String text, String advice) {
    return new IllegalArgumentException("\"" + text + "\" is no network: " + advice);
  }

  /** The address and the number of bits, as in {@code 10.0.0.0/8}. */
  @Override
  public String toString() {
    return InetAddresses.toAddrString(toAddress(first)) + "/" + prefix;
  }
}
