package io.github.limiterkit.examples.outagereplay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Both outages in full, and other ways in which a store becomes slow. */
@Tag("deep")
class LongOutageReplayIT {

  private static final Plan VARIANT =
      new Plan(
          "variant",
          Duration.ofSeconds(1),
          Duration.ofSeconds(3),
          Duration.ofSeconds(4),
          Duration.ofSeconds(6),
          100);

  @Test
  void aStoreThatIsSlowForLong() throws Exception {
    slow(kitRun(Outage.A.scene(), Plan.FULL));
  }

  @Test
  void aStoreThatIsGoneForLong() throws Exception {
    KitPromises promises = new KitPromises(kitRun(Outage.B.scene(), Plan.FULL));

    promises.noBotIsGivenMoreThanTheBound();
    promises.theApiIsGivenNoMoreThanItBears();
    promises.practicallyAllWellBehavedAreServed();
    promises.whatIsAddedIsBounded();
    promises.allComeBackByThemselvesAndStay();
    promises.theStoreIsNotOverrunOnReturn();
    promises.mostWellBehavedAreServedOnReturn();
    promises.noCallIsRepeated();
  }

  @Test
  void aStoreThatRunsAScriptForLong() throws Exception {
    slow(kitRun(variant(store -> store.runScript(VARIANT.outage()), Store::calmDown), VARIANT));
  }

  @Test
  void aStoreWhoseProcessIsStopped() throws Exception {
    slow(kitRun(variant(Store::pause, Store::resume), VARIANT));
  }

  @Test
  void aStoreInWhichSomebodyLooksForKeys() throws Exception {
    slow(kitRun(variant(store -> store.scan(1_000_000), Store::calmDown), VARIANT));
  }

  private static void slow(Run run) {
    assertThat(
            run.delays().stream()
                .filter(look -> run.inOutage(look.at() - 0.3) && run.inOutage(look.at() + 0.3)))
        .as("the store is in trouble, or all of this means nothing")
        .isNotEmpty()
        .filteredOn(look -> look.millis() < 20)
        .hasSizeLessThan(run.delays().size() / 20);
    KitPromises promises = new KitPromises(run);
    promises.nobodyWellBehavedIsRefused();
    promises.noCallIsRepeated();
    promises.theStoreIsLeftAlone();
    promises.whatIsAddedIsBounded();
    promises.allComeBackByThemselvesAndStay();
    promises.noBotIsGivenMoreThanTheBound();
  }

  private static Scene variant(Consumer<Store> begin, Consumer<Store> end) {
    return new Scene(Outage.A, Load.SOME_BOTS, begin, end);
  }

  private static Run kitRun(Scene scene, Plan plan) throws Exception {
    Run run =
        // Alone, because three servers that are kept busy leave nothing to two processors.
        new Stage(scene, plan, List.of(Strategy.LIMITER_KIT), System.out).play().get(0);
    assertThat(run.end()).isEqualTo(plan.counted().toNanos() / 1e9);
    return run;
  }
}
