package io.github.limiterkit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import io.github.limiterkit.store.StoreReply;
import io.github.limiterkit.store.StoreReply.LimitReply;
import io.github.limiterkit.testing.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Refunds and resets as the script makes them, on a real server. */
class TakeBackScriptIT {

  private static final long START = 1_700_000_000_000L;
  private static final Policy TEN = Policy.named("ten").limits("10/1m").build();
  private static final Policy TWO_LIMITS = Policy.named("two").limits("10/1m, 1000/1h").build();

  private static RedisServer redis;
  private static ScriptCounter script;

  @BeforeAll
  static void start() {
    redis = RedisServer.start();
    script = new ScriptCounter(redis.url());
  }

  @AfterAll
  static void stop() {
    script.close();
    redis.close();
  }

  @BeforeEach
  void empty() {
    redis.command("FLUSHALL");
  }

  @Test
  void givesBackWhatWasAdmittedOnAllLimits() {
    StoreReply admitted = charge(TWO_LIMITS, 4, START);
    charge(TWO_LIMITS, 3, START + 5);
    assertThat(refund(TWO_LIMITS, 4, admitted, START + 10)).containsExactly(4, 4);
    assertThat(left(TWO_LIMITS, START + 10)).containsExactly(7L, 997L);
  }

  @Test
  void givesBackNoMoreThanThereIs() {
    StoreReply admitted = charge(TEN, 4, START);
    assertThat(refund(TEN, 3, admitted, START + 1)).containsExactly(3);
    assertThat(refund(TEN, 3, admitted, START + 1)).containsExactly(1);
    assertThat(refund(TEN, 3, admitted, START + 1)).containsExactly(0);
    assertThat(left(TEN, START + 1)).containsExactly(10L);
  }

  @Test
  void givesNothingBackOfAStateThatWasBornAnew() {
    StoreReply admitted = charge(TEN, 4, START);
    redis.command("FLUSHALL");
    charge(TEN, 4, START + 1);
    assertThat(refund(TEN, 4, admitted, START + 2)).containsExactly(0);
    assertThat(left(TEN, START + 2)).containsExactly(6L);
  }

  @Test
  void givesNothingBackAfterTheClockSteppedBack() {
    StoreReply admitted = charge(TEN, 4, START);
    charge(TEN, 1, START - 1_000);
    assertThat(refund(TEN, 4, admitted, START - 999)).containsExactly(0);
    assertThat(left(TEN, START - 999)).containsExactly(5L);
  }

  @Test
  void givesNothingBackThatHasExpired() {
    StoreReply admitted = charge(TEN, 4, START);
    charge(TEN, 1, START + 1);
    assertThat(refund(TEN, 4, admitted, START + 60_000)).containsExactly(0);
    assertThat(left(TEN, START + 60_000)).containsExactly(9L);
  }

  @Test
  void takesNothingOfAnotherMoment() {
    charge(TEN, 1, START);
    StoreReply admitted = charge(TEN, 4, START + 7);
    charge(TEN, 1, START + 9);
    StoreReply other =
        new StoreReply(true, admitted.stampMillis() + 1, List.copyOf(admitted.limits()));
    assertThat(refund(TEN, 4, other, START + 10)).containsExactly(0);
    assertThat(refund(TEN, 4, admitted, START + 10)).containsExactly(4);
    assertThat(left(TEN, START + 10)).containsExactly(8L);
  }

  @Test
  void aUnitThatWasGivenBackDoesNotShowInAnyWait() {
    StoreReply first = charge(TEN, 1, START);
    charge(TEN, 9, START + 1_000);
    assertThat(refund(TEN, 1, first, START + 2_000)).containsExactly(1);
    LimitReply left = decide(TEN, 0, START + 2_000).limits().get(0);
    assertThat(left.resetAfterMillis()).as("until the next unit expires").isEqualTo(59_000);
    LimitReply refused = decide(TEN, 2, START + 2_000).limits().get(0);
    assertThat(refused.retryAfterMillis()).as("until there is room").isEqualTo(59_000);
  }

  @Test
  void aRefundLeavesTheLifetimeAlone() {
    StoreReply admitted = charge(TEN, 4, START);
    String key = redis.command("KEYS", "*ten*").strip();
    redis.command("PEXPIRE", key, "30000");
    assertThat(refund(TEN, 4, admitted, START + 1)).containsExactly(4);
    assertThat(Long.parseLong(redis.command("PTTL", key))).isBetween(1L, 30_000L);
  }

  @Test
  void givesNothingBackOfWhatItCannotRead() {
    StoreReply admitted = charge(TEN, 4, START);
    String key = redis.command("KEYS", "*ten*").strip();
    for (List<String> foreign :
        List.of(List.of("SET", key, "something else"), List.of("RPUSH", key, "x"))) {
      redis.command("DEL", key);
      redis.command(foreign.toArray(String[]::new));
      assertThat(refund(TEN, 4, admitted, START + 1)).containsExactly(0);
    }
  }

  @Test
  void aResetForgetsAllLimits() {
    charge(TWO_LIMITS, 4, START);
    assertThat(script.reset(TWO_LIMITS, "a", START + 1)).isTrue();
    assertThat(script.reset(TWO_LIMITS, "a", START + 1)).isFalse();
    assertThat(left(TWO_LIMITS, START + 1)).containsExactly(10L, 1000L);
  }

  @Test
  void whatFollowsAResetSaysWhenThatWas() {
    assertThat(charge(TEN, 4, START).limits().get(0).begunByReset()).isFalse();
    script.reset(TEN, "a", START + 7);
    for (long now : new long[] {START + 7, START + 9, START + 90_000}) {
      LimitReply reply = charge(TEN, 1, now).limits().get(0);
      assertThat(reply.begunByReset()).isTrue();
      assertThat(reply.rebornMillis()).isEqualTo(START + 7);
    }
  }

  @Test
  void aReceiptOfBeforeAResetIsNoGoodInTheSameMillisecond() {
    StoreReply admitted = charge(TEN, 4, START);
    script.reset(TEN, "a", START);
    StoreReply again = charge(TEN, 4, START);
    script.reset(TEN, "a", START);
    charge(TEN, 4, START);
    assertThat(refund(TEN, 4, admitted, START)).containsExactly(0);
    assertThat(refund(TEN, 4, again, START)).containsExactly(0);
    assertThat(left(TEN, START)).containsExactly(6L);
  }

  @Test
  void unitsOfAStateThatAResetBeganAreGivenBackToo() {
    script.reset(TEN, "a", START);
    StoreReply admitted = charge(TEN, 4, START + 1);
    assertThat(refund(TEN, 4, admitted, START + 2)).containsExactly(4);
  }

  @Test
  void aResetStateIsClampedLikeAnyOther() {
    script.reset(TEN, "a", START);
    StoreReply admitted = charge(TEN, 4, START + 5_000);
    charge(TEN, 1, START + 1_000);
    assertThat(refund(TEN, 4, admitted, START + 1_001)).containsExactly(0);
    assertThat(left(TEN, START + 1_001)).containsExactly(5L);
    assertThat(decide(TEN, 1, START + 1_002).limits().get(0).begunByReset()).isTrue();
  }

  @Test
  void whatAResetWritesHasALifetime() {
    script.reset(TEN, "a", START);
    String key = redis.command("KEYS", "*ten*").strip();
    assertThat(Long.parseLong(redis.command("PTTL", key))).isPositive();
  }

  private static StoreReply charge(Policy policy, long cost, long now) {
    StoreReply reply = decide(policy, cost, now);
    assertThat(reply.allowed()).isTrue();
    return reply;
  }

  private static StoreReply decide(Policy policy, long cost, long now) {
    return script.decideAll(List.of(List.of(new Charge(policy, "a", cost))), now).get(0);
  }

  private static long[] refund(Policy policy, long units, StoreReply admitted, long now) {
    long[] births = admitted.limits().stream().mapToLong(LimitReply::birthMillis).toArray();
    return script.refund(
        List.of(new Charge(policy, "a", units)), admitted.stampMillis(), births, now);
  }

  private static List<Long> left(Policy policy, long now) {
    return decide(policy, 0, now).limits().stream().map(LimitReply::remaining).toList();
  }
}
