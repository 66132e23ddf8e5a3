package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Receipt;
import io.github.limiterkit.local.PolicyLogs;
import io.github.limiterkit.store.StoreReply.LimitReply;
import java.util.ArrayList;
import java.util.List;

/**
 * The receipt for charges that the store counted, and this instance with it.
 *
 * @param issuer who asked the store; another store may know the same births
 * @param ownLogs where each charge was booked here
 * @param limits what the store said of each limit; the births name the states that were charged
 */
record StoreReceipt(SharedDecisions issuer, List<PolicyLogs> ownLogs, List<LimitReply> limits)
    implements Receipt {

  @Override
  public List<Receipt> split(List<Charge> charges) {
    List<Receipt> parts = new ArrayList<>(charges.size());
    int from = 0;
    for (int i = 0; i < charges.size(); i++) {
      int to = from + charges.get(i).policy().limits().size();
      parts.add(new StoreReceipt(issuer, List.of(ownLogs.get(i)), limits.subList(from, to)));
      from = to;
    }
    return parts;
  }

  long[] births() {
    return limits.stream().mapToLong(LimitReply::birthMillis).toArray();
  }
}
