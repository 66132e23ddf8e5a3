package io.github.limiterkit.http;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a request was charged until it is known whether it counts: by the policies that count
 * failures only. It is taken before the application runs, so that no number of attempts at the same
 * time gets past a limit, and given back if the application's answer is no failure.
 *
 * <p>An adapter calls {@link #settle} once the status is known, in whatever way the request ends,
 * also after an exception and for an asynchronous request. One that is never settled stays counted.
 *
 * <p>Safe for use by several threads.
 */
public final class Reservation {

  private final RequestLedger ledger;
  private final List<Account> accounts;
  private final AtomicBoolean settled = new AtomicBoolean();

  Reservation(RequestLedger ledger, List<Account> accounts) {
    this.ledger = ledger;
    this.accounts = accounts;
  }

  /**
   * Says how the request was answered. Only the first call has an effect. It may ask the store,
   * once for each policy and for no longer than its deadline; if the store is gone, it goes on
   * counting what it was not told to give back. It never throws.
   *
   * @param status of the answer; 500 if the application threw before it had set one
   */
  public void settle(int status) {
    if (settled.compareAndSet(false, true)) {
      accounts.forEach(account -> account.settle(status, ledger.isTurnedAway()));
    }
  }
}
