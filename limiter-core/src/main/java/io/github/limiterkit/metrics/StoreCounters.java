package io.github.limiterkit.metrics;

import io.github.limiterkit.Mode;
import io.github.limiterkit.store.StoreFault;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what was seen of the shared store. Safe for use by several threads; counting takes no
 * lock.
 */
public final class StoreCounters {

  private final CountBy<Mode> transitions = new CountBy<>(Mode.class);
  private final CountBy<StoreFault> faults = new CountBy<>(StoreFault.class);
  private final LongAdder outcomeUnknown = new LongAdder();
  private final LongAdder shed = new LongAdder();
  private final LongAdder floorRefusals = new LongAdder();
  private final LongAdder rehearsedStricter = new LongAdder();
  private final LongAdder rehearsedLaxer = new LongAdder();
  private final LongAdder unreadable = new LongAdder();
  private final LongAdder allowedHere = new LongAdder();
  private final LongAdder refusedHere = new LongAdder();
  private final LongAdder loweredRefusals = new LongAdder();

  /** Starts at zero. */
  public StoreCounters() {}

  /**
   * How often a node came to a mode.
   *
   * @param to the mode it came to
   * @return transitions so far, over all nodes
   */
  public long transitions(Mode to) {
    return transitions.sum(to);
  }

  /**
   * How often the store failed in one way.
   *
   * @param fault the way
   * @return calls so far, over all nodes, those of the background included
   */
  public long faults(StoreFault fault) {
    return faults.sum(fault);
  }

  /**
   * Calls that were sent and of which nobody knows whether the store executed them. The decision
   * was made here, and the call was not sent again.
   *
   * @return calls so far, over all nodes
   */
  public long outcomeUnknown() {
    return outcomeUnknown.sum();
  }

  /**
   * Decisions that did not ask the store because too many callers were inside it already.
   *
   * @return decisions so far
   */
  public long shed() {
    return shed.sum();
  }

  /**
   * Decisions that the store would have allowed, had it not forgotten what this instance knows.
   *
   * @return refusals so far
   */
  public long floorRefusals() {
    return floorRefusals.sum();
  }

  /**
   * Decisions that the store allowed and this instance would have refused by itself.
   *
   * @return decisions so far
   */
  public long rehearsedStricter() {
    return rehearsedStricter.sum();
  }

  /**
   * Decisions that the store refused and this instance would have allowed by itself.
   *
   * @return decisions so far
   */
  public long rehearsedLaxer() {
    return rehearsedLaxer.sum();
  }

  /**
   * Decisions about shared limits that this instance made by itself.
   *
   * @return decisions so far
   */
  public long decidedHere() {
    return allowedHere.sum() + refusedHere.sum();
  }

  /**
   * Those of {@link #decidedHere} that were refusals.
   *
   * @return refusals so far
   */
  public long refusedHere() {
    return refusedHere.sum();
  }

  /**
   * Those of {@link #refusedHere} that only this instance's lowered limit refused: of the whole
   * quota the instance had room left.
   *
   * @return refusals so far
   */
  public long loweredRefusals() {
    return loweredRefusals.sum();
  }

  /**
   * Counts in the store that could not be read and began anew.
   *
   * @return states so far
   */
  public long unreadable() {
    return unreadable.sum();
  }

  /**
   * Counts a transition.
   *
   * @param to the mode that a node came to
   */
  public void countTransition(Mode to) {
    transitions.increment(to);
  }

  /**
   * Counts a fault.
   *
   * @param fault the way in which a call failed
   */
  public void countFault(StoreFault fault) {
    faults.increment(fault);
  }

  /** Counts a call that was sent and got no answer. */
  public void countOutcomeUnknown() {
    outcomeUnknown.increment();
  }

  /** Counts a decision that did not ask the store because too many were inside it. */
  public void countShed() {
    shed.increment();
  }

  /** Counts a refusal for the sake of what the store forgot. */
  public void countFloorRefusal() {
    floorRefusals.increment();
  }

  /** Counts a decision that this instance alone would have refused. */
  public void countRehearsedStricter() {
    rehearsedStricter.increment();
  }

  /** Counts a decision that this instance alone would have allowed. */
  public void countRehearsedLaxer() {
    rehearsedLaxer.increment();
  }

  /**
   * Counts a decision about a shared limit that this instance made by itself.
   *
   * @param allowed whether it was admitted
   * @param loweredAlone whether only the lowered limit refused it
   */
  public void countDecidedHere(boolean allowed, boolean loweredAlone) {
    (allowed ? allowedHere : refusedHere).increment();
    if (loweredAlone) {
      loweredRefusals.increment();
    }
  }

  /**
   * Counts states that could not be read.
   *
   * @param states how many
   */
  public void countUnreadable(long states) {
    unreadable.add(states);
  }
}
