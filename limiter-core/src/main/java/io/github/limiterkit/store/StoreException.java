package io.github.limiterkit.store;

/**
 * The shared store did not decide. Thrown by {@link SharedStore} and caught in one place, where the
 * decision is made locally instead; it never reaches a user of the kit.
 *
 * <p>It carries no stack trace: during an outage there may be thousands a second, and the fault
 * says all there is to say.
 */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Why the store did not decide. */
  private final StoreFault fault;

  /** Whether it may have executed the call all the same. */
  private final boolean outcomeUnknown;

  /**
   * Creates one.
   *
   * @param fault why
   * @param message for an operator; holds no key and no secret
   */
  public StoreException(StoreFault fault, String message) {
    this(fault, message, false);
  }

  private StoreException(StoreFault fault, String message, boolean outcomeUnknown) {
    super(message, null, false, false);
    this.fault = fault;
    this.outcomeUnknown = outcomeUnknown;
  }

  /**
   * The same, of a call that was on its way to the store already.
   *
   * @return with {@link #outcomeUnknown()} unless the store itself said that it refused
   */
  public StoreException afterSending() {
    return fault.leavesOutcomeOpen()
        ? new StoreException(fault, String.valueOf(getMessage()), true)
        : this;
  }

  /**
   * Why the store did not decide.
   *
   * @return the kind of fault
   */
  public StoreFault fault() {
    return fault;
  }

  /**
   * Whether the store may have executed the call all the same: it was sent, and no answer came. It
   * is never sent again.
   *
   * @return true if nobody can tell
   */
  public boolean outcomeUnknown() {
    return outcomeUnknown;
  }
}
