package io.github.limiterkit.metrics;

import io.github.limiterkit.Source;

/** The decisions about one policy. */
final class Tally {

  private final CountBy<Source> allowed = new CountBy<>(Source.class);
  private final CountBy<Source> refused = new CountBy<>(Source.class);

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
