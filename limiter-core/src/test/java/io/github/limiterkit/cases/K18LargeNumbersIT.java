package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.Policy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Numeric overflow, precision, huge windows and limits. */
class K18LargeNumbersIT extends OnManualClock {

  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = Duration.ofDays(1).toMillis();

  @Test
  @DisplayName("ST-051 a long idle time with a large limit overflows nothing")
  void survivesALongIdleTime() {
    Policy million = policy("million", "1000000/1s");
    assertThat(ask(million, 1_000_000).allowed()).isTrue();
    advance(12 * HOUR);
    assertThat(Answers.remaining(ask(million))).containsExactly(999_999L);
    Policy billions = policy("billions", "2147483648/1s");
    assertThat(ask(billions, 2_147_483_648L).allowed()).isTrue();
    advance(400 * DAY);
    assertThat(Answers.remaining(ask(billions))).containsExactly(2_147_483_647L);
    Policy most = policy("most", Limit.MAX_PERMITS + "/366d");
    assertThat(ask(most, Limit.MAX_PERMITS).allowed()).isTrue();
    assertThat(ask(most).retryAfterMillis()).isEqualTo(366 * DAY);
    advance(3_660 * DAY);
    assertThat(Answers.remaining(ask(most))).containsExactly(Limit.MAX_PERMITS - 1);
  }

  @Test
  @DisplayName("ST-052 a thousand calls around one moment are counted one by one")
  void countsCallsThatAreCloseTogether() {
    // Microseconds do not show: what counts is that no call is lost to a rounded number.
    at(1_727_000_000_123L - 1_700_000_000_000L);
    Policy policy = policy("2000/1h");
    assertThat(admitted(1_000, policy)).isEqualTo(1_000);
    assertThat(look(policy)).containsExactly(1_000L);
    Policy exact = policy("exact", "120/1h");
    for (int i = 0; i < 120; i++) {
      advance(1);
      assertThat(Answers.remaining(ask(exact))).containsExactly(119L - i);
    }
    advance(HOUR - 120);
    for (int i = 0; i < 120; i++) {
      assertThat(ask(exact).retryAfterMillis()).isEqualTo(1);
      advance(1);
      assertThat(ask(exact).allowed()).isTrue();
    }
  }

  @Test
  @DisplayName("ST-053 what is left of a block is told in whole milliseconds, however little")
  void tellsFractionsOfASecond() {
    Policy policy = policy("1/10s");
    ask(policy);
    for (long left : new long[] {900, 300, 1}) {
      at(10_000 - left);
      Decision blocked = ask(policy);
      assertThat(blocked.allowed()).isFalse();
      assertThat(blocked.retryAfterMillis()).isEqualTo(left);
    }
  }

  @Test
  @DisplayName("ST-054 a window of a year")
  void countsForAYear() {
    Policy policy = policy("5/365d");
    assertThat(admitted(5, policy)).isEqualTo(5);
    at(30 * DAY);
    assertThat(ask(policy).retryAfterMillis()).isEqualTo(28_944_000_000L);
    at(365 * DAY - 1);
    assertThat(ask(policy).retryAfterMillis()).isEqualTo(1);
    at(365 * DAY);
    assertThat(admitted(6, policy)).isEqualTo(5);
  }

  @Test
  @DisplayName("ST-054 sibling: windows around 24.8 and 49.7 days, where 32 bits end")
  void countsForWindowsAtTheEndOfThirtyTwoBits() {
    for (long days : new long[] {24, 25, 49, 50, 366}) {
      Policy policy = policy("days-" + days, "5/" + days + "d");
      assertThat(ask(policy, 5).allowed()).isTrue();
      advance(days * DAY - 1);
      assertThat(ask(policy).retryAfterMillis()).as("%d days", days).isEqualTo(1);
      advance(1);
      assertThat(ask(policy, 5).allowed()).as("%d days", days).isTrue();
    }
  }

  @Test
  @DisplayName("ST-055 every window and limit within the bounds counts; others are told the bound")
  void countsEveryWindowThatCanBeBuilt() {
    for (String window : List.of("1ms", "999ms", "1s", "1h", "31d", "366d")) {
      for (long permits : new long[] {1, 120, 121, 1_000_000, Limit.MAX_PERMITS}) {
        Policy policy = policy("w" + window + "-" + permits, permits + "/" + window);
        assertThat(ask(policy, permits).allowed()).as("%s", policy).isTrue();
        assertThat(ask(policy).retryAfterMillis())
            .as("%s", policy)
            .isEqualTo(policy.limits().get(0).windowMillis());
      }
    }
    for (Duration window :
        List.of(
            Duration.ofDays(3_650),
            Duration.ofSeconds(Long.MAX_VALUE),
            Duration.ofDays(366).plusMillis(1),
            Duration.ofNanos(999_999),
            Duration.ofMillis(Long.MIN_VALUE))) {
      assertThatThrownBy(() -> new Limit(5, window))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(window.toString())
          .hasMessageContaining("1ms to 366d");
    }
  }
}
