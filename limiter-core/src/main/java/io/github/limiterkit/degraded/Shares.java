package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Limit;
import java.time.Duration;

/**
 * This instance's share of a quota while the store is lost.
 *
 * <p>Connections that are kept alive, and balancers that send a client to the same instance again,
 * pin clients to instances; with equal shares a pinned client would lose most of what it is used
 * to. So half of the share follows what this instance had of the key in the last whole epoch before
 * the store was lost: with {@code U} units of the fleet, {@code own} of them this instance's, and
 * {@code N} instances,
 *
 * <pre>
 *   share = ½·λ·own/U + (1 - ½·λ)/N      with λ = U/(U + 10)
 * </pre>
 *
 * <p>The shares of all instances add up to 1 as long as they divide the same epoch: the parts
 * {@code own/U} add up to 1 at most, and {@code ½·λ + (1 - ½·λ) = 1}. Instances that divide {@code
 * G} different epochs have {@code 1 + G/2} together at most. What keeps {@code G} small:
 *
 * <ul>
 *   <li>the instance has a reply for the key of the very epoch in which it lost the store;
 *   <li>the store's state of the key was born before the divided epoch, else a flush would hide a
 *       part of {@code U};
 *   <li>no instance was missing for an epoch and 2 s before the loss, by heartbeats at most 2 s
 *       apart, the last at most 2 s old, one deadline subtracted from both: who lost the store long
 *       before is missing, and divides another epoch.
 * </ul>
 *
 * <p>Otherwise, and from one hour after the loss on, the share is {@code 1/N}. It does not change
 * while the store is lost.
 */
final class Shares {

  private static final double LEARNED = 0.5;
  private static final double ENOUGH_UNITS = 10;
  private static final long LEARNED_FOR_MILLIS = Duration.ofHours(1).toMillis();

  private final FleetSize fleet;
  private final StoreClock storeClock;
  private final Loss loss;

  /** When the store was lost. */
  @FunctionalInterface
  interface Loss {

    /**
     * For a decision about a charge that is made here.
     *
     * @param now the local time
     * @return the local time when the node of the charge was lost; {@code now} if it is in use, and
     *     only this one call of it failed
     */
    long atMillis(Charge charge, long now);
  }

  Shares(FleetSize fleet, StoreClock storeClock, Loss loss) {
    this.fleet = fleet;
    this.storeClock = storeClock;
    this.loss = loss;
  }

  /** Of a quota, above 0, at most 1. */
  double share(Charge charge, int limit, OwnLog log, long now) {
    double equal = fleet.rule().share();
    long units = divisible(charge, limit, log, now);
    if (units == 0) {
      return equal;
    }
    double learned = LEARNED * units / (units + ENOUGH_UNITS);
    return learned * part(limit, log, units) + (1 - learned) * equal;
  }

  /** What this instance had of the divided units, if they may be used; else the equal share. */
  double partBefore(Charge charge, int limit, OwnLog log, long now) {
    long units = divisible(charge, limit, log, now);
    return units == 0 ? fleet.rule().share() : part(limit, log, units);
  }

  private static double part(int limit, OwnLog log, long units) {
    return (double) log.epochs(limit).ownBefore() / units;
  }

  private long divisible(Charge charge, int limit, OwnLog log, long now) {
    EpochUnits epochs = log.epochs(limit);
    long lost = loss.atMillis(charge, now);
    long units = epochs.divisible(storeClock.at(lost));
    boolean mayBe = units > 0 && now - lost < LEARNED_FOR_MILLIS;
    Limit of = charge.policy().limits().get(limit);
    return mayBe && fleet.wasWhole(lost, EpochUnits.lengthMillis(of)) ? units : 0;
  }
}
