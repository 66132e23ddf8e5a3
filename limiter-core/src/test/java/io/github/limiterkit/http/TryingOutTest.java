package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.limiterkit.Charge;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Policies that are tried out, and policies that have tiers. */
class TryingOutTest {

  private final FixedWindow window = new FixedWindow();
  private final HttpPolicy binding = HttpPolicy.named("binding").limits("3/1h").build();
  private final HttpPolicy shadow = HttpPolicy.named("shadow").limits("1/1h").shadow(true).build();

  private static Verdict check(HttpRateLimiter http) {
    return check(http, FakeRequest.get("/"));
  }

  private static Verdict check(HttpRateLimiter http, FakeRequest request) {
    return http.check(request, ResponseView.EMPTY);
  }

  private static String rateLimit(Verdict verdict) {
    return field(verdict, "RateLimit");
  }

  private static String field(Verdict verdict, String name) {
    return verdict.fields().stream()
        .filter(field -> field.name().equals(name))
        .map(Field::value)
        .findFirst()
        .orElse("none");
  }

  @Test
  @DisplayName("a policy in shadow counts, refuses nobody, and changes no answer")
  void changesNoAnswer() {
    HttpRateLimiter http = HttpRateLimiter.over(window).route("/*", shadow, binding).build();
    assertThat(rateLimit(check(http))).isEqualTo("\"binding\";r=2;t=3600");
    assertThat(window.asked).hasSize(1);
    assertThat(rateLimit(check(http))).isEqualTo("\"binding\";r=1;t=3600");
    assertThat(rateLimit(check(http))).isEqualTo("\"binding\";r=0;t=3600");
    int before = window.asked.size();
    Verdict refused = check(http);
    assertThat(refused.refusal().body()).contains("[\"binding\"]");
    assertThat(rateLimit(refused)).isEqualTo("\"binding\";r=0;t=3600");
    assertThat(field(refused, "RateLimit-Policy")).isEqualTo("\"binding\";q=3;w=3600");
    assertThat(window.asked).as("one question tells it").hasSize(before + 1);
  }

  @Test
  @DisplayName("the whole kit in shadow: no fields, no refusal, and everything is counted")
  void triesOutTheWhole() {
    HttpRateLimiter http =
        HttpRateLimiter.over(window).shadow(true).route("/*", binding, shadow).build();
    assertThat(http.isShadow(binding)).isTrue();
    for (int i = 0; i < 5; i++) {
      assertThat(check(http)).isEqualTo(Verdict.PASS);
    }
    assertThat(window.asked).hasSize(5);
  }

  @Test
  @DisplayName("a kit in shadow writes no fields, neither before the handler nor after it")
  void writesNoFieldsOfWhatIsTriedOut() {
    HttpRateLimiter http =
        HttpRateLimiter.over(window).shadow(true).sourceField(true).route("/*", binding).build();
    FakeRequest request = FakeRequest.get("/");
    assertThat(check(http, request)).isEqualTo(Verdict.PASS);
    assertThat(http.fields(request, ResponseView.EMPTY, 200)).isEmpty();
  }

  @Test
  @DisplayName("OP-12: a missing key refuses nobody while it is tried out")
  void refusesNobodyForAMissingKey() {
    HttpPolicy keyless =
        HttpPolicy.named("k").limits("1/1h").key("principal, else refuse").shadow(true).build();
    HttpRateLimiter http = HttpRateLimiter.over(window).route("/*", keyless).build();
    assertThat(check(http)).isEqualTo(Verdict.PASS);
    assertThat(window.asked).isEmpty();
  }

  @Test
  void passesEverythingWhenSwitchedOff() {
    HttpRateLimiter http = HttpRateLimiter.over(window).enabled(false).route("/*", binding).build();
    for (int i = 0; i < 5; i++) {
      assertThat(check(http)).isEqualTo(Verdict.PASS);
    }
    assertThat(window.asked).isEmpty();
  }

  @Test
  @DisplayName("a tier has other limits under the same name; what is no tier has the policy's own")
  void givesTiersTheirLimits() {
    HttpPolicy orders =
        HttpPolicy.named("orders")
            .limits("2/1h")
            .tier("gold", "20/1h, 9/1s")
            .tierFrom(request -> (String) request.attribute("plan"))
            .build();
    assertThat(orders.needsPrincipal()).isTrue();
    HttpRateLimiter http = HttpRateLimiter.over(window).route("/*", orders).build();
    FakeRequest gold = FakeRequest.get("/");
    gold.attribute("plan", "gold");
    Verdict accepted = check(http, gold);
    assertThat(accepted.fields().get(0).value())
        .isEqualTo("\"orders\";q=20;w=3600, \"orders-1s\";q=9;w=1");
    assertThat(rateLimit(accepted)).isEqualTo("\"orders\";r=19;t=3600, \"orders-1s\";r=8;t=1");
    Charge charge = window.asked.get(0).get(0);
    assertThat(charge.policy().name()).isEqualTo("orders");

    FakeRequest other = FakeRequest.get("/").from("192.0.2.77");
    other.attribute("plan", "platinum");
    assertThat(rateLimit(check(http, other))).isEqualTo("\"orders\";r=1;t=3600");
    FakeRequest wrong = FakeRequest.get("/").from("192.0.2.78");
    wrong.attribute("plan", 7);
    assertThat(rateLimit(check(http, wrong))).as("a class cast").isEqualTo("\"orders\";r=1;t=3600");
  }

  @Test
  void refusesTiersThatDoNotFit() {
    HttpPolicy.Builder policy = HttpPolicy.named("p").limits("2/1h");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.tier("Gold", "1/1s"))
        .withMessage("policy \"p\": tier \"Gold\" does not match [a-z][a-z0-9_-]{0,63}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.tier("gold", "1/min"))
        .withMessageStartingWith("policy \"p\": tier gold: \"1/min\"");
    policy.tier("gold", "20/1h");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.tier("gold", "30/1h"))
        .withMessageContaining("is there already");
    assertThatIllegalArgumentException()
        .isThrownBy(policy::build)
        .withMessageContaining("nobody says which tier a request has");
    assertThatIllegalArgumentException()
        .isThrownBy(HttpPolicy.named("p").limits("2/1h").tierFrom(any -> null)::build)
        .withMessageContaining("has no tiers");
    assertThatIllegalArgumentException()
        .isThrownBy(policy.tierFrom(any -> null).cost(3)::build)
        .withMessageContaining("cost 3 is outside 1 to 2");
    HttpPolicy.Builder dear =
        HttpPolicy.named("p").limits("9/1h").cost(3).tier("trial", "2/1h").tierFrom(any -> null);
    assertThatIllegalArgumentException()
        .isThrownBy(dear::build)
        .withMessageContaining("cost 3 is outside 1 to 2");
    HttpPolicy clash = HttpPolicy.named("p-1s").limits("9/1h").build();
    HttpPolicy tiered =
        HttpPolicy.named("p")
            .limits("9/1h")
            .tier("gold", "9/1h, 1/1s")
            .tierFrom(any -> null)
            .build();
    assertThatIllegalArgumentException()
        .isThrownBy(HttpRateLimiter.over(window).policy(clash).policy(tiered)::build)
        .withMessageContaining("p-1s");
    assertThat(List.copyOf(tiered.tiers().keySet())).containsExactly("gold");
  }
}
