package io.github.limiterkit.setup;

import io.github.limiterkit.http.address.Networks;
import io.github.limiterkit.http.address.TrustedProxies;
import org.jspecify.annotations.Nullable;

/** Whom to believe about addresses, as far as files and init-params have said it. */
final class ProxySettings {

  private TrustedProxies.@Nullable Builder header;
  private Networks networks = Networks.NONE;
  private int hops;

  void header(String name) {
    header = TrustedProxies.header(name);
  }

  void network(String text) {
    networks = networks.and(Networks.of(text));
  }

  void hops(int number) {
    hops = number;
  }

  /**
   * Puts it together.
   *
   * @return null if nothing was said
   * @throws IllegalArgumentException if a part is missing, or two do not go together
   */
  @Nullable TrustedProxies build() {
    if (header == null && networks.isEmpty() && hops == 0) {
      return null;
    }
    if (header == null) {
      throw new IllegalArgumentException(
          "has no header; name the one that the proxies write, as in X-Forwarded-For");
    }
    if (networks.isEmpty() == (hops == 0)) {
      throw new IllegalArgumentException(
          hops == 0
              ? "has neither networks nor hops; write the proxies' networks, as in 10.0.0.0/8"
              : "has both networks and hops; keep networks, which say more");
    }
    return hops == 0 ? header.networks(networks) : header.hops(hops);
  }
}
