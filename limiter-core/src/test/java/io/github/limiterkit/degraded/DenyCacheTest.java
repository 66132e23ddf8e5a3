package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Source;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Refusals of the store that are remembered, so that who is over is refused without a call. */
class DenyCacheTest {

  private static final Policy THREE = Policy.named("three").limits("3/2s").build();
  private static final Policy LONG = Policy.named("long").limits("1/1h").build();

  private final FakeTicker ticker = new FakeTicker();
  private final FakeStore store = new FakeStore(() -> 1_700_000_000_000L + millis());
  private final DegradedLimiter limiter = open(store);

  @Test
  void refusesAgainWithoutAskingTheStore() {
    spend(THREE, 3);
    assertThat(ask(THREE, 1).source()).isEqualTo(Source.SHARED);
    long calls = store.calls;
    for (int i = 0; i < 100; i++) {
      Decision decision = ask(THREE, 1);
      assertThat(decision.allowed()).isFalse();
      assertThat(decision.source()).isEqualTo(Source.DENY_CACHE);
    }
    assertThat(store.calls).isEqualTo(calls);
  }

  @Test
  void endsWhenTheStoreHasRoomAndNotAMillisecondLater() {
    spend(THREE, 3);
    ask(THREE, 1);
    ticker.advance(Duration.ofMillis(700));
    Decision refused = ask(THREE, 1);
    assertThat(refused.source()).isEqualTo(Source.DENY_CACHE);
    assertThat(refused.retryAfter()).isEqualTo(Duration.ofMillis(1_300));
    ticker.advance(Duration.ofMillis(1_299));
    assertThat(ask(THREE, 1).source()).isEqualTo(Source.DENY_CACHE);
    ticker.advance(Duration.ofMillis(1));
    assertThat(ask(THREE, 1).allowed()).isTrue();
  }

  @Test
  void aSmallerChargeIsAskedFor() {
    spend(THREE, 2);
    assertThat(ask(THREE, 2).allowed()).isFalse();
    assertThat(ask(THREE, 1).allowed()).isTrue();
  }

  @Test
  void aSmallerChargeThatIsAdmittedMakesNoRoomForTheLargerOne() {
    spend(THREE, 1);
    assertThat(ask(THREE, 3).source()).isEqualTo(Source.SHARED);
    spend(THREE, 1);
    assertThat(ask(THREE, 0).allowed()).isTrue();
    assertThat(ask(THREE, 3).source()).isEqualTo(Source.DENY_CACHE);
  }

  @Test
  void tellsNoMoreThanIsLeftAfterASmallerCharge() {
    assertThat(ask(THREE, 1).allowed()).isTrue();
    assertThat(ask(THREE, 3).usages().get(0).remaining()).isEqualTo(2);
    assertThat(ask(THREE, 1).allowed()).isTrue();
    Decision remembered = ask(THREE, 3);
    assertThat(remembered.source()).isEqualTo(Source.DENY_CACHE);
    assertThat(remembered.usages().get(0).remaining()).isEqualTo(1);
    Policy other = Policy.named("three").limits("2/2s, 9/1m").build();
    assertThat(ask(other, 0).allowed()).isTrue();
    assertThat(ask(THREE, 3).usages().get(0).remaining()).isEqualTo(1);
  }

  @Test
  void aLargerChargeIsRefusedToo() {
    spend(THREE, 2);
    ask(THREE, 2);
    assertThat(ask(THREE, 3).source()).isEqualTo(Source.DENY_CACHE);
    assertThat(ask(THREE, 4).retryAfter()).as("can never succeed").isEqualTo(Decision.NEVER);
  }

  @Test
  void otherLimitsOfTheSameNameAreAskedFor() {
    spend(THREE, 3);
    ask(THREE, 1);
    Policy raised = Policy.named("three").limits("9/2s").build();
    assertThat(ask(raised, 1).allowed()).isTrue();
  }

  @Test
  void onlyTheChargeThatRefusedIsRemembered() {
    spend(LONG, 1);
    List<Charge> both = List.of(Charge.of(THREE, "a"), Charge.of(LONG, "a"));
    assertThat(limiter.acquire(both).source()).isEqualTo(Source.SHARED);
    assertThat(limiter.acquire(both).source()).isEqualTo(Source.DENY_CACHE);
    assertThat(ask(THREE, 1).allowed()).isTrue();
  }

  @Test
  void isForgottenAfterFiveSeconds() {
    spend(LONG, 1);
    ask(LONG, 1);
    ticker.advance(Duration.ofMillis(4_999));
    assertThat(ask(LONG, 1).source()).isEqualTo(Source.DENY_CACHE);
    ticker.advance(Duration.ofMillis(1));
    assertThat(ask(LONG, 1).source()).isEqualTo(Source.SHARED);
    assertThat(ask(LONG, 1).source()).isEqualTo(Source.DENY_CACHE);
  }

  @Test
  void theWaitCountsFromWhenTheCallWasSent() {
    spend(THREE, 3);
    store.before = () -> ticker.advance(Duration.ofMillis(40));
    Decision refused = ask(THREE, 1);
    assertThat(refused.retryAfter()).as("as the store saw it").isEqualTo(Duration.ofMillis(1_960));
    store.before = () -> {};
    assertThat(ask(THREE, 1).retryAfter())
        .as(
            "the reply may have come at once and been read late, so the wait began when it was"
                + " sent")
        .isEqualTo(Duration.ofMillis(1_920));
  }

  @Test
  void whatOnlyAFloorRefusedIsNotRemembered() {
    spend(THREE, 3);
    store.flush();
    assertThat(ask(THREE, 1).source()).isEqualTo(Source.SHARED);
    assertThat(ask(THREE, 1).source()).isEqualTo(Source.SHARED);
  }

  @Test
  void holdsAlsoWhileTheStoreIsGone() {
    spend(THREE, 3);
    ask(THREE, 1);
    limiter.gate(FakeStore.NODE).sample(Samples.failed(StoreFault.READONLY));
    assertThat(ask(THREE, 1).source()).isEqualTo(Source.DENY_CACHE);
    ticker.advance(Duration.ofSeconds(2));
    assertThat(ask(THREE, 1).source()).isEqualTo(Source.LOCAL);
  }

  @Test
  void isGoneWhenItIsOverAndNobodyAsks() {
    FakeStore others = new FakeStore(() -> 1_700_000_000_000L + millis());
    DegradedLimiter elsewhere = open(others);
    DegradedLimiter here = open(others);
    elsewhere.acquire(Charge.of(LONG, "a"));
    here.acquire(Charge.of(LONG, "a"));
    assertThat(here.keys()).as("kept for what it says").isEqualTo(1);
    ticker.advance(Duration.ofSeconds(5));
    here.sweep();
    assertThat(here.keys()).isZero();
    assertThat(here.forgottenUnits()).isZero();
  }

  @Test
  void oneCallerAsksWhenItIsOverAndTheOthersWaitForTheAnswer() throws Exception {
    spend(LONG, 1);
    ask(LONG, 1);
    ticker.advance(Duration.ofSeconds(5));
    long calls = store.calls;
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    store.before =
        () -> {
          inside.countDown();
          awaitQuietly(goOn);
        };
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<Decision>> answers = new ArrayList<>();
    answers.add(threads.submit(() -> ask(LONG, 1)));
    assertThat(inside.await(5, TimeUnit.SECONDS)).isTrue();
    for (int i = 0; i < 7; i++) {
      answers.add(threads.submit(() -> ask(LONG, 1)));
    }
    goOn.countDown();
    for (Future<Decision> answer : answers) {
      assertThat(answer.get(5, TimeUnit.SECONDS).allowed()).isFalse();
    }
    threads.shutdown();
    assertThat(store.calls).isEqualTo(calls + 1);
  }

  @Test
  void whoHasWaitedInVainDecidesHereAndAsksNobody() throws Exception {
    spend(LONG, 1);
    ask(LONG, 1);
    ticker.advance(Duration.ofSeconds(5));
    long calls = store.calls;
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    store.before =
        () -> {
          inside.countDown();
          awaitQuietly(goOn);
        };
    ExecutorService threads = Executors.newFixedThreadPool(2);
    Future<Decision> first = threads.submit(() -> ask(LONG, 1));
    assertThat(inside.await(5, TimeUnit.SECONDS)).isTrue();

    Decision second = threads.submit(() -> ask(LONG, 1)).get(5, TimeUnit.SECONDS);

    assertThat(second.source()).isEqualTo(Source.LOCAL);
    assertThat(store.calls).isEqualTo(calls + 1);
    goOn.countDown();
    assertThat(first.get(5, TimeUnit.SECONDS).allowed()).isFalse();
    threads.shutdown();
  }

  /** Whatever is asked and whenever, what is remembered changes no answer of yes or no. */
  @Property(tries = 1_000)
  void decidesAsAStoreWithoutIt(
      @ForAll @IntRange(min = 1, max = 150) int quota, @ForAll long seed) {
    Random random = new Random(seed);
    FakeTicker clock = new FakeTicker();
    FakeStore with = new FakeStore(() -> Duration.ofNanos(clock.read()).toMillis());
    FakeStore without = new FakeStore(() -> Duration.ofNanos(clock.read()).toMillis());
    DegradedLimiter cached = open(with, clock);
    Policy policy = Policy.named("p").limits(quota + "/3s, " + 3 * quota + "/30s").build();
    for (int i = 0; i < 200; i++) {
      clock.advance(Duration.ofMillis(random.nextInt(random.nextInt(10) == 0 ? 5_000 : 50)));
      Charge charge = new Charge(policy, "k" + random.nextInt(2), 1L + random.nextInt(quota));
      boolean expected = without.decide(List.of(charge), new long[2], Long.MAX_VALUE).allowed();
      assertThat(cached.acquire(charge).allowed())
          .as("seed %d, step %d", seed, i)
          .isEqualTo(expected);
    }
  }

  private Decision ask(Policy policy, long cost) {
    return limiter.acquire(new Charge(policy, "a", cost));
  }

  private void spend(Policy policy, long cost) {
    assertThat(ask(policy, cost).allowed()).isTrue();
  }

  private DegradedLimiter open(FakeStore over) {
    return open(over, ticker);
  }

  private static DegradedLimiter open(FakeStore over, FakeTicker ticker) {
    DegradedLimiter opened = DegradedLimiter.over(over).ticker(ticker::read).build();
    for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
      opened.gate(FakeStore.NODE).probed(1, null);
    }
    return opened;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(5, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private long millis() {
    return Duration.ofNanos(ticker.read()).toMillis();
  }
}
