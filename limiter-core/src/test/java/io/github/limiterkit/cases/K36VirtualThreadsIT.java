package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Decision;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.FaultProxy;
import io.github.limiterkit.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Virtual threads, where the JDK has them. On an older one the same is tried with as many threads
 * of the platform; the deep tier runs it on the newest JDK of the machine.
 */
class K36VirtualThreadsIT {

  private static final int CALLERS = 1_000;
  private static final int IN_FLIGHT = 8;

  @Test
  @DisplayName("ST-088 a thousand threads on one carrier, room for 8 in the store: all decide")
  void answersAThousandThreads() throws Exception {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.inFrontOf(redis.port());
        ChildJvm child =
            ChildJvm.start(
                K36VirtualThreadsIT.class,
                List.of(proxy.url()),
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1")) {
      assertThat(child.hears())
          .isEqualTo(Runtime.version().feature() >= 21 ? "virtual" : "platform");
      assertThat(child.hears()).isEqualTo("1000 of 1000");
      // And again while the server stalls for two seconds.
      proxy.delayReplies(Duration.ofSeconds(2));
      child.tell("go");
      assertThat(child.hears()).isEqualTo("1000 of 1000");
      proxy.pass();
      assertThat(child.hearsToTheEnd(Duration.ofSeconds(20))).containsExactly("SHARED");
    }
  }

  /** Runs in a process of its own: URL. */
  public static void main(String[] arguments) throws Exception {
    HttpPolicy policy = HttpPolicy.named("p").limits("1000000/1m").build();
    ExecutorService threads = threads();
    try (LimiterKit kit =
        Kits.shared(
            Kits.over(arguments[0], Kits.DEADLINE, policy).maxInFlight(IN_FLIGHT).build())) {
      ChildJvm.say(decided(threads, kit) + " of " + CALLERS);
      int unused = System.in.read();
      ChildJvm.say(decided(threads, kit) + " of " + CALLERS);
      ChildJvm.say(Kits.shared(kit).mode());
    } finally {
      threads.shutdownNow();
    }
  }

  private static ExecutorService threads() throws ReflectiveOperationException {
    if (Runtime.version().feature() < 21) {
      ChildJvm.say("platform");
      return Executors.newFixedThreadPool(CALLERS);
    }
    ChildJvm.say("virtual");
    return (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  /** How many of the callers have a decision within ten seconds. */
  private static int decided(ExecutorService threads, LimiterKit kit) throws Exception {
    List<Future<Decision>> decisions = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      String key = "user:" + i % 50;
      decisions.add(threads.submit(() -> Kits.ask(kit, "p", key)));
    }
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    int decided = 0;
    for (Future<Decision> decision : decisions) {
      decided += decision.get(end - System.nanoTime(), TimeUnit.NANOSECONDS).allowed() ? 1 : 0;
    }
    return decided;
  }
}
