package io.github.limiterkit.degraded;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Policy;
import io.github.limiterkit.redis.RedisStore;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * An instance under load in a process of its own, which tells each transition on a line and ends
 * with its input, telling how many decisions it made.
 */
final class PausedProcess {

  private PausedProcess() {}

  public static void main(String[] arguments) throws IOException {
    Policy plenty = Policy.named("plenty").limits("100000000/1m").build();
    AtomicLong decisions = new AtomicLong();
    DegradedLimiter limiter =
        DegradedLimiter.over(RedisStore.at(arguments[0]).deadline(Duration.ofMillis(50)).open())
            // A busy machine is slow; this is about failures.
            .gate(GateSettings.defaults().slow(Duration.ofMillis(50)))
            .listener(
                new DegradedListener() {
                  @Override
                  public void transition(Transition transition) {
                    say(transition.to() + " " + transition.reason());
                  }
                })
            .build();
    limiter.start();
    for (int t = 0; t < 4; t++) {
      Thread load =
          new Thread(
              () -> {
                while (true) {
                  limiter.acquire(Charge.of(plenty, "a"));
                  decisions.incrementAndGet();
                  LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
                }
              });
      load.setDaemon(true);
      load.start();
    }
    while (System.in.read() >= 0) {
      say("still " + limiter.mode() + " after " + decisions.get());
    }
    say(limiter.mode() == Mode.SHARED ? "ends well" : "ends badly");
    System.exit(0);
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
