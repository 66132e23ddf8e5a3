package io.github.limiterkit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Limit;
import io.github.limiterkit.Policy;
import io.github.limiterkit.store.StoreReply;
import io.github.limiterkit.store.StoreReply.LimitReply;
import io.github.limiterkit.store.StoreReply.Room;
import io.github.limiterkit.testing.DifferentialSequences;
import io.github.limiterkit.testing.DifferentialSequences.Answer;
import io.github.limiterkit.testing.DifferentialSequences.Counter;
import io.github.limiterkit.testing.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The sliding log as the script keeps it, on a real server, held against the one in memory. */
class DecideScriptIT {

  private static final long START = 1_700_000_000_000L;

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

  /**
   * Random sequences of requests with several charges and limits, costs, quotas that change and a
   * clock that steps both ways; and as many requests in one call as happen to come together.
   */
  @Test
  void agreesFieldForFieldWithTheLogInMemory() {
    agreesWithTheLogInMemory(3_000);
  }

  @Test
  @Tag("deep")
  void agreesFieldForFieldInTenThousandSequences() {
    agreesWithTheLogInMemory(10_000);
  }

  private void agreesWithTheLogInMemory(int sequences) {
    for (int seed = 0; seed < sequences; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<DifferentialSequences.Call> calls = DifferentialSequences.stepping(seed, 20);
      Counter memory = DifferentialSequences.inMemory();
      for (int at = 0; at < calls.size(); ) {
        int together = Math.min(1 + random.nextInt(6), calls.size() - at);
        long now = calls.get(at).nowMillis();
        List<List<Charge>> requests =
            calls.subList(at, at + together).stream()
                .map(DifferentialSequences.Call::charges)
                .toList();
        List<StoreReply> replies = script.decideAll(requests, now);
        for (int i = 0; i < together; i++) {
          assertThat(Answer.of(replies.get(i)))
              .as("seed %d, call %d at %d: %s", seed, at + i, now, requests.get(i))
              .isEqualTo(memory.decide(requests.get(i), now));
        }
        at += together;
      }
    }
  }

  @Test
  void admitsNoMoreThanTheQuotaInAnyIntervalAndTellsHonestWaits() {
    keepsThePromise(3_000);
  }

  @Test
  @Tag("deep")
  void keepsThePromiseInTenThousandRuns() {
    keepsThePromise(10_000);
  }

  private void keepsThePromise(int runs) {
    for (int seed = 0; seed < runs; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      long quota = 1L + random.nextInt(random.nextBoolean() ? 20 : 400);
      long window = 60L + random.nextInt(5_000);
      Policy policy = Policy.named("strict").limits(quota + "/" + window + "ms").build();
      Run run = new Run(policy, "seed-" + seed, quota);
      long now = START;
      for (int step = 0; step < 6; step++) {
        now += random.nextLong(window / 3 + 1);
        long cost = 1 + random.nextLong(quota);
        LimitReply reply = run.ask(cost, now);
        if (reply.room() == Room.NO) {
          long wait = reply.retryAfterMillis();
          assertThat(wait).isBetween(1L, window);
          if (wait > 1) {
            assertThat(run.ask(cost, now + wait - 1).room()).isEqualTo(Room.NO);
          }
          assertThat(run.ask(cost, now + wait).room()).isEqualTo(Room.YES);
          now += wait;
        }
      }
      assertThat(run.mostIn(window)).as("seed %d", seed).isLessThanOrEqualTo(quota);
    }
  }

  /** One client, and what it was given when. */
  private static final class Run {
    private record Given(long at, long cost) {}

    private final Policy policy;
    private final String key;
    private final long quota;
    private final List<Given> given = new ArrayList<>();

    Run(Policy policy, String key, long quota) {
      this.policy = policy;
      this.key = key;
      this.quota = quota;
    }

    LimitReply ask(long cost, long now) {
      Charge charge = new Charge(policy, key, cost);
      StoreReply reply = script.decideAll(List.of(List.of(charge)), now).get(0);
      LimitReply limit = reply.limits().get(0);
      assertThat(limit.remaining()).isBetween(0L, quota);
      if (reply.allowed()) {
        given.add(new Given(now, cost));
      }
      return limit;
    }

    long mostIn(long window) {
      long most = 0;
      for (Given last : given) {
        long inside =
            given.stream()
                .filter(one -> one.at() > last.at() - window && one.at() <= last.at())
                .mapToLong(Given::cost)
                .sum();
        most = Math.max(most, inside);
      }
      return most;
    }
  }

  @Test
  @DisplayName("a floor is compared and never booked")
  void comparesFloorsWithoutBookingThem() {
    Policy ten = Policy.named("floors").limits("10/1m").build();
    Charge three = new Charge(ten, "a", 3);
    assertThat(script.decide(three, new long[] {8}, START).limits().get(0).room())
        .isEqualTo(Room.BELOW_FLOOR);
    LimitReply seven = script.decide(three, new long[] {7}, START).limits().get(0);
    assertThat(seven.room()).isEqualTo(Room.YES);
    assertThat(seven.remaining()).as("7 known there and 3 admitted").isZero();
    LimitReply none = script.decide(three, new long[] {0}, START).limits().get(0);
    assertThat(none.remaining()).as("only what was admitted is in the state").isEqualTo(4);
  }

  @Test
  void tellsWhatTheFleetWasGivenInTheLastWholeEpochOnceItKnowsAllOfIt() {
    Policy policy = Policy.named("epochs").limits("100/10s").build();
    long epoch = START / 10_000 * 10_000;
    Charge two = new Charge(policy, "a", 2);
    assertThat(fleetUnits(two, epoch + 1)).as("born within").isEqualTo(-1);
    assertThat(fleetUnits(two, epoch + 9_000)).isEqualTo(-1);
    assertThat(fleetUnits(two, epoch + 10_000)).as("born after it began").isEqualTo(-1);
    assertThat(fleetUnits(two, epoch + 15_000)).isEqualTo(-1);
    assertThat(fleetUnits(two, epoch + 20_000)).isEqualTo(4);
    assertThat(fleetUnits(new Charge(policy, "a", 0), epoch + 31_000)).isEqualTo(2);
    assertThat(fleetUnits(new Charge(policy, "a", 0), epoch + 41_000)).isZero();
  }

  @Test
  void aStepBackOfTheClockBeginsANewBirth() {
    Policy policy = Policy.named("births").limits("100/10s").build();
    Charge one = Charge.of(policy, "a");
    long first = script.decide(one, new long[1], START).limits().get(0).birthMillis();
    long second = script.decide(one, new long[1], START - 5_000).limits().get(0).birthMillis();
    long third = script.decide(one, new long[1], START - 4_000).limits().get(0).birthMillis();
    assertThat(first).isEqualTo(START);
    assertThat(second).isEqualTo(START + 1);
    assertThat(third).isEqualTo(second);
  }

  @Test
  @DisplayName("ST-051 to ST-055: the largest numbers stay exact")
  void keepsTheLargestNumbersExact() {
    Policy largest = Policy.named("largest").limits(Limit.MAX_PERMITS + "/366d").build();
    Charge all = new Charge(largest, "a", Limit.MAX_PERMITS - 1);
    assertThat(script.decide(all, new long[1], START).limits().get(0).remaining()).isEqualTo(1);
    Charge two = new Charge(largest, "a", 2);
    LimitReply refused = script.decide(two, new long[1], START + 86_400_000L).limits().get(0);
    assertThat(refused.retryAfterMillis()).isEqualTo(365 * 86_400_000L);
  }

  private static long fleetUnits(Charge charge, long now) {
    return script.decide(charge, new long[1], now).limits().get(0).fleetUnits();
  }
}
