package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Source;
import io.github.limiterkit.store.StoreReply.LimitReply;
import io.github.limiterkit.store.StoreReply.Room;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A refusal by the store. Until it ends, the store would refuse again whoever asks for as much or
 * more on the same key, so it need not be asked: others can only use up more meanwhile.
 *
 * <p>Times are local. The wait counts from before the call was sent, not from when the reply came,
 * so the denial ends before the store has room and never after. It lives for 5 s at most, since
 * another instance may give units back, and for 1 s where that is known to happen. When it is over,
 * one caller asks the store and the others of the key wait for that answer.
 *
 * <p>Safe for use by several threads.
 */
final class Denial {

  static final long LONGEST_MILLIS = 5_000;
  static final long LONGEST_WITH_REFUNDS_MILLIS = 1_000;

  private final Charge refused;
  private final List<LimitReply> limits;

  /** What is left of each limit, which something smaller may lower while this is in force. */
  private volatile long[] remaining;

  private final long sentMillis;
  private final long endMillis;
  private final AtomicBoolean led = new AtomicBoolean();
  private final CountDownLatch renewed = new CountDownLatch(1);

  /**
   * Remembers a refusal.
   *
   * @param refused the charge that had no room
   * @param limits how its limits stood; at least one had {@link Room#NO}
   * @param sentMillis when the call was made
   * @param longestMillis how long it lives at most
   */
  Denial(Charge refused, List<LimitReply> limits, long sentMillis, long longestMillis) {
    long wait = 0;
    for (LimitReply limit : limits) {
      wait = limit.room() == Room.NO ? Math.max(wait, limit.retryAfterMillis()) : wait;
    }
    this.refused = refused;
    this.limits = List.copyOf(limits);
    this.remaining = limits.stream().mapToLong(LimitReply::remaining).toArray();
    this.sentMillis = sentMillis;
    this.endMillis = sentMillis + Math.min(wait, longestMillis);
  }

  /** Whether it says anything about such a charge: not about a smaller one, nor other limits. */
  boolean concerns(Charge charge) {
    return charge.cost() >= refused.cost() && hasSameLimits(charge);
  }

  private boolean hasSameLimits(Charge charge) {
    return charge.policy() == refused.policy()
        || charge.policy().limits().equals(refused.policy().limits());
  }

  long sentMillis() {
    return sentMillis;
  }

  boolean isInForce(long nowMillis) {
    return nowMillis < endMillis;
  }

  /**
   * Something smaller was admitted meanwhile, and so much is left after it. For one thread at a
   * time.
   */
  void follow(Charge admitted, List<LimitReply> replies) {
    if (hasSameLimits(admitted)) {
      long[] lower = remaining.clone();
      for (int i = 0; i < lower.length; i++) {
        lower[i] = Math.min(lower[i], replies.get(i).remaining());
      }
      remaining = lower;
    }
  }

  /** The answer while it is in force. Waits, and what is left, are lower bounds. */
  Decision refuse(Charge charge, long nowMillis) {
    long[] left = remaining;
    List<LimitUsage> usages = new ArrayList<>(limits.size());
    for (int i = 0; i < limits.size(); i++) {
      LimitReply limit = limits.get(i);
      long quota = charge.policy().limits().get(i).permits();
      long retryAfter = 0;
      if (charge.cost() > quota) {
        retryAfter = LimitUsage.NEVER;
      } else if (limit.room() == Room.NO) {
        retryAfter = Math.max(1, sentMillis + limit.retryAfterMillis() - nowMillis);
      }
      long reset = resetAfter(limit, nowMillis);
      usages.add(new LimitUsage(charge, i, quota, left[i], retryAfter, reset, Source.DENY_CACHE));
    }
    return new Decision(false, Source.DENY_CACHE, usages);
  }

  private long resetAfter(LimitReply limit, long nowMillis) {
    return limit.resetAfterMillis() == 0
        ? 0
        : Math.max(1, sentMillis + limit.resetAfterMillis() - nowMillis);
  }

  /**
   * Whoever gets true asks the store now that it is over, and tells the others by {@link #renewed}.
   */
  boolean lead() {
    return led.compareAndSet(false, true);
  }

  /** The caller who leads has its answer, or has none. */
  void renewed() {
    renewed.countDown();
  }

  /** Waits for the caller who leads. An interrupt ends the wait and stays set. */
  void awaitRenewal(long deadlineNanos) {
    try {
      boolean unused = renewed.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
