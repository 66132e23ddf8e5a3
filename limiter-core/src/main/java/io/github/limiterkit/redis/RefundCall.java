package io.github.limiterkit.redis;

import io.github.limiterkit.Charge;
import java.util.List;

/** Units that are given back. */
final class RefundCall extends Call<long[]> {

  final List<Charge> charges;
  final long stampMillis;
  final long[] birthsMillis;

  RefundCall(
      List<Charge> charges,
      SubjectKeys[] subjects,
      long stampMillis,
      long[] birthsMillis,
      long deadlineNanos) {
    super(SubjectKeys.keys(subjects), deadlineNanos, false);
    this.charges = charges;
    this.stampMillis = stampMillis;
    this.birthsMillis = birthsMillis;
  }

  @Override
  long[] read(Figures figures, int place, int turnInGroup) {
    long[] units = new long[keys.length];
    for (int i = 0; i < units.length; i++) {
      units[i] = figures.longAt(place + i * Figures.LONG_BYTES);
    }
    return units;
  }
}
