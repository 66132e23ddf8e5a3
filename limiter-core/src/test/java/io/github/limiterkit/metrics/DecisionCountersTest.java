package io.github.limiterkit.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Source;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionCountersTest {

  private static final Policy HELLO = Policy.named("hello").limits("5/10s").build();
  private static final Policy LOGIN = Policy.named("login").limits("3/1m, 9/1h").build();

  private final Charge hello = Charge.of(HELLO, "ip:192.0.2.1");
  private final Charge login = Charge.of(LOGIN, "ip:192.0.2.1");

  @Test
  void countsAnAllowedDecisionForEachPolicy() {
    DecisionCounters counters =
        over(
            new Decision(
                true,
                Source.LOCAL,
                List.of(
                    room(hello, 0, Source.SHARED),
                    room(login, 0, Source.LOCAL),
                    room(login, 1, Source.LOCAL))));

    counters.acquire(List.of(hello, login));

    assertThat(counters.counts())
        .containsExactly(
            new DecisionCount("hello", Source.SHARED, Outcome.ALLOWED, 1),
            new DecisionCount("login", Source.LOCAL, Outcome.ALLOWED, 1));
  }

  @Test
  void countsARefusalForThePolicyThatHadNoRoomOnly() {
    DecisionCounters counters =
        over(
            new Decision(
                false,
                Source.SHARED,
                List.of(
                    room(hello, 0, Source.SHARED),
                    room(login, 0, Source.SHARED),
                    full(login, 1, Source.SHARED))));

    counters.acquire(List.of(hello, login));

    assertThat(counters.counts())
        .containsExactly(new DecisionCount("login", Source.SHARED, Outcome.REFUSED, 1));
  }

  @Test
  void tellsOfEachChargeThatALimitRefused() {
    List<Charge> refused = new ArrayList<>();
    Decision ofLogin =
        new Decision(
            false,
            Source.DENY_CACHE,
            List.of(full(login, 0, Source.DENY_CACHE), full(login, 1, Source.DENY_CACHE)));
    new DecisionCounters(charges -> ofLogin, List.of(), refused::add)
        .acquire(List.of(hello, login));
    assertThat(refused).containsExactly(login);

    refused.clear();
    Decision closed = new Decision(false, Source.POSTURE, List.of(full(hello, 0, Source.POSTURE)));
    new DecisionCounters(charges -> closed, List.of(), refused::add).acquire(hello);
    Decision allowed = new Decision(true, Source.SHARED, List.of(room(hello, 0, Source.SHARED)));
    new DecisionCounters(charges -> allowed, List.of(), refused::add).acquire(hello);
    assertThat(refused).as("no limit was reached").isEmpty();
  }

  @Test
  void countsWhatThePostureLetPassUncounted() {
    DecisionCounters counters = over(new Decision(true, Source.POSTURE, List.of()));

    counters.acquire(hello);

    assertThat(counters.count("hello", Source.POSTURE, Outcome.ALLOWED)).isEqualTo(1);
    assertThat(counters.count(Source.POSTURE, Outcome.ALLOWED)).isEqualTo(1);
  }

  @Test
  void countsARefusalThatNamesNoLimitForAllOfThem() {
    DecisionCounters counters = over(new Decision(false, Source.POSTURE, List.of()));

    counters.acquire(List.of(hello, login));

    assertThat(counters.count(Source.POSTURE, Outcome.REFUSED)).isEqualTo(2);
  }

  @Test
  void doesNotCountALook() {
    DecisionCounters counters = over(new Decision(true, Source.LOCAL, List.of()));

    counters.acquire(new Charge(HELLO, "ip:192.0.2.1", 0));

    assertThat(counters.counts()).isEmpty();
  }

  @Test
  void putsAPolicyThatIsNotConfiguredUnderOther() {
    DecisionCounters counters = over(new Decision(true, Source.LOCAL, List.of()));

    Policy stranger = Policy.named("stranger").limits("1/1s").build();
    counters.acquire(Charge.of(stranger, "ip:192.0.2.1"));

    assertThat(counters.count(DecisionCounters.OTHER, Source.LOCAL, Outcome.ALLOWED)).isEqualTo(1);
    assertThat(counters.count("stranger", Source.LOCAL, Outcome.ALLOWED)).isZero();
    assertThat(counters.policies()).containsExactly("hello", "login");
  }

  @Test
  void countsTheUnitsThatWereGivenBackByPolicy() {
    Policy stranger = Policy.named("stranger").limits("1/1s").build();
    Refund refund =
        new Refund(List.of(new Charge(HELLO, "a", 3), login, new Charge(stranger, "a", 7)), false);
    RateLimiter limiter =
        new RateLimiter() {
          @Override
          public Decision acquire(List<Charge> charges) {
            return new Decision(true, Source.LOCAL, List.of());
          }

          @Override
          public Refund refund(Decision decision, long units) {
            return refund;
          }
        };
    DecisionCounters counters = new DecisionCounters(limiter, List.of("hello", "login"));
    for (int i = 0; i < 2; i++) {
      assertThat(counters.refund(counters.acquire(hello))).isSameAs(refund);
    }
    assertThat(counters.refundedUnits("hello")).isEqualTo(6);
    assertThat(counters.refundedUnits("login")).isEqualTo(2);
    assertThat(counters.refundedUnits(DecisionCounters.OTHER)).isEqualTo(14);
    assertThat(counters.refundedUnits("stranger")).isZero();
  }

  @Test
  void losesNoneWithManyThreads() throws InterruptedException {
    DecisionCounters counters = over(new Decision(true, Source.LOCAL, List.of()));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int j = 0; j < 10_000; j++) {
                  counters.acquire(hello);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(counters.count("hello", Source.LOCAL, Outcome.ALLOWED)).isEqualTo(80_000);
  }

  private static DecisionCounters over(Decision answer) {
    RateLimiter limiter = charges -> answer;
    return new DecisionCounters(limiter, List.of("hello", "login"));
  }

  private static LimitUsage room(Charge charge, int index, Source source) {
    return new LimitUsage(charge, index, 5, 4, 0, 1_000, source);
  }

  private static LimitUsage full(Charge charge, int index, Source source) {
    return new LimitUsage(charge, index, 5, 0, 700, 0, source);
  }
}
