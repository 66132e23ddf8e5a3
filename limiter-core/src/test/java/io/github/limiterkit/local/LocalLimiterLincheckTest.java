package io.github.limiterkit.local;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;
import io.github.limiterkit.Policy;
import io.github.limiterkit.window.SlidingLog;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Looks for an interleaving in which the limiter answers as no order of the same calls would.
 *
 * <p>What it would catch: a sweep (or an eviction, which goes the same way) that drops a state
 * between the moment when a call found it and the moment when the call locks it, so that the call
 * charges a state which nobody will see again, and one unit too many is admitted; a joint decision
 * that lets another in between its checks and its charges; and locks taken in the order of the
 * charges, which two calls in opposite orders turn into a deadlock.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
public class LocalLimiterLincheckTest {

  private static final Policy POLICY = Policy.named("a").limits("2/1h").build();
  private static final List<Charge> CHARGES = charges(1);
  private static final List<Charge> LOOKS = charges(0);
  private static final List<Charge> CHARGES_THE_OTHER_WAY_ROUND =
      List.of(CHARGES.get(1), CHARGES.get(0));

  // What only carries data is taken for granted, so that the search is spent on the table.
  private static final ManagedStrategyGuarantee COLLECTIONS =
      ManagedStrategyGuaranteeKt.forClasses(
              "java.util.concurrent.ConcurrentHashMap",
              "java.util.ArrayList",
              "java.util.ImmutableCollections",
              "java.util.ImmutableCollections$List12",
              "java.util.ImmutableCollections$ListN",
              "java.util.List",
              "java.util.stream.ReferencePipeline")
          .allMethods()
          .ignore();

  private static final ManagedStrategyGuarantee ARITHMETIC =
      ManagedStrategyGuaranteeKt.forClasses(
              SlidingLog.class.getName(),
              Decision.class.getName(),
              LimitUsage.class.getName(),
              Charge.class.getName(),
              Policy.class.getName(),
              Limit.class.getName())
          .allMethods()
          .ignore();

  private final LocalLimiter limiter = new LocalLimiter(() -> 0, 100);

  @Operation
  public int acquire(@Param(name = "key") int key) {
    return answer(limiter.acquire(CHARGES.get(key)));
  }

  @Operation
  public int look(@Param(name = "key") int key) {
    return answer(limiter.acquire(LOOKS.get(key)));
  }

  @Operation
  public int acquireBoth() {
    return answer(limiter.acquire(CHARGES));
  }

  @Operation
  public int acquireBothTheOtherWayRound() {
    return answer(limiter.acquire(CHARGES_THE_OTHER_WAY_ROUND));
  }

  @Operation
  public void sweep() {
    limiter.sweep();
  }

  @Test
  void everyInterleavingAnswersLikeSomeOrder() throws NoSuchMethodException {
    Actor lookAtFirst = call("look", 0);
    Actor acquireFirst = call("acquire", 0);
    new ModelCheckingOptions()
        .iterations(0)
        .invocationsPerIteration(60)
        .addGuarantee(COLLECTIONS)
        .addGuarantee(ARITHMETIC)
        .addCustomScenario(twoThreads(lookAtFirst, acquireFirst, lookAtFirst))
        .addCustomScenario(twoThreads(call("sweep"), acquireFirst, lookAtFirst))
        .addCustomScenario(
            twoThreads(call("acquireBoth"), call("acquireBothTheOtherWayRound"), lookAtFirst))
        .check(LocalLimiterLincheckTest.class);
  }

  @Test
  @Tag("deep")
  void everyInterleavingOfMoreCallsAnswersLikeSomeOrder() {
    new ModelCheckingOptions()
        .iterations(20)
        .invocationsPerIteration(400)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(2)
        .addGuarantee(COLLECTIONS)
        .addGuarantee(ARITHMETIC)
        .check(LocalLimiterLincheckTest.class);
  }

  @Test
  @Tag("deep")
  void manyThreadsAnswerLikeSomeOrder() {
    new StressOptions()
        .iterations(30)
        .invocationsPerIteration(2_000)
        .threads(3)
        .actorsPerThread(3)
        .check(LocalLimiterLincheckTest.class);
  }

  private static ExecutionScenario twoThreads(Actor one, Actor other, Actor afterwards) {
    return new ExecutionScenario(
        List.of(), List.of(List.of(one), List.of(other)), List.of(afterwards), null);
  }

  private static Actor call(String operation, Integer... arguments) throws NoSuchMethodException {
    Class<?>[] types = Arrays.stream(arguments).map(any -> int.class).toArray(Class[]::new);
    return new Actor(
        LocalLimiterLincheckTest.class.getMethod(operation, types), List.of(arguments));
  }

  /** One digit for yes or no, and one for what remains of each limit. */
  private static int answer(Decision decision) {
    int answer = decision.allowed() ? 1 : 0;
    for (LimitUsage usage : decision.usages()) {
      answer = 10 * answer + (int) usage.remaining();
    }
    return answer;
  }

  private static List<Charge> charges(long cost) {
    return List.of(new Charge(POLICY, "user:1", cost), new Charge(POLICY, "user:2", cost));
  }
}
