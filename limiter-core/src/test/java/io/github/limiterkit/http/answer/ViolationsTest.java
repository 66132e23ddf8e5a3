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
import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ViolationsTest {

  private final Policy perClient = policy("per-client", "100/1m");
  private final Policy daily = policy("daily", "5000/1d");

  private static Violations of(Judged... judged) {
    return Violations.of(List.of(judged), DAY);
  }

  @ParameterizedTest(name = "{0} ms is {1} s")
  @DisplayName("RA-3, RA-4, HT-102, HT-109: rounded up, at least 1")
  @CsvSource({"1, 1", "999, 1", "1000, 1", "1001, 2", "1500, 2", "16200, 17", "60000, 60"})
  void roundsTheWaitUp(long millis, long seconds) {
    Violations violations = of(judged(daily, spent(daily, 0, millis)));

    assertThat(violations.retryAfter()).isEqualTo(seconds);
    assertThat(violations.rateLimit()).isEqualTo("\"daily\";r=0;t=" + seconds);
  }

  @Property(tries = 5_000)
  void neverTellsAClientToComeTooEarly(@ForAll @LongRange(min = 1, max = 86_400_000) long millis) {
    long seconds = of(judged(daily, spent(daily, 0, millis))).retryAfter();

    assertThat(seconds * 1000).isGreaterThanOrEqualTo(millis).isLessThan(millis + 1000);
  }

  @ParameterizedTest(name = "{0} ms at most {1} s is {2} s")
  @DisplayName("RA-4, RA-6, HT-110: the clamp holds for the wait and for t alike")
  @CsvSource({
    "86399500, 86400, 86400",
    "86400000, 86400, 86400",
    "864000000, 86400, 86400",
    "864000000, 60, 60",
    "59000, 60, 59",
  })
  void clampsTheWait(long millis, long longest, long seconds) {
    Violations violations = Violations.of(List.of(judged(daily, spent(daily, 0, millis))), longest);

    assertThat(violations.retryAfter()).isEqualTo(seconds);
    assertThat(violations.rateLimit()).isEqualTo("\"daily\";r=0;t=" + seconds);
  }

  @Test
  @DisplayName("RL-4: only the refusing policies are listed, with nothing left")
  void listsTheRefusingOnly() {
    Violations violations =
        of(judged(perClient, spent(perClient, 0, 16_200)), judged(daily, left(daily, 0, 7, 5)));

    assertThat(violations.rateLimit()).isEqualTo("\"per-client\";r=0;t=17");
    assertThat(violations.names()).containsExactly("per-client");
    assertThat(violations.retryAfter()).isEqualTo(17);
    assertThat(violations.status()).isEqualTo(429);
  }

  @Test
  @DisplayName("RA-5, RA-6: of several refusing policies the longest wait counts")
  void tellsTheLongestWait() {
    Violations violations =
        of(
            judged(perClient, spent(perClient, 0, 17_000)),
            judged(daily, spent(daily, 0, 36_000_000)));

    assertThat(violations.retryAfter()).isEqualTo(36_000);
    assertThat(violations.rateLimit()).isEqualTo("\"per-client\";r=0;t=17, \"daily\";r=0;t=36000");
  }

  @Test
  @DisplayName("OP-15: the limit that refused is named, not the policy")
  void namesTheLimit() {
    Policy two = policy("per-client", "100/1m, 10/1s");
    Violations violations = of(judged(two, left(two, 0, 80, 5), spent(two, 1, 400)));

    assertThat(violations.names()).containsExactly("per-client-1s");
    assertThat(violations.rateLimit()).isEqualTo("\"per-client-1s\";r=0;t=1");
  }

  @Test
  @DisplayName("RL-4: what is left for a smaller request is not told")
  void tellsZeroEvenIfACheaperRequestWouldPass() {
    LimitUsage dear =
        new LimitUsage(new Charge(perClient, "k", 30), 0, 100, 12, 5000, 5000, Source.LOCAL);

    assertThat(of(judged(perClient, dear)).rateLimit()).isEqualTo("\"per-client\";r=0;t=5");
  }

  @Test
  @DisplayName("OP-6: a request that can never succeed has no wait")
  void tellsNoWaitToTheHopeless() {
    LimitUsage tooDear =
        new LimitUsage(
            new Charge(perClient, "k", 101), 0, 100, 100, LimitUsage.NEVER, 0, Source.LOCAL);
    Judged with503 =
        new Judged(PolicyText.of(perClient), List.of(tooDear), Source.LOCAL, 503, true);
    Violations violations = of(with503, judged(daily, spent(daily, 0, 5000)));

    assertThat(violations.retryAfter()).isZero();
    assertThat(violations.hopeless()).isTrue();
    assertThat(violations.status()).isEqualTo(429);
    assertThat(violations.rateLimit()).startsWith("\"per-client\";r=0, ");
  }

  @Test
  @DisplayName("RA-1: too dear for a lowered quota only is a wait that nobody knows")
  void tellsTheHintWhileTheQuotaIsLowered() {
    Policy hinted =
        Policy.named("p").limits("100/1m").retryAfterHint(Duration.ofSeconds(9)).build();
    LimitUsage tooDear =
        new LimitUsage(new Charge(hinted, "k", 30), 0, 25, 25, LimitUsage.NEVER, 0, Source.LOCAL);
    Violations violations = of(judged(hinted, tooDear));

    assertThat(violations.retryAfter()).isEqualTo(9);
    assertThat(violations.rateLimit()).isEqualTo("\"p\";r=0");
    assertThat(violations.status()).isEqualTo(429);
  }

  @Test
  @DisplayName("ST-2, OP-14: a policy that closes without the store answers 503 with its hint")
  void answers503WhenClosed() {
    Policy closed =
        Policy.named("p").limits("2/1h, 1/1s").whenStoreFails(WhenStoreFails.CLOSED).build();
    Judged unasked = new Judged(PolicyText.of(closed), List.of(), Source.POSTURE, 429, true);
    LimitUsage refused = new LimitUsage(Charge.of(closed, "k"), 0, 2, 0, 5000, 0, Source.POSTURE);
    Judged asked = new Judged(PolicyText.of(closed), List.of(refused), Source.POSTURE, 429, true);

    for (Judged one : List.of(unasked, asked)) {
      Violations violations = of(one);
      assertThat(violations.status()).isEqualTo(503);
      assertThat(violations.retryAfter()).isEqualTo(5);
      assertThat(violations.names()).containsExactly("p");
      assertThat(violations.rateLimit()).isEqualTo("\"p\";r=0");
    }
  }

  @Test
  @DisplayName("ST-2: while the store answers, such a policy is a quota like any other")
  void answers429WhenTheQuotaOfAClosedPolicyIsSpent() {
    Policy closed = Policy.named("p").limits("2/1h").whenStoreFails(WhenStoreFails.CLOSED).build();
    LimitUsage refused =
        new LimitUsage(Charge.of(closed, "k"), 0, 2, 0, 17_000, 17_000, Source.SHARED);
    Violations violations =
        of(new Judged(PolicyText.of(closed), List.of(refused), Source.SHARED, 429, true));

    assertThat(violations.status()).isEqualTo(429);
    assertThat(violations.retryAfter()).isEqualTo(17);
    assertThat(violations.rateLimit()).isEqualTo("\"p\";r=0;t=17");
  }

  @Test
  @DisplayName("ST-3: 503 only if every refusing policy asks for it")
  void prefers429() {
    Judged busy =
        new Judged(PolicyText.of(daily), List.of(spent(daily, 0, 1000)), Source.LOCAL, 503, true);

    assertThat(of(busy).status()).isEqualTo(503);
    assertThat(of(busy, judged(perClient, spent(perClient, 0, 1000))).status()).isEqualTo(429);
    assertThat(of(busy, judged(perClient, left(perClient, 0, 1, 1))).status()).isEqualTo(503);
  }

  @Test
  @DisplayName("RL-8: hidden policies still set the wait")
  void countsHiddenPolicies() {
    Judged hidden =
        new Judged(
            PolicyText.of(daily), List.of(spent(daily, 0, 90_000)), Source.LOCAL, 429, false);
    Violations violations = of(hidden, judged(perClient, spent(perClient, 0, 1000)));

    assertThat(violations.retryAfter()).isEqualTo(90);
    assertThat(violations.names()).containsExactly("per-client");
    assertThat(of(hidden).rateLimit()).isEmpty();
  }

  @Test
  void makesDoWithALimiterThatGivesNoReason() {
    Violations violations = of(judged(perClient, left(perClient, 0, 3, 5)));

    assertThat(violations.status()).isEqualTo(429);
    assertThat(violations.retryAfter()).isEqualTo(5);
    assertThat(violations.names()).containsExactly("per-client");
  }

  @Test
  void knowsNothingOfWhatIsNotTheClientsFault() {
    Violations violations = Violations.unavailable(DAY);

    assertThat(violations.status()).isEqualTo(503);
    assertThat(violations.retryAfter()).isEqualTo(5);
    assertThat(violations.names()).isEmpty();
    assertThat(violations.rateLimit()).isEmpty();
  }
}
