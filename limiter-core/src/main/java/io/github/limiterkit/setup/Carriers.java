package io.github.limiterkit.setup;

import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Route;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The adapters of one application, by the policies that their routes charge, for the adapters.
 *
 * <p>A request is charged once per policy name, whoever meets it first. So a policy in two adapters
 * of a kind is charged by one of them only, and if its limits differ, those of the other are
 * without effect. That is said at the start, with the code LK003.
 *
 * <p>Safe for use by several threads.
 */
public final class Carriers {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");

  private final Map<String, LimiterKit> kits = new LinkedHashMap<>();

  /** For an application in which no adapter has started yet. */
  public Carriers() {}

  /**
   * Notes that an adapter starts, and warns of each policy that one with another kit charges, too.
   *
   * @param adapter who it is, for people, as in {@code filter "limits"}; a second time it replaces
   *     what was noted
   * @param kit what it asks
   */
  public synchronized void add(String adapter, LimiterKit kit) {
    Set<String> charged = charged(kit);
    kits.forEach(
        (other, theirs) -> {
          if (!other.equals(adapter) && theirs != kit) {
            charged(theirs).stream()
                .filter(charged::contains)
                .forEach(name -> warn(name, other, adapter));
          }
        });
    kits.put(adapter, kit);
  }

  /**
   * Notes that an adapter has ended.
   *
   * @param adapter as it was added; one that is not there is left alone
   */
  public synchronized void remove(String adapter) {
    kits.remove(adapter);
  }

  private static Set<String> charged(LimiterKit kit) {
    Set<String> names = new LinkedHashSet<>();
    for (Route route : kit.http().routes()) {
      route.policies().stream().map(HttpPolicy::name).forEach(names::add);
    }
    return names;
  }

  private static void warn(String policy, String one, String other) {
    log.warn(
        "LK003 policy {} is in {} and in {}: a request that meets both is charged by the first of"
            + " them only; take it out of one, or give it another name there",
        policy,
        one,
        other);
  }
}
