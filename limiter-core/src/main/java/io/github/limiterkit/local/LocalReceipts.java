package io.github.limiterkit.local;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Receipt;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receipts for charges that were counted in {@link PolicyLogs}: these very logs, because others of
 * the same key count other charges.
 */
public final class LocalReceipts {

  private LocalReceipts() {}

  private record Joint(List<PolicyLogs> logs) implements Receipt {
    @Override
    public List<Receipt> split(List<Charge> charges) {
      return List.copyOf(logs);
    }
  }

  /** Takes out of its logs what a charge put in. */
  @FunctionalInterface
  public interface Ledger {

    /**
     * Takes a charge out of the logs of its key, if they are still those that it was counted in.
     *
     * @param charge policy and key, and as cost the units to take at most
     * @param logs what it was counted in
     * @return units that were taken: the most of any limit
     */
    long takeOut(Charge charge, PolicyLogs logs);
  }

  /**
   * The receipt for several charges.
   *
   * @param logs what each was counted in, at least one, in the order of the decision's usages
   * @return the receipt; that for one charge is its logs
   */
  public static Receipt of(List<PolicyLogs> logs) {
    return logs.size() == 1 ? logs.get(0) : new Joint(List.copyOf(logs));
  }

  /**
   * Gives back what a decision charged.
   *
   * @param decision the decision
   * @param receipt its receipt
   * @param units how many to give back of every charge at most
   * @param ledger takes them out of the logs
   * @return the charges of which something was taken, with the units that were taken as cost
   */
  public static List<Charge> refund(Decision decision, Receipt receipt, long units, Ledger ledger) {
    List<Charge> givenBack = new ArrayList<>();
    int at = 0;
    for (LimitUsage usage : decision.usages()) {
      if (usage.index() > 0) {
        continue; // of the same charge as the one before
      }
      PolicyLogs logs = logs(receipt, at++);
      Charge charge = usage.charge();
      long cost = Math.min(units, charge.cost());
      if (logs == null || cost == 0) {
        continue;
      }
      long taken = ledger.takeOut(new Charge(charge.policy(), charge.key(), cost), logs);
      if (taken > 0) {
        givenBack.add(new Charge(charge.policy(), charge.key(), taken));
      }
    }
    return givenBack;
  }

  private static @Nullable PolicyLogs logs(Receipt receipt, int charge) {
    if (receipt instanceof PolicyLogs single) {
      return charge == 0 ? single : null;
    }
    return receipt instanceof Joint joint && charge < joint.logs.size()
        ? joint.logs.get(charge)
        : null;
  }
}
