package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.limiterkit.http.HttpPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CarriersTest {

  private final Carriers carriers = new Carriers();
  private final List<LimiterKit> kits = new ArrayList<>();

  @AfterEach
  void close() {
    kits.forEach(LimiterKit::close);
  }

  @Test
  void warnsOfEachPolicyThatTwoAdaptersCharge() {
    assertThat(
            warnings(
                () -> {
                  carriers.add("filter \"a\"", kit("all", "login"));
                  carriers.add("filter \"b\"", kit("login", "other", "all"));
                }))
        .containsExactly(
            "LK003 policy all is in filter \"a\" and in filter \"b\": a request that meets both is"
                + " charged by the first of them only; take it out of one, or give it another name"
                + " there",
            "LK003 policy login is in filter \"a\" and in filter \"b\": a request that meets both"
                + " is charged by the first of them only; take it out of one, or give it another"
                + " name there");
  }

  @Test
  void doesNotWarnOfPoliciesThatNoRouteCharges() {
    LimiterKit kit = build(LimiterKit.inMemory().policy(policy("named")));
    assertThat(
            warnings(
                () -> {
                  carriers.add("filter \"a\"", kit);
                  carriers.add("filter \"b\"", kit);
                }))
        .isEmpty();
  }

  @Test
  void doesNotWarnOfAnAdapterThatHasEndedOrStartsAgain() {
    assertThat(
            warnings(
                () -> {
                  carriers.add("filter \"a\"", kit("all"));
                  carriers.add("filter \"a\"", kit("all"));
                  carriers.remove("filter \"a\"");
                  carriers.remove("filter \"never there\"");
                  carriers.add("filter \"b\"", kit("all"));
                }))
        .isEmpty();
  }

  private static List<String> warnings(Runnable action) {
    try (LogCapture log = new LogCapture()) {
      action.run();
      return log.at(Level.WARN);
    }
  }

  private LimiterKit kit(String... names) {
    LimiterKit.Builder builder = LimiterKit.inMemory();
    for (String name : names) {
      builder.route("/*", policy(name));
    }
    return build(builder);
  }

  private LimiterKit build(LimiterKit.Builder builder) {
    LimiterKit kit = builder.build();
    kits.add(kit);
    return kit;
  }

  private static HttpPolicy policy(String name) {
    return HttpPolicy.named(name).limits("5/1m").build();
  }
}
