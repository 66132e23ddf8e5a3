package io.github.limiterkit.degraded;

import io.github.limiterkit.OperatorSwitch;
import io.github.limiterkit.Ticker;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An operator's switch at run time. It always ends by itself, and both its beginning and its end
 * are told in the log, with the reason that the operator gave and a figure.
 *
 * <p>Safe for use by several threads. Asking for the position is one volatile read while no
 * override is active.
 */
public final class OperatorOverride {

  /** The shortest time for which a switch can be set: 1 s. */
  public static final Duration SHORTEST = Duration.ofSeconds(1);

  /** The longest time for which a switch can be set: 24 h. */
  public static final Duration LONGEST = Duration.ofHours(24);

  private static final Logger log = LoggerFactory.getLogger("limiterkit");
  private static final int LONGEST_REASON = 200;

  /** What could break a line of a log, or hide something in it. */
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  private final Ticker ticker;
  private final AtomicReference<@Nullable Active> active = new AtomicReference<>();
  private volatile boolean closed;

  /** An override that was set, and how much was decided by it. */
  static final class Active {
    private final OperatorSwitch position;
    private final String reason;
    private final long beganNanos;
    private final long lastsNanos;
    private final LongAdder decisions = new LongAdder();

    Active(OperatorSwitch position, String reason, long beganNanos, long lastsNanos) {
      this.position = position;
      this.reason = reason;
      this.beganNanos = beganNanos;
      this.lastsNanos = lastsNanos;
    }

    OperatorSwitch position() {
      return position;
    }

    void countDecision() {
      decisions.increment();
    }
  }

  /**
   * What is in force.
   *
   * @param position what the kit was switched to
   * @param remaining how long it still lasts
   * @param reason what the operator gave as the reason
   */
  public record Standing(OperatorSwitch position, Duration remaining, String reason) {}

  /**
   * Creates one that is {@link OperatorSwitch#NORMAL}.
   *
   * @param ticker the clock by which it ends
   */
  public OperatorOverride(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Sets the switch, in place of what was set before.
   *
   * @param position what to do; {@link OperatorSwitch#NORMAL} ends what is active
   * @param duration after which it ends by itself, 1 s to 24 h; of no meaning for {@code NORMAL}
   * @param reason for the log, 1 to 200 characters
   * @param door through which the operator came, for the log, as in {@code JMX}
   * @throws IllegalArgumentException if the duration is out of range, or the reason is blank or too
   *     long
   * @throws IllegalStateException if this is closed
   */
  public void set(OperatorSwitch position, Duration duration, String reason, String door) {
    String why = printable(reason);
    if (position == OperatorSwitch.NORMAL) {
      requireOpen();
      end(active.get(), "set to normal through " + door + ": " + why);
      return;
    }
    if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "an override of %s is outside 1s to 24h; it always ends, so set it again if need be"
              .formatted(duration));
    }
    requireOpen();
    Active next = new Active(position, why, ticker.read(), duration.toNanos());
    Active before = active.getAndSet(next);
    if (before != null) {
      sayEnd(before, "another takes its place");
    }
    log.warn(
        "override {} begins, for {} at most, set through {}: {}; {}",
        word(position),
        text(duration),
        door,
        why,
        meaning(position));
    if (closed) {
      end(next, "the kit was closed");
    }
  }

  /** What is active; null if nothing is. */
  @Nullable Active active() {
    Active now = active.get();
    if (now == null) {
      return null;
    }
    if (ticker.read() - now.beganNanos >= now.lastsNanos) {
      end(now, "its time is up");
      return active.get();
    }
    return now;
  }

  /**
   * What the kit does now.
   *
   * @return the position of the switch
   */
  public OperatorSwitch position() {
    Active now = active();
    return now == null ? OperatorSwitch.NORMAL : now.position;
  }

  /**
   * What is in force, for a person.
   *
   * @return null if nothing is
   */
  public @Nullable Standing standing() {
    Active now = active();
    if (now == null) {
      return null;
    }
    long remaining = now.lastsNanos - (ticker.read() - now.beganNanos);
    return new Standing(now.position, Duration.ofNanos(Math.max(0, remaining)), now.reason);
  }

  /**
   * Ends it if its time is up. For a background thread, so that the log says so without traffic.
   */
  public void endIfDue() {
    Active unused = active();
  }

  /** Ends it for good: a kit that is closed limits on, whatever it was switched to. */
  public void close() {
    closed = true;
    end(active.get(), "the kit was closed");
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the kit is closed and cannot be switched any more");
    }
  }

  /** Once, whoever comes first. */
  private void end(@Nullable Active what, String why) {
    if (what != null && active.compareAndSet(what, null)) {
      sayEnd(what, why);
    }
  }

  private void sayEnd(Active ended, String why) {
    log.warn(
        "override {} ended after {} ({}); {} {}",
        word(ended.position),
        text(Duration.ofNanos(ticker.read() - ended.beganNanos)),
        why,
        String.format(Locale.ROOT, "%,d", ended.decisions.sum()),
        ended.position == OperatorSwitch.ALLOW_ALL
            ? "decisions let pass meanwhile, uncounted"
            : "decided here meanwhile");
  }

  private static String meaning(OperatorSwitch position) {
    return position == OperatorSwitch.ALLOW_ALL
        ? "no limit is in force on this instance"
        : "this instance limits alone, as if the store were lost";
  }

  private static String printable(String reason) {
    String text = UNPRINTABLE.matcher(reason).replaceAll(" ").strip();
    if (text.isEmpty() || text.length() > LONGEST_REASON) {
      throw new IllegalArgumentException(
          "an override needs a reason of 1 to %d characters, for the log; this one has %d"
              .formatted(LONGEST_REASON, text.length()));
    }
    return text;
  }

  private static String word(OperatorSwitch position) {
    return position.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String text(Duration time) {
    return time.toMinutes() < 2 ? time.toSeconds() + " s" : time.toMinutes() + " min";
  }
}
