package io.github.limiterkit.http;

import io.github.limiterkit.http.address.AddressGrouping;
import io.github.limiterkit.http.address.Networks;
import io.github.limiterkit.http.address.TrustedProxies;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out from which address a request comes, and which addresses are one client. */
final class ClientAddresses {

  /** For requests that nobody has handed to a kit, as in a test of a resolver. */
  static final ClientAddresses PLAIN = new ClientAddresses(AddressGrouping.DEFAULT, null);

  private static final Logger log = LoggerFactory.getLogger("limiterkit");

  private static final Networks NEAR = Networks.of("loopback", "private");
  private static final List<String> FORWARDING = List.of("X-Forwarded-For", "Forwarded");

  /** So many requests are all looked at, and of those that follow one in as many as this. */
  private static final int LOOKED_AT = 256;

  private final AddressGrouping grouping;
  private final @Nullable TrustedProxies trusted;

  private final AddressKeys keys = new AddressKeys(this::newKey);
  private final AtomicBoolean hinted = new AtomicBoolean();
  private final AtomicInteger lookedAt = new AtomicInteger();

  ClientAddresses(AddressGrouping grouping, @Nullable TrustedProxies trusted) {
    this.grouping = grouping;
    this.trusted = trusted;
  }

  /** The address of the client; null or empty if the connection has none. */
  @Nullable String of(RequestView request) {
    String peer = request.remoteAddress();
    if (trusted != null) {
      return trusted.clientOf(peer, request::headers);
    }
    if (!hinted.get() && isLookedAt()) {
      hint(peer, request);
    }
    return peer;
  }

  /** To look at all of them for as long as nothing is amiss would be paid for by every request. */
  private boolean isLookedAt() {
    return lookedAt.get() < LOOKED_AT
        ? lookedAt.incrementAndGet() <= LOOKED_AT
        : ThreadLocalRandom.current().nextInt(LOOKED_AT) == 0;
  }

  /** Whoever forgot the proxy in front limits the proxy: all its clients are one. */
  private void hint(@Nullable String peer, RequestView request) {
    for (String header : FORWARDING) {
      if (!request.headers(header).isEmpty()
          && NEAR.contain(peer)
          && hinted.compareAndSet(false, true)) {
        log.warn(
            "LK004 a request from a private address carries {}, which is not looked at; if a proxy"
                + " of yours is in front, name it in trusted-proxies, else all clients behind it"
                + " count as one",
            header);
      }
    }
  }

  /** The key of an address. */
  String key(@Nullable String address) {
    return address == null ? Keys.UNKNOWN_ADDRESS : keys.of(address);
  }

  private String newKey(String address) {
    String group = grouping.groupOf(address);
    return group == null ? Keys.UNKNOWN_ADDRESS : "ip:" + group;
  }
}
