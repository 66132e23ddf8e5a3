package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Source;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Thread interruption. */
class K04InterruptionIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  private record Answer(Decision decision, Duration took, boolean interrupted) {}

  /** Asks in a thread of its own, which can be interrupted. */
  private static final class Caller {
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private final Thread thread;

    Caller(LimiterKit kit, String policy) {
      thread =
          new Thread(
              () -> {
                long began = System.nanoTime();
                try {
                  Decision decision = Kits.ask(kit, policy);
                  Duration took = Duration.ofNanos(System.nanoTime() - began);
                  answer.complete(new Answer(decision, took, Thread.interrupted()));
                } catch (RuntimeException | Error failed) {
                  answer.completeExceptionally(failed);
                }
              });
      thread.start();
    }

    void interruptAfter(Duration wait) throws InterruptedException {
      Thread.sleep(wait.toMillis());
      thread.interrupt();
    }

    Answer answer() throws InterruptedException, ExecutionException, TimeoutException {
      return answer.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName("ST-007 five callers interrupted while they wait are no failures of the store")
  void takesNoInterruptForAFailureOfTheStore() throws Exception {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = kit(proxy, Kits.AMPLE)) {
      proxy.delayReplies(Duration.ofMillis(150));
      // The first makes the round trip itself, the others wait for the next one.
      List<Caller> callers = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        callers.add(new Caller(kit, "plenty"));
      }
      Thread.sleep(30);
      callers.forEach(caller -> caller.thread.interrupt());
      for (Caller caller : callers) {
        assertThat(caller.answer().interrupted()).as("the flag is set again").isTrue();
        assertThat(caller.answer().decision().source()).isEqualTo(Source.SHARED);
      }
      assertThat(kit.mode()).isEqualTo(Mode.SHARED);
      assertThat(Kits.ask(kit, "plenty").source()).isEqualTo(Source.SHARED);
    }
  }

  @Test
  @DisplayName("ST-007 a caller who waits behind a crowd is answered in time, the flag kept")
  void answersInterruptedCallersBehindACrowdInTime() throws Exception {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = kit(proxy, Kits.DEADLINE)) {
      proxy.swallowReplies();
      List<Caller> callers = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        callers.add(new Caller(kit, "plenty"));
      }
      Thread.sleep(30);
      callers.forEach(caller -> caller.thread.interrupt());
      for (Caller caller : callers) {
        assertThat(caller.answer().interrupted()).isTrue();
        assertThat(caller.answer().decision().source()).isEqualTo(Source.LOCAL);
        assertThat(caller.answer().took()).isLessThan(Kits.DEADLINE.plus(Kits.GRACE));
      }
    }
  }

  @Test
  @DisplayName("ST-008 an interrupt during the read does not lengthen the call")
  void keepsTheDeadlineOfAnInterruptedReader() throws Exception {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = kit(proxy, Kits.DEADLINE)) {
      proxy.delayReplies(Duration.ofSeconds(1));
      Caller caller = new Caller(kit, "plenty");
      caller.interruptAfter(Duration.ofMillis(20));
      assertThat(caller.answer().took()).isLessThan(Kits.DEADLINE.plus(Kits.GRACE));
      assertThat(caller.answer().decision().source()).isEqualTo(Source.LOCAL);
      assertThat(caller.answer().interrupted()).isTrue();
    }
  }

  @Test
  @DisplayName("ST-008 a flag that is set on entry changes nothing, and is set afterwards")
  void decidesForAThreadThatIsInterruptedAlready() {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = kit(proxy, Kits.DEADLINE)) {
      for (int i = 0; i < 100; i++) {
        Thread.currentThread().interrupt();
        Decision decision = Kits.ask(kit, "plenty");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(decision.source()).isEqualTo(Source.SHARED);
      }
      assertThat(proxy.connectionsOpened()).as("no connection was lost to it").isEqualTo(1);
    }
  }

  @Test
  @DisplayName("ST-008 sibling: also while others of the key are refused and one asks for all")
  void keepsTheFlagOfWhoWaitsForAnotherCallersAnswer() throws Exception {
    HttpPolicy small = HttpPolicy.named("small").limits("1/300ms").build();
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = Kits.shared(Kits.over(proxy.url(), Kits.AMPLE, small).build())) {
      Kits.ask(kit, "small");
      Decision refused = Kits.ask(kit, "small");
      assertThat(refused.allowed()).isFalse();
      Thread.sleep(refused.retryAfterMillis());
      proxy.delayReplies(Duration.ofMillis(100));
      List<Caller> callers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        callers.add(new Caller(kit, "small"));
      }
      Thread.sleep(20);
      callers.forEach(caller -> caller.thread.interrupt());
      int admitted = 0;
      for (Caller caller : callers) {
        assertThat(caller.answer().interrupted()).isTrue();
        assertThat(Kits.isShared(caller.answer().decision())).isTrue();
        admitted += caller.answer().decision().allowed() ? 1 : 0;
      }
      assertThat(admitted).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("ST-007 sibling: a kit can be built and closed by an interrupted thread")
  void buildsAndClosesInAnInterruptedThread() {
    String url = redis.url();
    Thread.currentThread().interrupt();
    LimiterKit kit = Kits.over(url, Kits.DEADLINE, Kits.plenty()).build();
    assertThat(Thread.interrupted()).isTrue();
    Kits.shared(kit);
    Thread.currentThread().interrupt();
    long began = System.nanoTime();
    kit.close();
    assertThat(System.nanoTime() - began).isLessThan(Duration.ofSeconds(1).toNanos());
    assertThat(Thread.interrupted()).isTrue();
  }

  private static LimiterKit kit(FaultProxy proxy, Duration deadline) {
    LimiterKit kit = Kits.shared(Kits.over(proxy.url(), deadline, Kits.plenty()).build());
    Kits.ask(kit, "plenty");
    return kit;
  }
}
