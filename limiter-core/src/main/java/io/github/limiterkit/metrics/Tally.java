package io.github.limiterkit.metrics;

import io.github.limiterkit.Source;
import java.util.concurrent.atomic.LongAdder;

/** The decisions about one policy. */
final class Tally {

  private final CountBy<Source> allowed = new CountBy<>(Source.class);
  private final CountBy<Source> refused = new CountBy<>(Source.class);

  private final LongAdder refundedUnits = new LongAdder();

  void countRefund(long units) {
    refundedUnits.add(units);
  }

  long refundedUnits() {
    return refundedUnits.sum();
  }

  void count(Source source, Outcome outcome) {
    of(outcome).increment(source);
  }

  long sum(Source source, Outcome outcome) {
    return of(outcome).sum(source);
  }

  private CountBy<Source> of(Outcome outcome) {
    return outcome == Outcome.ALLOWED ? allowed : refused;
  }
}
