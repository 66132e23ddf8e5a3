package io.github.limiterkit.http.answer;

import static io.github.limiterkit.http.answer.Answering.DAY;
import static io.github.limiterkit.http.answer.Answering.judged;
import static io.github.limiterkit.http.answer.Answering.left;
import static io.github.limiterkit.http.answer.Answering.policy;
import static io.github.limiterkit.http.answer.Answering.spent;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Charge;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Source;
import io.github.limiterkit.WhenStoreFails;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitFieldsTest {

  private final Policy perClient = policy("per-client", "100/1m");

  @Test
  @DisplayName("RP-1, RP-3, RP-4, RL-1, RL-2, RL-3, SF-7: one policy")
  void writesOnePolicy() {
    List<Judged> judged = List.of(judged(perClient, left(perClient, 0, 99, 60_000)));

    assertThat(RateLimitFields.policies(judged, false)).isEqualTo("\"per-client\";q=100;w=60");
    assertThat(RateLimitFields.accepted(judged, DAY)).isEqualTo("\"per-client\";r=99;t=60");
  }

  @Test
  @DisplayName("SF-1, RL-5: members are joined by a comma and one space")
  void writesTwoPolicies() {
    Policy burst = policy("burst", "10/1s");
    Policy daily = policy("daily", "5000/1d");
    List<Judged> judged =
        List.of(
            judged(burst, left(burst, 0, 9, 1000)), judged(daily, left(daily, 0, 100, 36_000_000)));

    assertThat(RateLimitFields.policies(judged, false))
        .isEqualTo("\"burst\";q=10;w=1, \"daily\";q=5000;w=86400");
    assertThat(RateLimitFields.accepted(judged, DAY))
        .isEqualTo("\"burst\";r=9;t=1, \"daily\";r=100;t=36000");
  }

  @Test
  @DisplayName("OP-15: each further limit has a name of its own")
  void writesOneMemberPerLimit() {
    Policy two = policy("per-client", "100/1m, 10/1s");
    List<Judged> judged = List.of(judged(two, left(two, 0, 99, 60_000), left(two, 1, 9, 1000)));

    assertThat(RateLimitFields.policies(judged, false))
        .isEqualTo("\"per-client\";q=100;w=60, \"per-client-1s\";q=10;w=1");
    assertThat(RateLimitFields.accepted(judged, DAY))
        .isEqualTo("\"per-client\";r=99;t=60, \"per-client-1s\";r=9;t=1");
  }

  @ParameterizedTest(name = "a window of {0} is w={1}")
  @DisplayName("RP-4, HT-114: windows are whole seconds, rounded up")
  @CsvSource({"1ms, 1", "500ms, 1", "1s, 1", "1500ms, 2", "1d, 86400", "366d, 31622400"})
  void roundsWindowsUp(String window, long seconds) {
    Policy one = policy("p", "5/" + window);

    assertThat(RateLimitFields.policies(List.of(judged(one, left(one, 0, 4, 1))), false))
        .isEqualTo("\"p\";q=5;w=" + seconds);
  }

  @ParameterizedTest(name = "{0} ms is t={1}")
  @DisplayName("RL-3: the time is rounded up")
  @CsvSource({"1, 1", "999, 1", "1000, 1", "1001, 2", "59999, 60"})
  void roundsTimesUp(long millis, long seconds) {
    List<Judged> judged = List.of(judged(perClient, left(perClient, 0, 7, millis)));

    assertThat(RateLimitFields.accepted(judged, DAY)).isEqualTo("\"per-client\";r=7;t=" + seconds);
  }

  @Test
  @DisplayName("RP-8, SF-5: who is counted is the last parameter of each member")
  void writesPartitions() {
    Policy two = policy("per-client", "100/1m, 10/1s");
    List<Judged> judged = List.of(judged(two, left(two, 0, 99, 60_000), left(two, 1, 9, 1000)));
    String pk = ";pk=:[A-Za-z0-9+/]{16}:";

    assertThat(RateLimitFields.accepted(judged, DAY, PartitionKeys.of("a secret of tests")))
        .matches("\"per-client\";r=99;t=60" + pk + ", \"per-client-1s\";r=9;t=1" + pk);
  }

  @Test
  @DisplayName("RL-3: nothing to wait for is no time")
  void leavesOutATimeOfZero() {
    List<Judged> judged = List.of(judged(perClient, left(perClient, 0, 100, 0)));

    assertThat(RateLimitFields.accepted(judged, DAY)).isEqualTo("\"per-client\";r=100");
  }

  @Test
  @DisplayName("RA-4: times are no longer than the longest wait")
  void clampsTimes() {
    List<Judged> judged = List.of(judged(perClient, left(perClient, 0, 1, 60_000)));

    assertThat(RateLimitFields.accepted(judged, 20)).isEqualTo("\"per-client\";r=1;t=20");
  }

  @Test
  @DisplayName("SF-3, RL-2: integers are bounded and never negative")
  void clampsIntegers() {
    LimitUsage odd =
        new LimitUsage(Charge.of(perClient, "k"), 0, Long.MAX_VALUE, -8, 0, 60_000, Source.LOCAL);

    assertThat(RateLimitFields.policies(List.of(judged(perClient, odd)), false))
        .isEqualTo("\"per-client\";q=999999999999999;w=60");
    assertThat(RateLimitFields.accepted(List.of(judged(perClient, odd)), DAY))
        .isEqualTo("\"per-client\";r=0;t=60");
  }

  @Test
  @DisplayName("OP-14: the quota in force is told")
  void tellsTheQuotaInForce() {
    LimitUsage lowered =
        new LimitUsage(Charge.of(perClient, "k"), 0, 25, 24, 0, 60_000, Source.LOCAL);

    assertThat(RateLimitFields.policies(List.of(judged(perClient, lowered)), false))
        .isEqualTo("\"per-client\";q=25;w=60");
  }

  @Test
  @DisplayName("RL-8, SF-2: hidden policies leave no trace, not even an empty list")
  void hidesPolicies() {
    Judged hidden =
        new Judged(
            PolicyText.of(perClient), List.of(left(perClient, 0, 9, 1)), Source.LOCAL, 429, false);

    assertThat(RateLimitFields.policies(List.of(hidden), false)).isEmpty();
    assertThat(RateLimitFields.accepted(List.of(hidden), DAY)).isEmpty();
    assertThat(RateLimitFields.policies(List.of(hidden), true)).isEmpty();
  }

  @Test
  @DisplayName("OP-14: a policy that let pass uncounted has no fields")
  void hidesWhatOpenLetPass() {
    Policy open = Policy.named("p").limits("2/1h").whenStoreFails(WhenStoreFails.OPEN).build();
    Judged passed = new Judged(PolicyText.of(open), List.of(), Source.POSTURE, 429, true);

    assertThat(RateLimitFields.policies(List.of(passed), false)).isEmpty();
    assertThat(RateLimitFields.accepted(List.of(passed), DAY)).isEmpty();
    assertThat(RateLimitFields.policies(List.of(passed), true)).isEmpty();
  }

  @Test
  @DisplayName("What an operator let pass uncounted has no fields either")
  void hidesWhatAnOverrideLetPass() {
    Judged passed = new Judged(PolicyText.of(perClient), List.of(), Source.OVERRIDE, 429, true);

    assertThat(RateLimitFields.policies(List.of(passed), false)).isEmpty();
    assertThat(RateLimitFields.accepted(List.of(passed), DAY)).isEmpty();
    assertThat(RateLimitFields.policies(List.of(passed), true)).isEmpty();
  }

  @Test
  @DisplayName("RP-7: a policy that was not asked because another refused stays in the field")
  void keepsThePolicyFieldConstant() {
    Policy daily = policy("daily", "5000/1d");
    List<Judged> judged = List.of(judged(perClient, spent(perClient, 0, 16_200)), judged(daily));

    assertThat(RateLimitFields.policies(judged, true))
        .isEqualTo("\"per-client\";q=100;w=60, \"daily\";q=5000;w=86400");
  }
}
