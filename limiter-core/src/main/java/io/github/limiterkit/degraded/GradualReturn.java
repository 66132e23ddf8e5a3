package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Source;
import io.github.limiterkit.local.LocalTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps whom this instance refused while the store was lost to the same lowered limits for two
 * seconds more.
 *
 * <p>A store that comes back empty has a fresh quota for every key, and those who ask most are
 * those who have just been refused: were they all let through to it at once, its first load would
 * be several times the normal one. Within their lowered limits they ask the store like everybody
 * else, so it learns again what they have had. It only ever refuses more than the store would, so
 * no bound depends on it; whoever was not refused in the outage is not concerned.
 */
final class GradualReturn {

  private static final long LASTS_MILLIS =
      Duration.ofNanos(HealthGate.JUST_OPENED_NANOS).toMillis();

  private final LocalTable<OwnLog> ownLogs;
  private final DegradedListener listener;

  GradualReturn(LocalTable<OwnLog> ownLogs, DegradedListener listener) {
    this.ownLogs = ownLogs;
    this.listener = listener;
  }

  /**
   * The refusal of charges to a node that has just come back; null if the store is to be asked.
   *
   * @param lostMillis the local time when the node was lost
   * @param backMillis the local time when it came back
   */
  @Nullable Decision refusal(List<Charge> charges, long lostMillis, long backMillis) {
    for (Charge charge : charges) {
      Optional<Decision> refusal =
          charge.cost() == 0
              ? null
              : ownLogs.ifPresent(
                  charge, (asked, log, now) -> refusal(asked, log, lostMillis, backMillis, now));
      if (refusal != null && refusal.isPresent()) {
        return refusal.get();
      }
    }
    return null;
  }

  private Optional<Decision> refusal(
      Charge charge, OwnLog log, long lostMillis, long backMillis, long now) {
    LoweredQuotas lowered = log.lowered();
    long left = backMillis + LASTS_MILLIS - now;
    if (lowered == null || lowered.refusedMillis() < lostMillis || left <= 0) {
      return Optional.empty();
    }
    log.turnTo(charge.policy(), now);
    if (!lowered.concerns(charge.policy()) || hasRoom(charge, log, lowered, now)) {
      return Optional.empty();
    }
    listener.decidedHere(false, hasRoomInTheWhole(charge, log, now));
    List<LimitUsage> usages = new ArrayList<>(lowered.size());
    for (int i = 0; i < lowered.size(); i++) {
      usages.add(usage(charge, i, log, lowered.of(i), left, now));
    }
    return Optional.of(new Decision(false, Source.LOCAL, usages));
  }

  private static boolean hasRoom(Charge charge, OwnLog log, LoweredQuotas lowered, long now) {
    for (int i = 0; i < lowered.size(); i++) {
      if (log.ownUnits(i, now) + charge.cost() > lowered.of(i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasRoomInTheWhole(Charge charge, OwnLog log, long now) {
    List<Limit> limits = charge.policy().limits();
    for (int i = 0; i < limits.size(); i++) {
      if (log.ownUnits(i, now) + charge.cost() > limits.get(i).permits()) {
        return false;
      }
    }
    return true;
  }

  /** The store is asked when there is room again, or when the two seconds are over. */
  private static LimitUsage usage(
      Charge charge, int limit, OwnLog log, long quota, long left, long now) {
    Limit of = charge.policy().limits().get(limit);
    long cost = charge.cost();
    long wait =
        cost > of.permits()
            ? LimitUsage.NEVER
            : Math.min(left, cost > quota ? left : log.ownRetryAfter(limit, now, cost, of, quota));
    long remaining = Math.max(0, quota - log.ownUnits(limit, now));
    long reset = log.resetAfter(limit, now, quota);
    return new LimitUsage(charge, limit, quota, remaining, wait, reset, Source.LOCAL);
  }
}
