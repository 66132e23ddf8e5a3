package io.github.limiterkit.degraded;

import io.github.limiterkit.Mode;
import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Looks for an interleaving of samples and probes in which the gate comes to a state, or tells a
 * transition, as in no order of the same calls: a transition told twice or never, a success lost
 * between two failures, a gate that opens on probes which a failure has made void.
 */
public class HealthGateLincheckTest {

  private final StoreException silence = new StoreException(StoreFault.TIMEOUT, "in a test");
  private final StoreException replica = new StoreException(StoreFault.READONLY, "in a test");

  /** What the call that is under way on this thread made the gate tell. */
  private static final ThreadLocal<Mode> TOLD = new ThreadLocal<>();

  private final HealthGate gate =
      new HealthGate(
          "node",
          GateSettings.defaults().failuresInARow(2).numbers(Duration.ofMillis(50), 1),
          () -> 0,
          () -> 1,
          transition -> TOLD.set(transition.to()));

  @Operation
  public @Nullable String answered() {
    return toldBy(() -> gate.sample(new Sample("node", 1, null, false)));
  }

  @Operation
  public @Nullable String failed() {
    return toldBy(() -> gate.sample(new Sample("node", 1, silence, false)));
  }

  @Operation
  public @Nullable String refused() {
    return toldBy(() -> gate.sample(new Sample("node", 1, replica, false)));
  }

  @Operation
  public @Nullable String probed() {
    return toldBy(() -> gate.probed(1, null));
  }

  @Operation
  public @Nullable String probeFailed() {
    return toldBy(() -> gate.probed(1, silence));
  }

  @Operation
  public String state() {
    return gate.state().name();
  }

  @Operation
  public long nextProbe() {
    return gate.nextProbeNanos();
  }

  @Test
  void everyInterleavingIsLikeSomeOrder() throws NoSuchMethodException {
    Actor answered = call("answered");
    Actor failed = call("failed");
    Actor refused = call("refused");
    Actor probed = call("probed");
    Actor probeFailed = call("probeFailed");
    List<Actor> almostOpen = List.of(probed, probed);
    List<Actor> open = List.of(probed, probed, probed);
    List<Actor> openAndFailed = List.of(probed, probed, probed, failed);
    new ModelCheckingOptions()
        .iterations(0)
        .invocationsPerIteration(60)
        .addCustomScenario(scenario(open, List.of(failed), List.of(failed)))
        .addCustomScenario(scenario(openAndFailed, List.of(answered), List.of(failed)))
        .addCustomScenario(scenario(open, List.of(refused), List.of(refused)))
        .addCustomScenario(scenario(almostOpen, List.of(probed), List.of(probeFailed)))
        .addCustomScenario(scenario(almostOpen, List.of(probed), List.of(probed, refused)))
        .check(HealthGateLincheckTest.class);
  }

  @Test
  @Tag("deep")
  void everyInterleavingOfMoreCallsIsLikeSomeOrder() {
    new ModelCheckingOptions()
        .iterations(60)
        .invocationsPerIteration(200)
        .threads(2)
        .actorsBefore(3)
        .actorsPerThread(2)
        .actorsAfter(1)
        .check(HealthGateLincheckTest.class);
  }

  @Test
  @Tag("deep")
  void manyThreadsAreLikeSomeOrder() {
    new StressOptions()
        .iterations(60)
        .invocationsPerIteration(2_000)
        .threads(3)
        .actorsBefore(3)
        .actorsPerThread(3)
        .actorsAfter(2)
        .check(HealthGateLincheckTest.class);
  }

  /** Two threads, and what the gate is then. */
  private static ExecutionScenario scenario(List<Actor> before, List<Actor> one, List<Actor> other)
      throws NoSuchMethodException {
    return new ExecutionScenario(
        before, List.of(one, other), List.of(call("state"), call("nextProbe")), null);
  }

  private static Actor call(String operation) throws NoSuchMethodException {
    return new Actor(HealthGateLincheckTest.class.getMethod(operation), List.of());
  }

  private @Nullable String toldBy(Runnable call) {
    TOLD.remove();
    call.run();
    Mode mode = TOLD.get();
    return mode == null ? null : mode.name();
  }
}
