package io.github.limiterkit.http;

import io.github.limiterkit.Ticker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Lets one log line a minute pass, so that a client cannot fill a disk. */
final class LogGate {

  private static final long INTERVAL = TimeUnit.MINUTES.toNanos(1);

  private final Ticker ticker;
  private final AtomicLong next;
  private final AtomicLong kept = new AtomicLong();

  LogGate(Ticker ticker) {
    this.ticker = ticker;
    this.next = new AtomicLong(ticker.read());
  }

  /** How many lines were kept back since the last that passed, or -1 if this one is, too. */
  long pass() {
    long now = ticker.read();
    long due = next.get();
    if (now - due < 0 || !next.compareAndSet(due, now + INTERVAL)) {
      kept.incrementAndGet();
      return -1;
    }
    return kept.getAndSet(0);
  }
}
