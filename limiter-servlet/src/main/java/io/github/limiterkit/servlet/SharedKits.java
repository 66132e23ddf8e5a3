package io.github.limiterkit.servlet;

import io.github.limiterkit.setup.LimiterKit;
import jakarta.servlet.ServletContext;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The kits that filters of an application have in common, because one of them asks before
 * authentication and the other after it. Filters with the same parameters have one kit, which is
 * built for the first of them and closed with the last.
 */
final class SharedKits {

  private static final String ATTRIBUTE = "io.github.limiterkit.servlet.kits";

  private final Map<Map<String, String>, Shared> kits = new HashMap<>();

  /** One kit and how many have it. */
  private static final class Shared {
    final LimiterKit kit;
    int users;

    Shared(LimiterKit kit) {
      this.kit = kit;
    }
  }

  /** Filters start one after the other, so that no two of them make it. */
  static SharedKits of(ServletContext context) {
    if (context.getAttribute(ATTRIBUTE) instanceof SharedKits present) {
      return present;
    }
    SharedKits first = new SharedKits();
    context.setAttribute(ATTRIBUTE, first);
    return first;
  }

  synchronized LimiterKit take(Map<String, String> parameters, Supplier<LimiterKit> building) {
    Shared shared = kits.get(parameters);
    if (shared == null) {
      shared = new Shared(building.get());
      kits.put(parameters, shared);
    }
    shared.users++;
    return shared.kit;
  }

  /** Closes the kit if nobody else has it. */
  synchronized void giveBack(LimiterKit kit) {
    kits.values()
        .removeIf(
            shared -> {
              boolean last = shared.kit == kit && --shared.users == 0;
              if (last) {
                kit.close();
              }
              return last;
            });
  }
}
