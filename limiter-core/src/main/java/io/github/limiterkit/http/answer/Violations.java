package io.github.limiterkit.http.answer;

import io.github.limiterkit.LimitUsage;
import java.util.ArrayList;
import java.util.List;

/**
 * What a refusal says: the status, the wait, and which limits had no room.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class Violations {

  /** Too Many Requests; the servlet API has no constant for it before 6.2. */
  public static final int TOO_MANY_REQUESTS = 429;

  /** Service Unavailable. */
  public static final int SERVICE_UNAVAILABLE = 503;

  /** Seconds to wait when there is no policy to give a hint. */
  private static final long UNKNOWN_WAIT = 5;

  private final long longestWait;
  private final PartitionKeys keys;
  private final List<String> names = new ArrayList<>();
  private final StringBuilder field = new StringBuilder(48);
  private int status = SERVICE_UNAVAILABLE;
  private long wait;
  private long jitter;
  private boolean hopeless;
  private boolean keyless;

  private Violations(long longestWait, PartitionKeys keys) {
    this.longestWait = longestWait;
    this.keys = keys;
  }

  /**
   * Sums up a refusal.
   *
   * <p>Of several refusing policies the longest wait counts, and 429 comes before 503: a client
   * whose own quota is spent is told so.
   *
   * @param judged every policy that was asked, at least one
   * @param longestWait the most seconds to tell
   * @return what to say
   */
  public static Violations of(List<Judged> judged, long longestWait) {
    return of(judged, longestWait, 0, PartitionKeys.NONE);
  }

  /**
   * As {@link #of(List, long)}, with longer waits and with the keys of the quotas.
   *
   * @param judged every policy that was asked, at least one
   * @param longestWait the most seconds to tell
   * @param jitter seconds to lengthen each wait by, 0 or more
   * @param keys writes them
   * @return what to say
   */
  public static Violations of(
      List<Judged> judged, long longestWait, long jitter, PartitionKeys keys) {
    Violations violations = new Violations(longestWait, keys);
    violations.jitter = jitter;
    boolean found = false;
    for (Judged one : judged) {
      found |= violations.add(one);
    }
    if (!found) {
      for (Judged one : judged) {
        violations.addUnknown(one, one.status()); // a limiter that says no without saying why
      }
    }
    return violations;
  }

  /**
   * A refusal that is not the client's fault, and of which nothing else is known.
   *
   * @param longestWait the most seconds to tell
   * @return what to say
   */
  public static Violations unavailable(long longestWait) {
    Violations violations = new Violations(longestWait, PartitionKeys.NONE);
    violations.wait = UNKNOWN_WAIT;
    return violations;
  }

  /**
   * A refusal of a request that lacks what it is counted by.
   *
   * @param status 429 or 503
   * @param names of the policies that may be named
   * @return what to say
   */
  public static Violations keyless(int status, List<String> names) {
    Violations violations = new Violations(0, PartitionKeys.NONE);
    violations.status = status;
    violations.names.addAll(names);
    violations.keyless = true;
    return violations;
  }

  private boolean add(Judged one) {
    if (one.closed()) {
      addUnknown(one, SERVICE_UNAVAILABLE);
      return true;
    }
    boolean refused = false;
    for (LimitUsage usage : one.usages()) {
      if (usage.refused()) {
        refused = true;
        add(one, usage);
      }
    }
    return refused;
  }

  private void add(Judged one, LimitUsage usage) {
    boolean tooDear = usage.charge().cost() > usage.limit().permits();
    long seconds = 0;
    if (tooDear) {
      hopeless = true;
    } else if (usage.retryAfterMillis() == LimitUsage.NEVER) {
      // Too dear for the lowered quota only, and nobody knows how long that lasts.
      wait = Math.max(wait, hint(one));
    } else {
      seconds = Seconds.roundedUp(usage.retryAfterMillis()) + jitter;
      wait = Math.max(wait, seconds);
    }
    status(tooDear ? TOO_MANY_REQUESTS : one.status());
    if (name(one, usage.index(), seconds)) {
      keys.appendTo(field, usage.charge());
    }
  }

  private void addUnknown(Judged one, int answered) {
    wait = Math.max(wait, hint(one));
    status(answered);
    name(one, 0, 0);
  }

  private long hint(Judged one) {
    return Seconds.roundedUp(one.text().policy().retryAfterHint().toMillis()) + jitter;
  }

  private void status(int answered) {
    if (answered == TOO_MANY_REQUESTS) {
      status = TOO_MANY_REQUESTS;
    }
  }

  private boolean name(Judged one, int index, long seconds) {
    if (one.shown()) {
      names.add(one.text().names().get(index));
      one.text().appendName(RateLimitFields.comma(field), index).append(";r=0");
      RateLimitFields.appendTime(field, seconds, longestWait);
    }
    return one.shown();
  }

  /**
   * The status to answer with.
   *
   * @return 429, or 503 if every refusing policy asks for it
   */
  public int status() {
    return status;
  }

  /**
   * The wait to tell.
   *
   * @return whole seconds, 1 or more; 0 if no wait would help
   */
  public long retryAfter() {
    return hopeless || keyless ? 0 : Math.max(1, Math.min(wait, longestWait));
  }

  /**
   * Whether the request costs more than a limit allows at all.
   *
   * @return true if waiting does not help
   */
  public boolean hopeless() {
    return hopeless;
  }

  /**
   * Whether the request lacks what it is counted by.
   *
   * @return true if waiting does not help, but a log-in or a key may
   */
  public boolean keyless() {
    return keyless;
  }

  /**
   * The limits that had no room and may be named.
   *
   * @return names as in the fields, perhaps none
   */
  public List<String> names() {
    return List.copyOf(names);
  }

  /**
   * The value of {@code RateLimit}: the refusing limits only, so that no time in it is later than
   * {@code Retry-After}.
   *
   * @return the members, empty if there are none, and then no field may be sent
   */
  public String rateLimit() {
    return field.toString();
  }
}
