package io.github.limiterkit.http.address;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whom to believe about the address of a client, and in which one header.
 *
 * <pre>{@code
 * TrustedProxies.header("X-Forwarded-For").networks("10.0.0.0/8")
 * TrustedProxies.header("Forwarded").hops(2)
 * }</pre>
 *
 * <p>A header is read from right to left, since its right end is what the nearest proxy wrote. As
 * long as a hop is trusted, the element that it reported is looked at; the first that is not
 * trusted is the client. An element that is no address ends the walk, and the hop that reported it
 * counts as the client. The peer itself must be trusted, else nothing is read. Only the one header
 * is read, never another in its place.
 *
 * <p>Leave this off if the container rewrites the address of the peer itself, as Tomcat's {@code
 * RemoteIpValve} and Jetty's {@code ForwardedRequestCustomizer} do: the header would be believed
 * twice.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class TrustedProxies {

  /** The most proxies that can be between a client and the application. */
  public static final int MOST_HOPS = FromTheRight.MOST_ELEMENTS;

  private final String header;
  private final Networks networks;
  private final int hops;

  private TrustedProxies(String header, Networks networks, int hops) {
    this.header = header;
    this.networks = networks;
    this.hops = hops;
  }

  /**
   * Names the header that the proxies write.
   *
   * @param name {@code Forwarded}, {@code X-Forwarded-For}, or another that holds addresses, as
   *     {@code CF-Connecting-IP}; whatever comes from outside in it must be removed or added to by
   *     the proxies
   * @return a builder that still needs to know the proxies
   * @throws IllegalArgumentException if it is no name of a header
   */
  public static Builder header(String name) {
    if (!name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}")) {
      throw new IllegalArgumentException(
          "\"" + name + "\" is not the name of a header; write one, as in X-Forwarded-For");
    }
    return new Builder(name);
  }

  /**
   * The address of the client.
   *
   * @param peer the address of the peer as the container spells it; may be null
   * @param headers gives the lines of a header, in the order received
   * @return an address literal, or the peer as it is
   */
  public @Nullable String clientOf(@Nullable String peer, Function<String, List<String>> headers) {
    if (peer == null || Literals.literal(peer) == null || !trusts(peer, 0)) {
      return peer;
    }
    boolean forwarded = header.toLowerCase(Locale.ROOT).equals("forwarded");
    FromTheRight elements = new FromTheRight(headers.apply(header), forwarded);
    String hop = peer;
    int count = 0;
    for (String element = elements.next(); element != null; element = elements.next()) {
      String address =
          forwarded ? ForwardedElements.forwarded(element) : ForwardedElements.node(element, true);
      if (address == null) {
        return hop;
      }
      hop = address;
      if (!trusts(address, ++count)) {
        return address;
      }
    }
    return hops == 0 ? hop : peer; // of fewer hops than there are we know nothing
  }

  /** Whether to believe what the so-manieth hop from the right says; the peer is the 0th. */
  private boolean trusts(String address, int index) {
    return hops > 0 ? index < hops : networks.contain(address);
  }

  /** The header and whom to believe, as in {@code X-Forwarded-For from 10.0.0.0/8}. */
  @Override
  public String toString() {
    return header
        + (hops > 0 ? " over " + hops + (hops == 1 ? " hop" : " hops") : " from " + networks);
  }

  /** Needs to know who the proxies are. */
  public static final class Builder {
    private final String header;

    private Builder(String header) {
      this.header = header;
    }

    /**
     * Believes proxies by their addresses.
     *
     * @param networks of the proxies, at least one, as in {@code 10.0.0.0/8}; {@code loopback} and
     *     {@code private} are the usual ones
     * @return what to believe
     * @throws IllegalArgumentException if there is none, or one cannot be read
     */
    public TrustedProxies networks(String... networks) {
      return networks(Networks.of(networks));
    }

    /**
     * Believes proxies by their addresses.
     *
     * @param networks of the proxies, at least one
     * @return what to believe
     * @throws IllegalArgumentException if there is none
     */
    public TrustedProxies networks(Networks networks) {
      if (Objects.requireNonNull(networks, "networks").isEmpty()) {
        throw new IllegalArgumentException(
            "no proxy is trusted; write their networks, as in 10.0.0.0/8");
      }
      return new TrustedProxies(header, networks, 0);
    }

    /**
     * Believes a number of proxies, whatever their addresses. Only where nobody can reach the
     * application but through all of them.
     *
     * @param hops how many there are, the peer among them: 1 takes the last element, 2 the last but
     *     one; 1 to 64
     * @return what to believe
     * @throws IllegalArgumentException if it is out of range
     */
    public TrustedProxies hops(int hops) {
      if (hops < 1 || hops > MOST_HOPS) {
        throw new IllegalArgumentException("hops " + hops + " is outside 1 to " + MOST_HOPS);
      }
      return new TrustedProxies(header, Networks.NONE, hops);
    }
  }
}
