package io.github.limiterkit.store;

/** Why a shared store did not decide. */
public enum StoreFault {
  /** No reply within the deadline, or an earlier reply is overdue. */
  TIMEOUT(Severity.COUNTS),
  /** The connection ended or the reply made no sense. */
  RESET(Severity.COUNTS),
  /** There is no connection: refused, not resolved, or not made yet. */
  UNREACHABLE(Severity.SHUTS),
  /** The server is a replica, or no longer accepts writes. */
  READONLY(Severity.SHUTS),
  /** The server is reading its data. */
  LOADING(Severity.SHUTS),
  /** The server is out of memory. */
  OUT_OF_MEMORY(Severity.SHUTS),
  /** The server runs somebody's long script. */
  BUSY(Severity.SHUTS),
  /** The server cannot save and refuses writes. */
  MISCONFIGURED(Severity.SHUTS),
  /** The server has too few replicas. */
  NO_REPLICAS(Severity.SHUTS),
  /** The replica lost its master. */
  MASTER_DOWN(Severity.SHUTS),
  /** The cluster is not whole. */
  CLUSTER_DOWN(Severity.SHUTS),
  /** The server accepts no more clients. */
  TOO_MANY_CLIENTS(Severity.SHUTS),
  /** Password or user is wrong or missing. */
  AUTHENTICATION(Severity.SHUTS_WITH_ALARM),
  /** The user may not do what the kit needs. */
  PERMISSION(Severity.SHUTS_WITH_ALARM),
  /** The keys of one call live in different slots. */
  CROSS_SLOT(Severity.ONE_DECISION_WITH_ALARM),
  /** The script failed for a reason that is not listed here. */
  SCRIPT(Severity.ONE_DECISION_WITH_ALARM),
  /** The slot is moving; the next call will find it. */
  TRY_AGAIN(Severity.ONE_DECISION);

  /** What a fault does to the health of a node. */
  enum Severity {
    COUNTS,
    SHUTS,
    SHUTS_WITH_ALARM,
    ONE_DECISION,
    ONE_DECISION_WITH_ALARM
  }

  private final Severity severity;

  StoreFault(Severity severity) {
    this.severity = severity;
  }

  /**
   * Whether the node's gate shuts on the first such sample.
   *
   * @return true for what cannot get better by the next call
   */
  public boolean shutsAtOnce() {
    return severity == Severity.SHUTS || severity == Severity.SHUTS_WITH_ALARM;
  }

  /**
   * Whether it says something about the health of the node at all.
   *
   * @return false where it concerns one decision only
   */
  public boolean concernsNode() {
    return severity != Severity.ONE_DECISION && severity != Severity.ONE_DECISION_WITH_ALARM;
  }

  /** Whether a call that was sent and failed so may have been executed all the same. */
  boolean leavesOutcomeOpen() {
    return this == TIMEOUT || this == RESET || this == UNREACHABLE;
  }

  /**
   * Whether it is the operator's or the kit's own fault, and waiting will not mend it.
   *
   * @return true if it deserves an alarm
   */
  public boolean alarms() {
    return severity == Severity.SHUTS_WITH_ALARM || severity == Severity.ONE_DECISION_WITH_ALARM;
  }
}
