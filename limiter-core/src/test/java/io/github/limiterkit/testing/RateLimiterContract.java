package io.github.limiterkit.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Reset;
import io.github.limiterkit.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link RateLimiter} of the kit does with the full quota, wherever it counts.
 *
 * <p>A subclass says how to make one, and how to move its clock: what counts on a server is handed
 * the time as well. The keys are new for every test, so a shared store need not be emptied.
 */
@Timeout(60)
public abstract class RateLimiterContract {

  private static final int THREADS = 64;

  private RateLimiter limiter;
  private String key;

  /** For subclasses. */
  protected RateLimiterContract() {}

  /**
   * Makes the limiter under test; called once for each test.
   *
   * @return a limiter that knows nothing of the keys of this test
   */
  protected abstract RateLimiter createLimiter();

  /**
   * Who answers.
   *
   * @return the source that its decisions name
   */
  protected abstract Source source();

  /**
   * Moves the limiter's clock, which stands still otherwise.
   *
   * @param time how far forward
   */
  protected abstract void advance(Duration time);

  @BeforeEach
  void prepare() {
    limiter = createLimiter();
    key = "user:" + Long.toHexString(ThreadLocalRandom.current().nextLong());
  }

  @Test
  @DisplayName("ST-040: admits exactly the quota and counts down")
  void admitsExactlyTheQuotaAndCountsDown() {
    Policy policy = policy("a", "10/1h");
    for (int remaining = 9; remaining >= 0; remaining--) {
      Decision decision = acquire(policy, 1);
      assertThat(decision.allowed()).isTrue();
      assertThat(decision.source()).isEqualTo(source());
      assertThat(remaining(decision)).containsExactly((long) remaining);
    }
    Decision refused = acquire(policy, 1);
    assertThat(refused.allowed()).isFalse();
    assertThat(remaining(refused)).containsExactly(0L);
    assertMillis(refused.retryAfterMillis(), Duration.ofHours(1));
  }

  @Test
  void saysHowEveryLimitStands() {
    Charge charge = new Charge(policy("a", "10/1h, 3/1d"), key, 2);
    Decision decision = acquire(List.of(charge));
    assertThat(decision.usages()).extracting(LimitUsage::charge).containsExactly(charge, charge);
    assertThat(decision.usages()).extracting(LimitUsage::index).containsExactly(0, 1);
    assertThat(decision.usages()).extracting(LimitUsage::quota).containsExactly(10L, 3L);
    assertThat(remaining(decision)).containsExactly(8L, 1L);
    assertMillis(decision.usages().get(0).resetAfterMillis(), Duration.ofHours(1));
    assertMillis(decision.usages().get(1).resetAfterMillis(), Duration.ofDays(1));
  }

  @Test
  void admitsACostAsAWholeOrNotAtAll() {
    Policy policy = policy("a", "10/1h");
    assertThat(acquire(policy, 7).allowed()).isTrue();
    assertThat(acquire(policy, 4).allowed()).isFalse();
    assertThat(remaining(acquire(policy, 3))).containsExactly(0L);
  }

  @Test
  void looksWithoutChargingForACostOfZero() {
    Policy policy = policy("a", "2/1h");
    assertThat(remaining(acquire(policy, 0))).containsExactly(2L);
    assertThat(acquire(policy, 0).usages().get(0).resetAfterMillis()).isZero();
    acquire(policy, 2);
    Decision looked = acquire(policy, 0);
    assertThat(looked.allowed()).isTrue();
    assertThat(remaining(looked)).containsExactly(0L);
    assertMillis(looked.usages().get(0).resetAfterMillis(), Duration.ofHours(1));
  }

  @Test
  @DisplayName("ST-058: a cost above the limit never succeeds, and consumes nothing")
  void saysNeverForACostAboveTheLimit() {
    Policy policy = policy("a", "3/1h");
    Decision decision = acquire(policy, 4);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(acquire(policy, 3).allowed()).isTrue();
  }

  @Test
  void countsTheLargestCosts() {
    Policy policy = policy("a", Limit.MAX_PERMITS + "/366d");
    assertThat(acquire(policy, Limit.MAX_PERMITS - 1).allowed()).isTrue();
    assertThat(acquire(policy, 2).allowed()).isFalse();
    assertThat(remaining(acquire(policy, 1))).containsExactly(0L);
  }

  @Test
  void chargesAllLimitsOfAPolicyOrNone() {
    Policy policy = policy("a", "2/1h, 5/1d");
    acquire(policy, 2);
    Decision refused = acquire(policy, 1);
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.usages()).extracting(LimitUsage::refused).containsExactly(true, false);
    assertThat(remaining(refused)).containsExactly(0L, 3L);
    assertMillis(refused.retryAfterMillis(), Duration.ofHours(1));
    assertThat(remaining(acquire(policy, 3))).containsExactly(0L, 3L);
  }

  @Test
  void chargesAllPoliciesOrNone() {
    Charge wide = Charge.of(policy("a", "3/1h"), key);
    Charge narrow = new Charge(policy("b", "4/1d"), key + "-other", 2);
    assertThat(acquire(List.of(wide, narrow)).allowed()).isTrue();
    Decision second = acquire(List.of(narrow, wide));
    assertThat(second.allowed()).isTrue();
    assertThat(second.usages()).extracting(LimitUsage::charge).containsExactly(narrow, wide);
    Decision third = acquire(List.of(wide, narrow));
    assertThat(third.allowed()).isFalse();
    assertThat(third.usages()).extracting(LimitUsage::refused).containsExactly(false, true);
    assertThat(remaining(third)).containsExactly(1L, 0L);
    assertMillis(third.retryAfterMillis(), Duration.ofDays(1));
  }

  @Test
  void looksAtOneChargeWhileItChargesAnother() {
    Policy looked = policy("a", "3/1h");
    Policy charged = policy("b", "3/1h");
    acquire(List.of(new Charge(looked, key, 0), new Charge(charged, key, 1)));
    assertThat(remaining(acquire(looked, 0))).containsExactly(3L);
    assertThat(remaining(acquire(charged, 0))).containsExactly(2L);
  }

  @Test
  void refusesAnEmptyList() {
    assertThatThrownBy(() -> limiter.acquire(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void keepsPoliciesAndKeysApart() {
    Policy policy = policy("a", "1/1h");
    List<String> others =
        List.of(
            key,
            key + ":",
            key + "}",
            "{" + key + "}",
            key + " ",
            key + "\n",
            key + "\0",
            key + "%3A",
            key + "\u00e9",
            key + "e\u0301",
            key + "\ud83d\ude00",
            key + "\ud83d",
            key + "\ud83e",
            key + "?",
            key + "x".repeat(10_000),
            key + "x".repeat(10_001),
            key + "\ud83d".repeat(10_000),
            key + "\ud83e".repeat(10_000));
    for (String other : others) {
      assertThat(acquire(List.of(Charge.of(policy, other))).allowed()).as(other).isTrue();
    }
    for (String other : others) {
      assertThat(acquire(List.of(Charge.of(policy, other))).allowed()).as(other).isFalse();
    }
    assertThat(acquire(policy("b", "1/1h"), 1).allowed()).isTrue();
  }

  @Test
  void givesBackWhatADecisionChargedOnAllItsLimits() {
    Policy policy = policy("a", "5/1h, 9/1d");
    acquire(policy, 2);
    Decision decision = acquire(policy, 3);
    assertThat(acquire(policy, 1).allowed()).isFalse();
    assertThat(limiter.refund(decision))
        .isEqualTo(new Refund(List.of(new Charge(policy, key, 3)), true));
    assertThat(remaining(acquire(policy, 0))).containsExactly(3L, 7L);
    assertThat(acquire(policy, 3).allowed()).isTrue();
  }

  @Test
  void givesBackOnceHoweverManyThreadsTry() throws Exception {
    Policy policy = policy("a", "100/1h");
    acquire(policy, 10);
    Decision decision = acquire(policy, 10);
    List<Integer> units = inParallel(thread -> (int) limiter.refund(decision).units());
    assertThat(units.stream().mapToInt(Integer::intValue).sum()).isEqualTo(10);
    assertThat(remaining(acquire(policy, 0))).containsExactly(90L);
  }

  @Test
  void givesBackAPartAndOnceToo() {
    Policy policy = policy("a", "5/1h");
    Decision decision = acquire(policy, 5);
    assertThat(limiter.refund(decision, 2).units()).isEqualTo(2);
    assertThat(limiter.refund(decision, 2)).isEqualTo(Refund.NOTHING);
    assertThat(remaining(acquire(policy, 0))).containsExactly(2L);
  }

  @Test
  void givesNothingBackOfARefusalOrALook() {
    Policy policy = policy("a", "2/1h");
    acquire(policy, 2);
    assertThat(limiter.refund(acquire(policy, 1))).isEqualTo(Refund.NOTHING);
    assertThat(limiter.refund(acquire(policy, 0)).units()).isZero();
    assertThat(remaining(acquire(policy, 0))).containsExactly(0L);
  }

  @Test
  void givesBackOnlyWhatIsStillInTheWindow() {
    Policy policy = policy("a", "2/1m, 5/1h");
    Decision decision = acquire(policy, 2);
    advance(Duration.ofMinutes(1));
    acquire(policy, 1);
    assertThat(limiter.refund(decision).units()).isEqualTo(2);
    assertThat(remaining(acquire(policy, 0))).containsExactly(1L, 4L);
  }

  @Test
  void tellsAlsoWhenItRefusesWhenTheNextUnitExpires() {
    Policy policy = policy("a", "3/1h, 9/1d");
    acquire(policy, 1);
    acquire(policy, 2);
    for (int cost = 1; cost <= 2; cost++) {
      // The second refusal may be one that is known already.
      List<LimitUsage> usages = acquire(policy, cost).usages();
      assertMillis(usages.get(0).resetAfterMillis(), Duration.ofHours(1));
      assertMillis(usages.get(1).resetAfterMillis(), Duration.ofDays(1));
    }
  }

  @Test
  void waitsForWhatWasNotGivenBack() {
    Policy policy = policy("a", "2/1m");
    Decision first = acquire(policy, 1);
    advance(Duration.ofSeconds(10));
    acquire(policy, 1);
    limiter.refund(first);
    assertThat(acquire(policy, 0).usages().get(0).resetAfterMillis()).isEqualTo(60_000);
    assertThat(acquire(policy, 2).retryAfterMillis()).isEqualTo(60_000);
  }

  @Test
  void letsThreadsUseNoMoreThanTheQuotaWhileOthersGiveBack() throws Exception {
    Policy policy = policy("a", "100/1h");
    List<Integer> used =
        inParallel(
            thread -> {
              int kept = 0;
              for (int i = 0; i < 20; i++) {
                Decision decision = acquire(policy, 1 + thread % 3);
                boolean keeps = (thread + i) % 2 == 0;
                if (decision.allowed() && !keeps) {
                  limiter.refund(decision);
                } else if (decision.allowed()) {
                  kept += 1 + thread % 3;
                }
              }
              return kept;
            });
    int sum = used.stream().mapToInt(Integer::intValue).sum();
    assertThat(sum).isLessThanOrEqualTo(100);
    assertThat(remaining(acquire(policy, 0))).containsExactly(100L - sum);
  }

  @Test
  void looksAtAKeyWithoutCharging() {
    Policy policy = policy("a", "5/1h, 9/1d");
    assertThat(limiter.usage(policy, key))
        .extracting(LimitUsage::remaining)
        .containsExactly(5L, 9L);
    acquire(policy, 2);
    advance(Duration.ofMinutes(1));
    for (int i = 0; i < 2; i++) {
      List<LimitUsage> usages = limiter.usage(policy, key);
      assertThat(usages).extracting(LimitUsage::remaining).containsExactly(3L, 7L);
      assertThat(usages).extracting(LimitUsage::source).containsOnly(source());
      assertMillis(usages.get(0).resetAfterMillis(), Duration.ofMinutes(59));
    }
  }

  @Test
  void startsAfreshWithOneKey() {
    Policy policy = policy("a", "5/1h, 9/1d");
    Decision before = acquire(policy, 5);
    acquire(List.of(new Charge(policy, key + "-other", 5)));
    assertThat(acquire(policy, 1).allowed()).isFalse();
    assertThat(limiter.reset(policy, key)).isEqualTo(Reset.DONE);
    assertThat(remaining(acquire(policy, 5))).containsExactly(0L, 4L);
    assertThat(limiter.refund(before)).isEqualTo(Refund.NOTHING);
    assertThat(acquire(List.of(Charge.of(policy, key + "-other"))).allowed()).isFalse();
  }

  @Test
  @DisplayName("ST-059, ST-060: the limit of the call rules, on what is counted already")
  void followsAChangedQuota() {
    acquire(policy("a", "10/1h"), 3);
    assertThat(remaining(acquire(policy("a", "1000/1h"), 1))).containsExactly(996L);
    assertThat(remaining(acquire(policy("a", "5/1h"), 1))).containsExactly(0L);
    Decision lowered = acquire(policy("a", "4/1h"), 1);
    assertThat(lowered.allowed()).isFalse();
    assertThat(remaining(lowered)).containsExactly(0L);
    assertMillis(lowered.retryAfterMillis(), Duration.ofHours(1));
  }

  @RepeatedTest(20)
  @DisplayName("ST-040, ST-062: 64 threads on one key are admitted exactly the quota")
  void admitsExactlyTheQuotaToManyThreads() throws Exception {
    Policy policy = policy("a", "100/1h, 150/1d");
    List<Integer> admitted = inParallel(thread -> countAdmitted(5, Charge.of(policy, key)));
    assertThat(admitted.stream().mapToInt(Integer::intValue).sum()).isEqualTo(100);
    assertThat(remaining(acquire(policy, 0))).containsExactly(0L, 50L);
  }

  @Test
  void admitsExactlyTheQuotaToManyThreadsWithSeveralChargesInAnyOrder() throws Exception {
    Policy policy = policy("a", "100/1h");
    List<Charge> charges = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      charges.add(Charge.of(policy, key + i));
    }
    List<Integer> admitted =
        inParallel(
            thread -> {
              List<Charge> shuffled = new ArrayList<>(charges);
              Collections.rotate(shuffled, thread % 4);
              if (thread % 2 == 0) {
                Collections.reverse(shuffled);
              }
              return countAdmitted(5, shuffled.subList(0, 2).toArray(Charge[]::new));
            });
    long left = 0;
    for (Charge charge : charges) {
      long remaining = remaining(acquire(List.of(new Charge(policy, charge.key(), 0)))).get(0);
      assertThat(remaining).isBetween(0L, 100L);
      left += remaining;
    }
    long sum = admitted.stream().mapToInt(Integer::intValue).sum();
    assertThat(left).isEqualTo(400 - 2 * sum);
    // Every key has a neighbour, and one of two neighbours is spent: else they would have gone on.
    assertThat(sum).isBetween(100L, 200L);
  }

  @Test
  @DisplayName("ST-037: no burst over the edge of a minute")
  void admitsNoBurstOverTheEdgeOfAMinute() {
    advance(Duration.ofMillis(59_999));
    Policy policy = policy("a", "100/1m");
    assertThat(countAdmitted(150, Charge.of(policy, key))).isEqualTo(100);
    advance(Duration.ofMillis(2));
    assertThat(countAdmitted(150, Charge.of(policy, key))).isZero();
    assertThat(acquire(policy, 1).retryAfterMillis()).isEqualTo(59_998);
    advance(Duration.ofMillis(59_998));
    assertThat(countAdmitted(150, Charge.of(policy, key))).isEqualTo(100);
  }

  @Test
  @DisplayName("ST-039, ST-046: refused until the announced moment, admitted exactly at it")
  void refusesUntilTheAnnouncedMoment() {
    Policy policy = policy("a", "5/10s");
    acquire(policy, 5);
    assertThat(acquire(policy, 1).retryAfterMillis()).isEqualTo(10_000);
    advance(Duration.ofMillis(9_999));
    assertThat(acquire(policy, 1).retryAfterMillis()).isEqualTo(1);
    advance(Duration.ofMillis(1));
    assertThat(acquire(policy, 1).allowed()).isTrue();
  }

  @Test
  @DisplayName("ST-043: a client that retries does not keep itself locked out")
  void chargesNothingForARefusal() {
    List<Integer> admitted = new ArrayList<>();
    for (int second = 0; second <= 60; second++) {
      if (acquire(policy("a", "5/10s"), 1).allowed()) {
        admitted.add(second);
      }
      advance(Duration.ofSeconds(1));
    }
    assertThat(admitted).hasSize(31).endsWith(50, 51, 52, 53, 54, 60);
  }

  @Test
  @DisplayName("ST-049: the wait is for the unit that frees enough")
  void waitsForTheUnitThatFreesEnough() {
    Policy policy = policy("a", "2/1m");
    acquire(policy, 1);
    advance(Duration.ofSeconds(10));
    acquire(policy, 1);
    advance(Duration.ofSeconds(10));
    // The dearer one first: a refusal that is remembered holds for dearer ones, as a lower bound.
    assertThat(acquire(policy, 2).retryAfterMillis()).isEqualTo(50_000);
    assertThat(acquire(policy, 1).retryAfterMillis()).isEqualTo(40_000);
  }

  @Test
  @DisplayName("ST-054: a window of a year")
  void countsForAYear() {
    Policy policy = policy("a", "5/365d");
    acquire(policy, 5);
    advance(Duration.ofDays(30));
    assertThat(acquire(policy, 1).retryAfterMillis()).isEqualTo(28_944_000_000L);
    advance(Duration.ofDays(335));
    assertThat(acquire(policy, 1).allowed()).isTrue();
  }

  @Test
  @DisplayName("ST-061: a refusal by one limit uses up nothing of the other")
  void usesUpNothingOfTheOtherLimit() {
    Policy policy = policy("a", "10/1m, 30/30m");
    assertThat(acquireEverySecond(16, policy)).isEqualTo(10);
    advance(Duration.ofSeconds(44));
    assertThat(acquireEverySecond(15, policy)).isEqualTo(10);
    assertThat(remaining(acquire(policy, 0)).get(1)).isEqualTo(10);
    advance(Duration.ofSeconds(50));
    assertThat(acquire(policy, 1).allowed()).isTrue();
  }

  private int acquireEverySecond(int times, Policy policy) {
    int admitted = 0;
    for (int i = 0; i < times; i++) {
      admitted += acquire(policy, 1).allowed() ? 1 : 0;
      advance(Duration.ofSeconds(1));
    }
    return admitted;
  }

  private static void assertMillis(long actual, Duration expected) {
    assertThat(actual).isEqualTo(expected.toMillis());
  }

  private static Policy policy(String name, String limits) {
    return Policy.named(name).limits(limits).build();
  }

  private static List<Long> remaining(Decision decision) {
    return decision.usages().stream().map(LimitUsage::remaining).toList();
  }

  private Decision acquire(Policy policy, long cost) {
    return acquire(List.of(new Charge(policy, key, cost)));
  }

  /** Asks, and checks what holds for every answer (ST-050). */
  private Decision acquire(List<Charge> charges) {
    Decision decision = limiter.acquire(charges);
    boolean refused = false;
    for (LimitUsage usage : decision.usages()) {
      assertThat(usage.remaining()).isBetween(0L, usage.quota());
      assertThat(usage.retryAfterMillis()).isNotNegative();
      assertThat(usage.resetAfterMillis()).isBetween(0L, usage.limit().windowMillis());
      refused |= usage.refused();
    }
    assertThat(decision.allowed()).isNotEqualTo(refused);
    assertThat(decision.retryAfterMillis() > 0).isEqualTo(refused);
    return decision;
  }

  private int countAdmitted(int times, Charge... charges) {
    int admitted = 0;
    for (int i = 0; i < times; i++) {
      admitted += acquire(List.of(charges)).allowed() ? 1 : 0;
    }
    return admitted;
  }

  private interface Work {
    int run(int thread) throws Exception;
  }

  private static List<Integer> inParallel(Work work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier together = new CyclicBarrier(THREADS);
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        tasks.add(
            () -> {
              together.await(30, TimeUnit.SECONDS);
              return work.run(thread);
            });
      }
      List<Integer> results = new ArrayList<>();
      for (Future<Integer> future : threads.invokeAll(tasks)) {
        results.add(future.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }
}
