package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Boundary burst at window edges. */
class K14BoundaryBurstIT extends OnManualClock {

  @Test
  @DisplayName("ST-037 the limit cannot be spent before an edge and again behind it")
  void admitsNoBurstOverAnEdge() {
    Policy policy = policy("100/1m");
    at(59_999);
    assertThat(admitted(150, policy)).isEqualTo(100);
    at(60_001);
    assertThat(admitted(150, policy)).isZero();
    assertThat(ask(policy).retryAfterMillis()).isEqualTo(59_998);
    at(90_000);
    assertThat(admitted(150, policy)).isZero();
    at(119_999);
    assertThat(admitted(150, policy)).isEqualTo(100);
    at(120_000);
    assertThat(admitted(150, policy)).isZero();
  }

  @Test
  @DisplayName("ST-037 sibling: not over the edge of any other window either, small or large")
  void admitsNoBurstOverTheEdgesOfOtherWindows() {
    long start = 0;
    for (String limits : List.of("7/1s", "120/10s", "1000/1m", "250/1h", "100000/1d")) {
      Policy policy = Policy.named("p-" + limits.indexOf('/')).limits(limits).build();
      long limit = policy.limits().get(0).permits();
      long window = policy.limits().get(0).windowMillis();
      start = (start / window + 2) * window;
      at(start - 1);
      assertThat(ask(policy, limit).allowed()).as(limits).isTrue();
      at(start + 1);
      assertThat(admitted(20, policy)).as(limits).isZero();
      at(start + window - 2);
      assertThat(admitted(20, policy)).as(limits).isZero();
      at(start + window - 1);
      assertThat(ask(policy, limit).allowed()).as(limits).isTrue();
    }
  }

  @Test
  @DisplayName("ST-038 limits of 1 to 20 agree with the oracle, decision for decision")
  void agreesWithTheOracle() {
    SplittableRandom random = new SplittableRandom(20_260_038);
    for (int limit = 1; limit <= 20; limit++) {
      Policy policy = policy("oracle-" + limit, limit + "/1s");
      ExactOracle oracle = new ExactOracle(limit, 1_000);
      for (int i = 0; i < 250; i++) {
        advance(random.nextInt(4) == 0 ? random.nextInt(1_200) : random.nextInt(120));
        long cost = random.nextInt(3) == 0 ? random.nextInt(limit + 2) : 1;
        long wait = oracle.retryAfter(now(), cost);
        boolean expected = oracle.ask(now(), cost);
        Decision decision = ask(policy, cost);
        assertThat(decision.allowed()).as("limit %d, call %d", limit, i).isEqualTo(expected);
        if (decision.source() == Source.DENY_CACHE) {
          // A remembered refusal tells lower bounds.
          assertThat(Answers.left(decision)).isBetween(0L, oracle.remaining(now()));
          assertThat(decision.retryAfterMillis()).isBetween(1L, wait);
        } else {
          assertThat(Answers.left(decision)).isEqualTo(oracle.remaining(now()));
          assertThat(decision.retryAfterMillis()).isEqualTo(wait);
        }
      }
    }
  }

  @Test
  @DisplayName("ST-038 sibling: large limits never admit more than L in any window")
  void admitsNoMoreThanALargeLimitInAnyWindow() {
    SplittableRandom random = new SplittableRandom(20_261_038);
    for (int limit : new int[] {121, 200, 500}) {
      Policy policy = policy("large-" + limit, limit + "/1s");
      long grain = 17;
      List<Long> admitted = new ArrayList<>();
      for (int i = 0; i < 2_000; i++) {
        advance(random.nextInt(3));
        if (ask(policy).allowed()) {
          admitted.add(now());
        } else {
          long from = now() - 1_000 - grain + 1;
          assertThat(admitted.stream().filter(at -> at > from).count())
              .isGreaterThanOrEqualTo(limit);
        }
      }
      assertThat(admitted).hasSizeGreaterThan(limit);
      for (int i = limit; i < admitted.size(); i++) {
        assertThat(admitted.get(i) - admitted.get(i - limit)).isGreaterThanOrEqualTo(1_000);
      }
    }
  }
}
