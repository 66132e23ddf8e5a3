package io.github.limiterkit.http;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the keys of addresses seen of late, for a client seldom comes once. An address that is not
 * kept takes the place of another, so that no number of them fills more than the places there are.
 *
 * <p>Safe for use by several threads.
 */
final class AddressKeys {

  static final int PLACES = 1024;

  /** The longest spelling that is kept, an IPv6 address in brackets; longer ones are rare. */
  static final int LONGEST_KEPT = 48;

  private final AtomicReferenceArray<@Nullable Kept> places = new AtomicReferenceArray<>(PLACES);
  private final UnaryOperator<String> finding;

  /** An address as the container spells it, and its key. */
  private record Kept(String address, String key) {}

  /**
   * Creates it, empty.
   *
   * @param finding the key of an address
   */
  AddressKeys(UnaryOperator<String> finding) {
    this.finding = finding;
  }

  String of(String address) {
    if (address.length() > LONGEST_KEPT) {
      return finding.apply(address);
    }
    int hash = address.hashCode();
    int place = (hash ^ (hash >>> 16)) & (PLACES - 1);
    Kept kept = places.get(place);
    if (kept != null && kept.address.equals(address)) {
      return kept.key;
    }
    String key = finding.apply(address);
    places.set(place, new Kept(address, key));
    return key;
  }
}
