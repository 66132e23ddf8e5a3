package io.github.limiterkit.examples.outagereplay;

import java.util.function.Consumer;

/**
 * An outage as it is played.
 *
 * @param outage which one it is, or is a variant of
 * @param load before it, in it and after it
 * @param begin makes it happen to a store
 * @param end gives the store back
 */
record Scene(Outage outage, Load load, Consumer<Store> begin, Consumer<Store> end) {

  boolean isStoreGone() {
    return outage == Outage.B;
  }
}
