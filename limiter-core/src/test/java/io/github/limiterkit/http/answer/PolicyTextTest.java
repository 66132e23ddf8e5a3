package io.github.limiterkit.http.answer;

import static io.github.limiterkit.http.answer.Answering.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("OP-15: names of several limits")
class PolicyTextTest {

  @Test
  void namesEachFurtherLimitByItsTime() {
    assertThat(PolicyText.of(policy("p", "100/1m, 10/1s, 1/90ms, 5000/1d")).names())
        .containsExactly("p", "p-1s", "p-90ms", "p-1d");
  }

  @Test
  void refusesNamesThatGrowTooLong() {
    String name = "a".repeat(62);
    assertThat(PolicyText.of(policy(name, "100/1m")).names()).containsExactly(name);
    String longest = "a".repeat(61);
    assertThat(PolicyText.of(policy(longest, "100/1m, 10/1s")).names())
        .containsExactly(longest, longest + "-1s");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PolicyText.of(policy(name, "100/1m, 10/1s")))
        .withMessageContaining(name)
        .withMessageContaining("10/1s")
        .withMessageContaining("64");
  }
}
