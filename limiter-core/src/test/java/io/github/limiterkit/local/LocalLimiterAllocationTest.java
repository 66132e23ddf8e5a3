package io.github.limiterkit.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LocalLimiterAllocationTest {

  private static final int CALLS = 20_000;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void makesNoMoreGarbageThanTheQuestionAndTheAnswer() {
    AtomicLong nanos = new AtomicLong();
    LocalLimiter limiter = new LocalLimiter(nanos::get, 100);
    Policy policy = Policy.named("a").limits("1000/1s").build();
    double perCall = 0;
    // The first rounds also pay for linking the code and for the log while it grows.
    for (int round = 0; round < 3; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      int admitted = 0;
      for (int i = 0; i < CALLS; i++) {
        nanos.addAndGet(100_000);
        Decision decision = limiter.acquire(Charge.of(policy, "user:1"));
        admitted += decision.allowed() ? 1 : 0;
      }
      perCall = (threads.getCurrentThreadAllocatedBytes() - before) / (double) CALLS;
      assertThat(admitted).isBetween(1_000, CALLS - 1_000);
    }
    // Charge 32, LimitUsage 56, Decision with its receipt 32: the budget is 160.
    assertThat(perCall).isLessThan(120.5);
  }
}
