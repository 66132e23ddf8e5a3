package io.github.limiterkit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@link RateLimiter#acquire}: yes or no, who said so, and how each limit stands.
 *
 * <pre>{@code
 * Decision decision = kit.acquire("orders", "user:customer-42");
 * if (!decision.allowed()) {
 *   sleepFor(decision.retryAfter());
 * }
 * }</pre>
 *
 * <p>It also holds the receipt for what was charged, which {@link RateLimiter#refund(Decision)}
 * uses once, however many threads try. Apart from that it is immutable. Safe for use by several
 * threads.
 */
public final class Decision {

  /** A wait without end: the cost exceeds a limit, so waiting does not help. */
  public static final Duration NEVER = Duration.ofMillis(LimitUsage.NEVER);

  private static final VarHandle RECEIPT = receiptHandle();

  private final Source source;

  /** The only usage itself, or the list of all: most decisions have one, and are spared a list. */
  private final Object usages;

  /** Twice the stamp, and 1 if allowed: one field less, so that a decision takes 32 bytes. */
  private final long stampAndAllowed;

  /** Null if there is nothing to give back, or nothing any more. Not final, and written once. */
  private @Nullable Receipt receipt;

  /**
   * A decision of which nothing can be given back: a refusal, a look, or what was not counted.
   *
   * @param allowed whether the work may go on; if so, everything asked for was charged, else
   *     nothing
   * @param source who decided; for several charges the weakest that took part
   * @param usages one per limit that was looked at, in the order of the charges; none for a charge
   *     that {@link WhenStoreFails#OPEN} let pass uncounted
   */
  public Decision(boolean allowed, Source source, List<LimitUsage> usages) {
    this(Objects.requireNonNull(source, "source"), held(usages), null, allowed ? 1 : 0);
  }

  /**
   * The same for one charge to one limit.
   *
   * @param allowed whether the work may go on; if so, everything asked for was charged, else
   *     nothing
   * @param usage of the limit; its source decided
   */
  public Decision(boolean allowed, LimitUsage usage) {
    this(usage.source(), usage, null, allowed ? 1 : 0);
  }

  // Only sets its fields: what is worked out after an object was allocated, even its arguments,
  // has the collector told of every reference that is then stored in it.
  private Decision(Source source, Object usages, @Nullable Receipt receipt, long stampAndAllowed) {
    this.source = source;
    this.usages = usages;
    this.stampAndAllowed = stampAndAllowed;
    this.receipt = receipt;
  }

  /**
   * For limiters: a decision that is allowed, and can be taken back.
   *
   * @param source who decided
   * @param usages one per limit that was looked at, in the order of the charges
   * @param receipt what the limiter needs to find the charge again
   * @param stampMillis when it was counted, on the counter's clock, from -2<sup>62</sup> to
   *     2<sup>62</sup> - 1
   * @return the decision
   */
  public static Decision charged(
      Source source, List<LimitUsage> usages, Receipt receipt, long stampMillis) {
    Objects.requireNonNull(source, "source");
    Object held = held(usages);
    return new Decision(source, held, receipt, 2 * stampMillis + 1);
  }

  /**
   * The same for one charge to one limit.
   *
   * @param usage of the limit; its source decided
   * @param receipt what the limiter needs to find the charge again
   * @param stampMillis when it was counted, as above
   * @return the decision
   */
  public static Decision charged(LimitUsage usage, Receipt receipt, long stampMillis) {
    Source source = usage.source();
    return new Decision(source, usage, receipt, 2 * stampMillis + 1);
  }

  /**
   * Whether the work may go on.
   *
   * @return true if everything asked for was charged, false if nothing was
   */
  public boolean allowed() {
    return (stampAndAllowed & 1) == 1;
  }

  /**
   * Who decided.
   *
   * @return for several charges the weakest that took part
   */
  public Source source() {
    return source;
  }

  /**
   * How the limits stand.
   *
   * @return one per limit that was looked at, in the order of the charges; none for a charge that
   *     {@link WhenStoreFails#OPEN} let pass uncounted
   */
  @SuppressWarnings("unchecked") // Nothing else is ever held.
  public List<LimitUsage> usages() {
    return usages instanceof LimitUsage only ? List.of(only) : (List<LimitUsage>) usages;
  }

  /**
   * The least wait after which the same charges are admitted if nobody else is.
   *
   * @return zero if allowed, else 1 ms or more; {@link #NEVER} if waiting does not help
   */
  public Duration retryAfter() {
    long millis = retryAfterMillis();
    return millis == LimitUsage.NEVER ? NEVER : Duration.ofMillis(millis);
  }

  /**
   * As {@link #retryAfter}, in milliseconds.
   *
   * @return 0 if allowed, else 1 or more; {@link LimitUsage#NEVER} if waiting does not help
   */
  public long retryAfterMillis() {
    if (allowed()) {
      return 0;
    }
    long longest = 0;
    for (LimitUsage usage : usages()) {
      longest = Math.max(longest, usage.retryAfterMillis());
    }
    return longest;
  }

  /**
   * For limiters: takes the receipt out. Of several threads that try, one gets it; whoever takes it
   * and gives nothing back has made the charge final.
   *
   * @param units how many are to be given back of every charge, 0 to 4,000,000,000; for 0 the
   *     receipt stays
   * @return what {@link #charged} was given; null if there is none, or it was taken before
   * @throws IllegalArgumentException if {@code units} is out of range
   */
  public @Nullable Receipt takeReceipt(long units) {
    if (units < 0 || units > Limit.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "a refund of %d units is outside 0 to %d".formatted(units, Limit.MAX_PERMITS));
    }
    return units == 0 || receipt == null ? null : (Receipt) RECEIPT.getAndSet(this, (Receipt) null);
  }

  /**
   * The decision about each charge by itself, so that one can be given back and another not.
   *
   * <p>What was charged can then be given back through the parts only, each once, and not through
   * this decision any more.
   *
   * @return one for each charge that has usages, in their order; this decision alone if there are
   *     not several
   */
  public List<Decision> split() {
    List<LimitUsage> all = usages();
    List<List<LimitUsage>> byCharge = new ArrayList<>();
    for (int from = 0, to; from < all.size(); from = to) {
      to = from + 1;
      while (to < all.size() && all.get(to).index() > 0) {
        to++;
      }
      byCharge.add(all.subList(from, to));
    }
    if (byCharge.size() < 2) {
      return List.of(this);
    }
    Receipt whole = takeReceipt(Limit.MAX_PERMITS);
    List<Receipt> receipts =
        whole == null
            ? List.of()
            : whole.split(byCharge.stream().map(part -> part.get(0).charge()).toList());
    List<Decision> parts = new ArrayList<>(byCharge.size());
    for (int i = 0; i < byCharge.size(); i++) {
      Receipt receipt = receipts.isEmpty() ? null : receipts.get(i);
      parts.add(new Decision(source, held(byCharge.get(i)), receipt, stampAndAllowed));
    }
    return parts;
  }

  /**
   * For limiters: when it was counted.
   *
   * @return what {@link #charged} was given; 0 if there never was a receipt
   */
  public long stampMillis() {
    return stampAndAllowed >> 1;
  }

  /** Two decisions are equal if they give the same answer, whether or not it can be refunded. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Decision that
        && allowed() == that.allowed()
        && source == that.source
        && usages.equals(that.usages);
  }

  @Override
  public int hashCode() {
    return Objects.hash(allowed(), source, usages);
  }

  @Override
  public String toString() {
    return "Decision[allowed=" + allowed() + ", source=" + source + ", usages=" + usages() + "]";
  }

  private static Object held(List<LimitUsage> usages) {
    List<LimitUsage> copy = List.copyOf(usages);
    return copy.size() == 1 ? copy.get(0) : copy;
  }

  private static VarHandle receiptHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(Decision.class, "receipt", Receipt.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }
}
