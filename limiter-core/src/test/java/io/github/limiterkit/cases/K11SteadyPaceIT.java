package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Policy;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Key lifetime, on a clock that the test moves: half hours and minutes in no time. */
class K11SteadyPaceIT extends OnManualClock {

  @Test
  @DisplayName("ST-028 one call every 10 s for half an hour, of 10 a minute: none is rejected")
  void neverLocksOutWhoStaysBelowTheRate() {
    Policy policy = policy("10/1m");
    for (int call = 0; call < 180; call++) {
      assertThat(ask(policy).allowed()).as("call %d", call).isTrue();
      advance(10_000);
    }
  }

  @Test
  @DisplayName("ST-028 sibling: at exactly the rate, and for any limit")
  void neverLocksOutWhoKeepsExactlyToTheRate() {
    for (int limit : new int[] {1, 3, 10, 60, 120}) {
      Policy policy = policy("rate-" + limit, limit + "/1m");
      for (int call = 0; call < 3 * limit + 10; call++) {
        assertThat(ask(policy).allowed()).as("limit %d, call %d", limit, call).isTrue();
        advance((60_000 + limit - 1) / limit);
      }
    }
  }

  @Test
  @DisplayName("ST-028 rejected calls extend nothing")
  void extendsNothingByRejectedCalls() {
    Policy policy = policy("10/1m");
    assertThat(ask(policy, 10).allowed()).isTrue();
    for (int second = 1; second < 60; second++) {
      at(second * 1_000L);
      assertThat(ask(policy).allowed()).isFalse();
    }
    at(60_000);
    assertThat(ask(policy, 10).allowed()).isTrue();
  }

  @Test
  @DisplayName("ST-030 one call every 250 ms for 300 s, of 5 a second: none is rejected")
  void carriesNothingIntoTheNextWindow() {
    Policy policy = policy("5/1s");
    for (int call = 0; call < 1_200; call++) {
      assertThat(ask(policy).allowed()).as("call %d", call).isTrue();
      advance(250);
    }
  }
}
