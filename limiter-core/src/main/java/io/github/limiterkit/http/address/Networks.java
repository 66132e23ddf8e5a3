package io.github.limiterkit.http.address;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Some networks. Besides networks in numbers there are two words: {@code loopback} ({@code
 * 127.0.0.0/8} and {@code ::1}) and {@code private} (the ranges of private and link-local
 * addresses, IPv4 and IPv6).
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class Networks {

  /** None. */
  public static final Networks NONE = new Networks(List.of(), List.of());

  private static final List<String> LOOPBACK = List.of("127.0.0.0/8", "::1");

  private static final List<String> PRIVATE =
      List.of(
          "10.0.0.0/8",
          "172.16.0.0/12",
          "192.168.0.0/16",
          "169.254.0.0/16",
          "fc00::/7",
          "fe80::/10");

  private final List<String> words;
  private final List<Network> networks;

  private Networks(List<String> words, List<Network> networks) {
    this.words = words;
    this.networks = networks;
  }

  /**
   * Reads networks.
   *
   * @param texts as {@link Network#parse} reads them, or one of the two words
   * @return all of them
   * @throws IllegalArgumentException if one cannot be read, naming it
   */
  public static Networks of(String... texts) {
    List<String> words = new ArrayList<>();
    List<Network> networks = new ArrayList<>();
    for (String text : texts) {
      String word = text.strip();
      List<String> meant =
          switch (word) {
            case "loopback" -> LOOPBACK;
            case "private" -> PRIVATE;
            default -> List.of(word);
          };
      meant.forEach(network -> networks.add(Network.parse(network)));
      words.add(word);
    }
    return new Networks(List.copyOf(words), List.copyOf(networks));
  }

  /**
   * Both of two.
   *
   * @param others further networks
   * @return these and the others
   */
  public Networks and(Networks others) {
    List<String> allWords = new ArrayList<>(words);
    allWords.addAll(others.words);
    List<Network> all = new ArrayList<>(networks);
    all.addAll(others.networks);
    return new Networks(List.copyOf(allWords), List.copyOf(all));
  }

  /**
   * Whether an address is in one of them.
   *
   * @param text an address literal, with or without brackets and zone; may be null
   * @return false for anything but an address
   */
  public boolean contain(@Nullable String text) {
    if (networks.isEmpty()) {
      return false;
    }
    InetAddress address = Literals.address(text);
    return address != null && contain(address);
  }

  boolean contain(InetAddress address) {
    for (Network network : networks) {
      if (network.contains(address)) {
        return true;
      }
    }
    return false;
  }

  /** The first that has no room for an IPv4 address in its low bits; null if there is none. */
  @Nullable Network firstThatCannotCarryIpv4() {
    for (Network network : networks) {
      if (!network.canCarryIpv4()) {
        return network;
      }
    }
    return null;
  }

  /**
   * Whether there are none.
   *
   * @return true if no address is in them
   */
  public boolean isEmpty() {
    return networks.isEmpty();
  }

  /** As they were written, as in {@code 10.0.0.0/8, loopback}. */
  @Override
  public String toString() {
    return words.stream().collect(Collectors.joining(", "));
  }
}
