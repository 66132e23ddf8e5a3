package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Off by one, collapse of equal timestamps, rejected calls that count. */
class K15OffByOneIT extends OnManualClock {

  @Test
  @DisplayName("ST-039 what has left the window is removed before it is counted")
  void removesFirstAndCountsThen() {
    Policy policy = policy("1/10s");
    assertThat(ask(policy).allowed()).isTrue();
    at(9_999);
    assertThat(ask(policy).retryAfterMillis()).isEqualTo(1);
    at(10_000);
    assertThat(ask(policy).allowed()).isTrue();
    at(19_999);
    assertThat(ask(policy).allowed()).isFalse();
    at(20_000);
    assertThat(ask(policy).allowed()).isTrue();
  }

  @Test
  @DisplayName("ST-039 sibling: windows of 1 ms, 999 ms and a day end as exactly")
  void endsWindowsOfAnyLengthExactly() {
    for (String window : List.of("1ms", "2ms", "999ms", "1s", "7d")) {
      Policy policy = policy("w-" + window, "2/" + window);
      long length = policy.limits().get(0).windowMillis();
      assertThat(ask(policy, 2).allowed()).as(window).isTrue();
      advance(length - 1);
      assertThat(ask(policy).retryAfterMillis()).as(window).isEqualTo(1);
      advance(1);
      assertThat(ask(policy, 2).allowed()).as(window).isTrue();
    }
  }

  @Test
  @DisplayName("ST-040 of 11 calls exactly 10 pass, and the answers count down from 9 to 0")
  void admitsExactlyTheLimit() {
    Policy policy = policy("10/1m");
    for (long left = 9; left >= 0; left--) {
      Decision decision = ask(policy);
      assertThat(decision.allowed()).isTrue();
      assertThat(Answers.left(decision)).isEqualTo(left);
    }
    Decision eleventh = ask(policy);
    assertThat(eleventh.allowed()).isFalse();
    assertThat(Answers.left(eleventh)).isZero();
  }

  @Test
  @DisplayName("ST-040 of 200 concurrent calls exactly 10 pass, 100 times")
  void admitsExactlyTheLimitToThreads() throws Exception {
    List<Policy> rounds =
        IntStream.range(0, 100).mapToObj(round -> policy("round-" + round, "10/1m")).toList();
    assertThat(Together.admitted(16, 200, limiter(), rounds)).hasSize(100).containsOnly(10);
    for (Policy policy : rounds) {
      assertThat(look(policy)).containsExactly(0L);
    }
  }

  @Test
  @DisplayName("ST-041 calls of one instant do not collapse into one")
  void countsEveryCallOfOneInstant() {
    Policy policy = policy("100/1m");
    at(12_345);
    assertThat(admitted(1_000, policy)).isEqualTo(100);
    assertThat(look(policy("1000/1m"))).as("units that the store shows").containsExactly(900L);
  }

  @Test
  @DisplayName("ST-041 sibling: nor those of several instances, nor those of a large limit")
  void countsEveryCallOfOneInstantOfSeveralInstances() throws Exception {
    Policy small = policy("small", "120/1m");
    Policy large = policy("large", "5000/1m");
    assertThat(admitted(1_000, small)).isEqualTo(120);
    assertThat(admitted(6_000, large)).isEqualTo(5_000);
    if (place == Place.REDIS) {
      RateLimiter restarted = newLimiter();
      assertThat(Together.admitted(3, 30, restarted, List.of(small, large))).containsOnly(0);
    }
  }

  @Test
  @DisplayName("ST-042 a limit of 1 admits one, and one again when its window has passed")
  void admitsWithALimitOfOne() {
    Policy policy = policy("1/10s");
    assertThat(look(policy)).containsExactly(1L);
    for (int call = 0; call < 30; call++) {
      Decision first = ask(policy);
      assertThat(first.allowed()).as("call %d", call).isTrue();
      assertThat(Answers.left(first)).isZero();
      assertThat(ask(policy).allowed()).isFalse();
      advance(20_000);
    }
  }

  @Test
  @DisplayName("ST-043 a rejected call consumes nothing, so retrying locks nobody out")
  void chargesNothingForRejectedCalls() {
    Policy policy = policy("5/10s");
    List<Integer> admitted = new ArrayList<>();
    for (int second = 0; second <= 60; second++) {
      at(second * 1_000L);
      if (ask(policy).allowed()) {
        admitted.add(second);
      }
    }
    List<Integer> expected = new ArrayList<>();
    for (int begin = 0; begin < 60; begin += 10) {
      for (int second = begin; second < begin + 5; second++) {
        expected.add(second);
      }
    }
    expected.add(60);
    assertThat(admitted).isEqualTo(expected);
  }

  @Test
  @DisplayName("ST-043 sibling: not even one call a millisecond, of any cost, delays the next")
  void chargesNothingForManyRejectedCalls() {
    Policy policy = policy("5/1s");
    assertThat(ask(policy, 5).allowed()).isTrue();
    for (int ms = 1; ms < 1_000; ms++) {
      at(ms);
      assertThat(ask(policy, 1 + ms % 6).allowed()).isFalse();
    }
    at(1_000);
    assertThat(ask(policy, 5).allowed()).isTrue();
  }

  @Test
  @DisplayName("ST-044 the window slides, also over jumps of the clock")
  void slides() {
    Policy policy = policy("3/3s");
    List<Long> admitted = new ArrayList<>();
    for (long time : new long[] {0, 1_000, 2_000, 3_000, 3_500, 4_000}) {
      at(time);
      if (ask(policy).allowed()) {
        admitted.add(time);
      }
    }
    assertThat(admitted).containsExactly(0L, 1_000L, 2_000L, 3_000L, 4_000L);
    for (long windows : new long[] {2, 5, 100, 100_000}) {
      advance(windows * 3_000 + 1);
      assertThat(admitted(5, policy)).as("after %d windows", windows).isEqualTo(3);
    }
  }
}
