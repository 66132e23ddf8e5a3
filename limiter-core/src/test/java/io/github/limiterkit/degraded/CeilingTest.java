package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Refund;
import io.github.limiterkit.Reset;
import io.github.limiterkit.Scope;
import io.github.limiterkit.Source;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Policies that count on one instance only, alone and beside shared ones. */
class CeilingTest {

  private static final Policy CEILING =
      Policy.named("ceiling").limits("10/1s").scope(Scope.INSTANCE).build();
  private static final Policy KEYED = Policy.named("keyed").limits("4/1m").build();

  private final FakeTicker ticker = new FakeTicker();
  private final FakeStore store =
      new FakeStore(() -> Duration.ofNanos(ticker.read()).toMillis() + 1_000);
  private final DegradedLimiter limiter =
      DegradedLimiter.over(store).fleetSize(4).ticker(ticker::read).build();

  @BeforeEach
  void storeAnswers() {
    for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
      limiter.gate(FakeStore.NODE).probed(1, null);
    }
  }

  @Test
  void neverAsksTheStore() {
    Decision decision = limiter.acquire(ceiling());

    assertThat(decision.allowed()).isTrue();
    assertThat(decision.source()).isEqualTo(Source.LOCAL);
    assertThat(store.calls).isZero();
  }

  @Test
  void hasItsFullQuotaInEveryMode() {
    assertThat(admittedOf(20, ceiling())).isEqualTo(10);
    ticker.advance(Duration.ofSeconds(1));
    shutGate();
    Decision first = limiter.acquire(ceiling());
    assertThat(first.usages().get(0).quota()).isEqualTo(10);
    assertThat(1 + admittedOf(20, ceiling())).isEqualTo(10);
  }

  @Test
  void countsOnAcrossTheLossOfTheStore() {
    assertThat(admittedOf(6, ceiling())).isEqualTo(6);
    shutGate();
    assertThat(admittedOf(20, ceiling())).isEqualTo(4);
  }

  @Test
  void chargesBothScopesOrNone() {
    assertThat(admittedOf(10, ceiling(), keyed("a"))).as("by the shared quota").isEqualTo(4);
    assertThat(admittedOf(10, ceiling(), keyed("b"))).isEqualTo(4);
    assertThat(admittedOf(10, ceiling(), keyed("c"))).as("by the ceiling").isEqualTo(2);
    assertThat(admittedOf(10, keyed("c"))).as("the ceiling took nothing of it").isEqualTo(2);
  }

  @Test
  void doesNotAskTheStoreForWhomTheCeilingRefuses() {
    admittedOf(10, ceiling());
    Decision refused = limiter.acquire(List.of(keyed("a"), ceiling()));

    assertThat(refused.allowed()).isFalse();
    assertThat(refused.retryAfterMillis()).isEqualTo(1_000);
    assertThat(refused.usages()).extracting(LimitUsage::charge).containsExactly(ceiling());
    assertThat(store.calls).isZero();
  }

  @Test
  void saysHowEachLimitStandsInTheOrderOfTheCharges() {
    Decision decision = limiter.acquire(List.of(keyed("a"), ceiling(), keyed("b")));

    assertThat(decision.source()).as("the weaker of the two").isEqualTo(Source.LOCAL);
    assertThat(decision.usages())
        .extracting(LimitUsage::charge)
        .containsExactly(keyed("a"), ceiling(), keyed("b"));
    assertThat(decision.usages())
        .extracting(LimitUsage::source)
        .containsExactly(Source.SHARED, Source.LOCAL, Source.SHARED);
    assertThat(decision.usages()).extracting(LimitUsage::remaining).containsExactly(3L, 9L, 3L);
  }

  @Test
  void theStoresRefusalLeavesTheCeilingAsItWas() {
    admittedOf(4, keyed("a"));

    Decision refused = limiter.acquire(List.of(ceiling(), keyed("a")));

    assertThat(refused.allowed()).isFalse();
    assertThat(refused.usages().get(0).remaining()).isEqualTo(10);
    assertThat(refused.usages().get(0).refused()).isFalse();
    assertThat(admittedOf(20, ceiling())).isEqualTo(10);
  }

  @Test
  void chargesBothScopesHereWhenTheStoreFails() {
    store.fault = StoreFault.TIMEOUT;
    assertThat(admittedOf(10, ceiling(), keyed("a"))).as("a quarter of 4").isEqualTo(1);
    shutGate();
    assertThat(admittedOf(10, ceiling(), keyed("b"))).isEqualTo(1);
    assertThat(admittedOf(20, ceiling())).as("nothing stays held").isEqualTo(8);
  }

  @Test
  void takesUpRoomWhileTheStoreIsAsked() {
    Policy one = Policy.named("one").limits("1/1s").scope(Scope.INSTANCE).build();
    List<Decision> meanwhile = new ArrayList<>();
    store.before = () -> meanwhile.add(limiter.acquire(Charge.of(one, "all")));

    Decision mixed = limiter.acquire(List.of(Charge.of(one, "all"), keyed("a")));

    assertThat(mixed.allowed()).isTrue();
    assertThat(meanwhile).singleElement().matches(decision -> !decision.allowed());
    assertThat(meanwhile.get(0).retryAfterMillis()).isEqualTo(1_000);
    assertThat(meanwhile.get(0).usages().get(0).remaining()).isZero();
  }

  @Test
  void staysInTheTableWhileTheStoreIsAsked() {
    store.before = limiter::sweep;
    admittedOf(3, ceiling(), keyed("a"));
    store.before = () -> {};
    assertThat(admittedOf(20, ceiling())).isEqualTo(7);
  }

  @Test
  void letsGoOfWhatItHeldWhenTheStoreBreaks() {
    store.before =
        () -> {
          throw new IllegalStateException("a fault of the kit");
        };
    for (int i = 0; i < 20; i++) {
      try {
        limiter.acquire(List.of(ceiling(), keyed("a")));
      } catch (IllegalStateException expected) {
        continue;
      }
      throw new AssertionError("the fault was swallowed");
    }
    assertThat(admittedOf(20, ceiling())).isEqualTo(10);
  }

  @Test
  void givesBothScopesBack() {
    Decision both = limiter.acquire(List.of(ceiling(), new Charge(KEYED, "a", 3)));
    Refund refund = limiter.refund(both);
    assertThat(refund.complete()).isTrue();
    assertThat(refund.givenBack()).containsExactlyInAnyOrder(ceiling(), new Charge(KEYED, "a", 3));
    assertThat(limiter.refund(both)).as("once").isEqualTo(Refund.NOTHING);
    assertThat(limiter.usage(CEILING, "all").get(0).remaining()).isEqualTo(10);
  }

  @Test
  void isLookedAtAndResetWithoutTheStore() {
    admittedOf(10, ceiling());
    assertThat(limiter.usage(CEILING, "all").get(0).remaining()).isZero();
    assertThat(limiter.reset(CEILING, "all")).isEqualTo(Reset.DONE);
    assertThat(limiter.usage(CEILING, "all").get(0).remaining()).isEqualTo(10);
    assertThat(store.calls).isZero();
  }

  @Test
  void isNeverExceededByCallersSideBySide() throws Exception {
    Policy wide = Policy.named("wide").limits("100000/1m").build();
    Policy ceiling = Policy.named("c").limits("500/1m").scope(Scope.INSTANCE).build();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Integer>> admitted = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        boolean alone = t == 0;
        List<Charge> charges =
            alone
                ? List.of(Charge.of(ceiling, "all"))
                : List.of(Charge.of(wide, "k" + t), Charge.of(ceiling, "all"));
        admitted.add(threads.submit(() -> admittedOf(400, charges.toArray(new Charge[0]))));
      }
      int sum = 0;
      for (Future<Integer> each : admitted) {
        sum += each.get();
      }
      assertThat(sum).isEqualTo(500);
    } finally {
      threads.shutdownNow();
    }
  }

  private int admittedOf(int tries, Charge... charges) {
    int admitted = 0;
    for (int i = 0; i < tries; i++) {
      admitted += limiter.acquire(List.of(charges)).allowed() ? 1 : 0;
    }
    return admitted;
  }

  private void shutGate() {
    limiter.gate(FakeStore.NODE).sample(Samples.failed(StoreFault.READONLY));
  }

  private static Charge ceiling() {
    return Charge.of(CEILING, "all");
  }

  private static Charge keyed(String key) {
    return Charge.of(KEYED, key);
  }
}
