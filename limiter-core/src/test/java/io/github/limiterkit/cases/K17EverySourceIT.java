package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Source;
import io.github.limiterkit.WhenStoreFails;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.FaultProxy;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Retry-after and reset values: one meaning per field, whoever answers. */
class K17EverySourceIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  private final HttpPolicy two = HttpPolicy.named("two").limits("2/1m").build();
  private final HttpPolicy open =
      HttpPolicy.named("open").limits("2/1m").whenStoreFails(WhenStoreFails.OPEN).build();
  private final HttpPolicy closed =
      HttpPolicy.named("closed").limits("2/1m").whenStoreFails(WhenStoreFails.CLOSED).build();

  @Test
  @DisplayName("ST-050 admitted 0, rejected above 0, impossible never: from every source")
  void givesEachFieldOneMeaningFromEverySource() {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit =
            Kits.shared(Kits.over(proxy.url(), Kits.DEADLINE, two, open, closed).build())) {
      assertAnswers(kit, "two", "user:ada", Source.SHARED, Source.DENY_CACHE);
      proxy.refuse();
      await().until(() -> Kits.ask(kit, "open").source() == Source.POSTURE);
      assertAnswers(kit, "two", "user:grace", Source.LOCAL, Source.LOCAL);
      Decision passed = Kits.ask(kit, "open");
      assertThat(passed.allowed()).isTrue();
      assertThat(passed.retryAfterMillis()).isZero();
      Decision shut = kit.acquire("closed", "user:ada");
      assertThat(shut.allowed()).isFalse();
      assertThat(shut.source()).isEqualTo(Source.POSTURE);
      assertThat(shut.retryAfterMillis()).as("the policy's hint").isEqualTo(5_000);
    }
  }

  private static void assertAnswers(
      LimiterKit kit, String policy, String key, Source first, Source again) {
    Decision admitted = Answers.check(kit.acquire(policy, key, 2));
    assertThat(admitted.source()).isEqualTo(first);
    assertThat(admitted.retryAfterMillis()).isZero();
    assertThat(admitted.usages().get(0).resetAfterMillis()).isBetween(50_000L, 60_000L);
    Decision rejected = Answers.check(kit.acquire(policy, key, 1));
    assertThat(rejected.source()).isEqualTo(first);
    assertThat(rejected.retryAfterMillis()).isBetween(50_000L, 60_000L);
    Decision repeated = Answers.check(kit.acquire(policy, key, 1));
    assertThat(repeated.source()).isEqualTo(again);
    assertThat(repeated.retryAfterMillis()).isBetween(50_000L, 60_000L);
    Decision impossible = Answers.check(kit.acquire(policy, key, 3));
    assertThat(impossible.retryAfterMillis()).isEqualTo(LimitUsage.NEVER);
    Decision looked = Answers.check(kit.acquire(policy, key, 0));
    assertThat(looked.source()).isEqualTo(first);
    assertThat(looked.retryAfterMillis()).isZero();
  }
}
