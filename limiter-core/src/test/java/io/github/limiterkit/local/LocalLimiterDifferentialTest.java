package io.github.limiterkit.local;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.testing.DifferentialSequences;
import io.github.limiterkit.testing.DifferentialSequences.Answer;
import io.github.limiterkit.testing.DifferentialSequences.Counter;
import io.github.limiterkit.testing.DifferentialSequences.LimitAnswer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LocalLimiterDifferentialTest {

  @Test
  void answersLikeLogsWithoutATable() {
    for (long seed = 1; seed <= 300; seed++) {
      DifferentialSequences.assertSame(
          seed,
          // The limiter's time never goes back, whatever its ticker does.
          DifferentialSequences.steady(seed, 200),
          DifferentialSequences.inMemory(),
          local());
    }
  }

  private static Counter local() {
    AtomicLong nanos = new AtomicLong();
    LocalLimiter limiter = new LocalLimiter(nanos::get, 100);
    return (List<Charge> charges, long nowMillis) -> {
      nanos.set(Duration.ofMillis(nowMillis).toNanos());
      Decision decision = limiter.acquire(charges);
      return new Answer(
          decision.allowed(),
          decision.usages().stream()
              .map(
                  usage ->
                      new LimitAnswer(
                          usage.remaining(), usage.retryAfterMillis(), usage.resetAfterMillis()))
              .toList());
    };
  }
}
