package io.github.limiterkit.http.answer;

import static io.github.limiterkit.http.answer.Answering.DAY;
import static io.github.limiterkit.http.answer.Answering.judged;
import static io.github.limiterkit.http.answer.Answering.policy;
import static io.github.limiterkit.http.answer.Answering.spent;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Charge;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Source;
import io.github.limiterkit.WhenStoreFails;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProblemTest {

  private final Policy perClient = policy("per-client", "100/1m");
  private final Policy daily = policy("daily", "5000/1d");

  private static Violations of(Judged... judged) {
    return Violations.of(List.of(judged), DAY);
  }

  @Test
  @DisplayName("EB-1, EB-2, EB-4, EB-5, EB-6: the body of the test vector, byte for byte")
  void writesQuotaExceeded() {
    String body =
        Problem.STANDARD.write(
            BodyForm.PROBLEM, of(judged(perClient, spent(perClient, 0, 16_200)), judged(daily)));

    assertThat(body)
        .isEqualTo(
            "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                + "\"title\":\"Quota Exceeded\",\"status\":429,"
                + "\"detail\":\"Quota for policy 'per-client' is exhausted. Retry in 17 seconds.\","
                + "\"violated-policies\":[\"per-client\"],\"retry_after\":17}")
        .hasSize(239);
  }

  @Test
  @DisplayName("EB-3: the body of the capacity vector, but for the policy's kind")
  void writesReducedCapacity() {
    Policy closed =
        Policy.named("global-concurrency")
            .limits("200/1s")
            .whenStoreFails(WhenStoreFails.CLOSED)
            .retryAfterHint(Duration.ofSeconds(2))
            .build();
    Judged judged = new Judged(PolicyText.of(closed), List.of(), Source.POSTURE, 429, true);

    assertThat(Problem.STANDARD.write(BodyForm.PROBLEM, of(judged)))
        .isEqualTo(
            "{\"type\":\"https://iana.org/assignments/http-problem-types#temporary-reduced-capacity\","
                + "\"title\":\"Temporary Reduced Capacity\",\"status\":503,"
                + "\"violated-policies\":[\"global-concurrency\"],\"retry_after\":2}")
        .hasSize(194);
  }

  @Test
  @DisplayName("EB-4: several policies, and one second")
  void namesAll() {
    String body =
        Problem.STANDARD.write(
            BodyForm.PROBLEM,
            of(judged(perClient, spent(perClient, 0, 1)), judged(daily, spent(daily, 0, 1))));

    assertThat(body)
        .contains("\"Quotas for policies 'per-client', 'daily' are exhausted. Retry in 1 second.\"")
        .contains("\"violated-policies\":[\"per-client\",\"daily\"]");
  }

  @Test
  @DisplayName("EB-4: hidden policies are not named")
  void namesNone() {
    Judged hidden =
        new Judged(PolicyText.of(daily), List.of(spent(daily, 0, 1)), Source.LOCAL, 429, false);

    assertThat(Problem.STANDARD.write(BodyForm.PROBLEM, of(hidden)))
        .doesNotContain("daily")
        .doesNotContain("violated-policies")
        .contains("\"Quota is exhausted. Retry in 1 second.\"");
  }

  @Test
  @DisplayName("OP-6: the detail says that waiting does not help")
  void saysThatWaitingDoesNotHelp() {
    LimitUsage tooDear =
        new LimitUsage(
            new Charge(perClient, "k", 101), 0, 100, 100, LimitUsage.NEVER, 0, Source.LOCAL);

    assertThat(Problem.STANDARD.write(BodyForm.PROBLEM, of(judged(perClient, tooDear))))
        .contains("cannot succeed by waiting")
        .doesNotContain("retry_after");
  }

  @Test
  @DisplayName("OP-12: no wait brings a key, whatever the status is")
  void saysThatWaitingGivesNoKey() {
    Violations violations = Violations.keyless(503, List.of());

    assertThat(Problem.STANDARD.write(BodyForm.TEXT, violations))
        .isEqualTo("Temporary Reduced Capacity\nIt cannot succeed by waiting.\n");
  }

  @Test
  @DisplayName("EB-10: names are escaped, whatever is in them")
  void escapesNames() {
    Violations violations = Violations.keyless(503, List.of("a\"b\\c d~\u007f\u001f\u00e9\uabcd"));

    assertThat(Problem.STANDARD.write(BodyForm.PROBLEM, violations))
        .contains("[\"a\\\"b\\\\c d~\\u007f\\u001f\\u00e9\\uabcd\"]");
  }

  @Test
  @DisplayName("EB-8, EB-10: the types can be replaced, and are escaped")
  void writesOtherTypes() {
    Problem problem =
        new Problem(URI.create("https://example.test/\u00e9?a=b"), URI.create("urn:b"));

    assertThat(problem.write(BodyForm.PROBLEM, of(judged(daily, spent(daily, 0, 1)))))
        .startsWith("{\"type\":\"https://example.test/%C3%A9?a=b\",");
    assertThat(problem.write(BodyForm.PROBLEM, Violations.unavailable(DAY)))
        .isEqualTo(
            "{\"type\":\"urn:b\",\"title\":\"Temporary Reduced Capacity\",\"status\":503,"
                + "\"retry_after\":5}");
  }

  @Test
  @DisplayName("EB-9: a minimal page, and plain text")
  void writesOtherForms() {
    Violations violations = of(judged(daily, spent(daily, 0, 1)));

    assertThat(Problem.STANDARD.write(BodyForm.HTML, violations))
        .isEqualTo(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><title>Quota Exceeded</title></head><body>"
                + "<h1>Quota Exceeded</h1><p>Quota for policy 'daily' is exhausted. Retry in 1"
                + " second.</p></body></html>\n");
    assertThat(Problem.STANDARD.write(BodyForm.TEXT, violations))
        .isEqualTo("Quota Exceeded\nQuota for policy 'daily' is exhausted. Retry in 1 second.\n");
    assertThat(Problem.STANDARD.write(BodyForm.TEXT, Violations.unavailable(DAY)))
        .isEqualTo("Temporary Reduced Capacity\nRetry in 5 seconds.\n");
  }
}
