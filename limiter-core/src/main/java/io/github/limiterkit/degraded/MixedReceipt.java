package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Receipt;
import io.github.limiterkit.Scope;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The receipt for charges of both scopes: the decisions about each, with receipts of their own.
 *
 * @param shared what the store admitted
 * @param here what counts on this instance alone
 */
record MixedReceipt(Decision shared, Decision here) implements Receipt {

  /**
   * The receipt for one charge, which was counted at a time of its own counter.
   *
   * @param decision about it
   */
  record Part(Decision decision) implements Receipt {
    @Override
    public List<Receipt> split(List<Charge> charges) {
      throw new IllegalStateException("one charge is not divided");
    }
  }

  @Override
  public List<Receipt> split(List<Charge> charges) {
    Iterator<Decision> ofStore = shared.split().iterator();
    Iterator<Decision> ofThis = here.split().iterator();
    List<Receipt> parts = new ArrayList<>(charges.size());
    for (Charge charge : charges) {
      Iterator<Decision> next = charge.policy().scope() == Scope.SHARED ? ofStore : ofThis;
      parts.add(new Part(next.next()));
    }
    return parts;
  }
}
