package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Policy;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What remains: the limit less the units in the window, never a weighted guess. */
class K16RemainingIT extends OnManualClock {

  @Test
  @DisplayName("ST-045 remaining is the limit less the units in the window, down to 0")
  void tellsTheLimitLessTheUnitsInTheWindow() {
    Policy policy = policy("100/10s");
    at(9_000);
    assertThat(ask(policy, 50).allowed()).isTrue();
    at(10_500);
    assertThat(ask(policy, 10).allowed()).isTrue();
    at(11_000);
    assertThat(look(policy)).containsExactly(40L);
    for (long left = 39; left >= 0; left--) {
      assertThat(Answers.remaining(ask(policy))).containsExactly(left);
    }
    assertThat(ask(policy).allowed()).isFalse();
    at(18_999);
    assertThat(look(policy)).containsExactly(0L);
    at(19_000);
    assertThat(look(policy)).containsExactly(50L);
    at(20_500);
    assertThat(look(policy)).containsExactly(60L);
    at(21_000);
    assertThat(look(policy)).containsExactly(100L);
  }

  @Test
  @DisplayName("ST-045 sibling: what remains can be had, and not one unit more")
  void givesWhatRemainsAndNoMore() {
    SplittableRandom random = new SplittableRandom(20_260_045);
    for (int limit : new int[] {1, 2, 10, 100, 121, 5_000}) {
      Policy policy = policy("p-" + limit, limit + "/10s");
      for (int i = 0; i < 60; i++) {
        advance(random.nextInt(4_000));
        ask(policy, random.nextInt(limit + 1));
        long left = look(policy).get(0);
        assertThat(ask(policy, left + 1).allowed()).isFalse();
        if (random.nextInt(3) == 0) {
          assertThat(ask(policy, left).allowed()).as("limit %d, call %d", limit, i).isTrue();
          assertThat(look(policy)).containsExactly(0L);
        }
      }
    }
  }
}
