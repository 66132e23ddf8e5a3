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

  /**
   * Creates one.
   *
   * @param fault why
   * @param message for an operator; holds no key and no secret
   */
  public StoreException(StoreFault fault, String message) {
    super(message, null, false, false);
    this.fault = fault;
  }

  /**
   * Why the store did not decide.
   *
   * @return the kind of fault
   */
  public StoreFault fault() {
    return fault;
  }
}
