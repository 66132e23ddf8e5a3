package io.github.limiterkit.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.health.HealthCheckRegistry;
import com.google.common.testing.GcFinalization;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Mode;
import io.github.limiterkit.OperatorSwitch;
import io.github.limiterkit.Policy;
import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreFault;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DropwizardMetricsTest {

  private static final Policy HELLO = Policy.named("hello").limits("5/10s").build();

  private final MetricRegistry registry = new MetricRegistry();

  @Test
  void publishesDecisionsByPolicySourceAndOutcome() {
    FixedFigures figures = new FixedFigures("hello");
    DropwizardMetrics.on(registry).publish(figures);

    figures.decisions.acquire(Charge.of(HELLO, "ip:192.0.2.1"));

    assertThat(count("limiterkit.decisions.hello.shared.allowed")).isEqualTo(1);
    assertThat(count("limiterkit.decisions.hello.local.refused")).isZero();
  }

  @Test
  void publishesWhatIsSeenOfTheStore() {
    FixedFigures figures = new FixedFigures("hello");
    KitMetrics.Publication publication = DropwizardMetrics.on(registry).publish(figures);

    figures.store.countTransition(Mode.DEGRADED);
    figures.store.countFault(StoreFault.OUT_OF_MEMORY);
    figures.store.countOutcomeUnknown();
    figures.store.countShed();
    publication.sample(new Sample("127.0.0.1:6379", 2_000_000, null, false));
    publication.sample(new Sample("127.0.0.1:6379", 900_000_000, null, true));

    assertThat(count("limiterkit.store.transitions.degraded")).isEqualTo(1);
    assertThat(count("limiterkit.store.faults.out-of-memory")).isEqualTo(1);
    assertThat(count("limiterkit.store.outcome-unknown")).isEqualTo(1);
    assertThat(count("limiterkit.store.shed")).isEqualTo(1);
    assertThat(registry.getGauges().get("limiterkit.store.in-flight").getValue()).isEqualTo(5L);
    assertThat(registry.getTimers().get("limiterkit.store.round-trips").getCount())
        .as("a pause of this process is not a round trip")
        .isEqualTo(1);
  }

  @Test
  void publishesTheModeAsANumberThatIsZeroWhenAllIsWell() {
    FixedFigures figures = new FixedFigures("hello");
    DropwizardMetrics.on(registry).publish(figures);

    assertThat(gauge("limiterkit.mode")).isEqualTo(0L);
    figures.mode = Mode.DEGRADED;
    assertThat(gauge("limiterkit.mode")).isEqualTo(2L);
    assertThat(gauge("limiterkit.nodes.0.127_0_0_1_6379.mode")).isEqualTo(2L);
    assertThat(count("limiterkit.nodes.0.127_0_0_1_6379.millis.degraded")).isEqualTo(1_234);
    assertThat(count("limiterkit.nodes.0.127_0_0_1_6379.millis.shared")).isZero();
    assertThat(gauge("limiterkit.local.keys")).isEqualTo(3L);
    assertThat(count("limiterkit.local.forgotten-units")).isEqualTo(7);
  }

  @Test
  void publishesWhatAnOperatorHasSwitched() {
    HealthCheckRegistry health = new HealthCheckRegistry();
    FixedFigures figures = new FixedFigures("hello");
    DropwizardMetrics.on(registry).healthChecks(health).publish(figures);

    assertThat(gauge("limiterkit.override")).isEqualTo(0L);
    figures.override = OperatorSwitch.LOCAL_ONLY;
    assertThat(gauge("limiterkit.override")).isEqualTo(1L);
    figures.override = OperatorSwitch.ALLOW_ALL;
    assertThat(gauge("limiterkit.override")).isEqualTo(2L);
    assertThat(health.runHealthCheck("limiterkit").isHealthy()).as("it is wanted").isTrue();
    assertThat(health.runHealthCheck("limiterkit").getMessage()).contains("override ALLOW_ALL");
  }

  /** Store case ST-075. */
  @Test
  void hasTheSameNamesAfterFiftyThousandClients() {
    FixedFigures figures = new FixedFigures("hello");
    DropwizardMetrics.on(registry).publish(figures);
    Set<String> before = new TreeSet<>(registry.getNames());

    for (int i = 0; i < 50_000; i++) {
      figures.decisions.acquire(Charge.of(HELLO, "user:" + i));
    }

    assertThat(registry.getNames()).isEqualTo(before);
  }

  /** Store case ST-076, HTTP case HT-153. */
  @Test
  void letsTwoKitsShareARegistry() {
    KitMetrics.Publication first = DropwizardMetrics.on(registry).publish(new FixedFigures("a"));
    KitMetrics.Publication second = DropwizardMetrics.on(registry).publish(new FixedFigures("b"));

    assertThat(registry.getNames())
        .contains("limiterkit.decisions.a.shared.allowed", "limiterkit-2.mode")
        .contains("limiterkit-2.decisions.b.shared.allowed");
    first.close();
    assertThat(registry.getNames()).isNotEmpty().allMatch(name -> name.startsWith("limiterkit-2."));
    second.close();
    assertThat(registry.getNames()).isEmpty();
  }

  /** Store case ST-076. */
  @Test
  void takesOutExactlyItsOwnAndCanBeBuiltAgain() {
    Counter foreign = registry.counter("limiterkit.of-the-application");
    KitMetrics.Publication first = DropwizardMetrics.on(registry).publish(new FixedFigures("a"));
    Set<String> names = new TreeSet<>(registry.getNames());

    first.close();
    first.close();
    assertThat(registry.getMetrics())
        .containsOnly(Map.entry("limiterkit.of-the-application", foreign));

    DropwizardMetrics.on(registry).publish(new FixedFigures("a"));
    assertThat(registry.getNames()).isEqualTo(names);
  }

  /** Store case ST-076: no reference to the closed object stays. */
  @Test
  void letsGoOfTheKitWhenClosed() {
    WeakReference<FixedFigures> closed = publishAndClose();

    GcFinalization.awaitClear(closed);

    assertThat(registry.getNames()).isEmpty();
  }

  @Test
  void leavesNothingBehindWhenANameInTheMiddleIsTaken() {
    registry.counter("limiterkit.store.shed");

    KitMetrics.Publication publication =
        DropwizardMetrics.on(registry).publish(new FixedFigures("a"));

    assertThat(registry.getNames())
        .contains("limiterkit-2.store.shed")
        .filteredOn(name -> name.startsWith("limiterkit."))
        .containsExactly("limiterkit.store.shed");
    publication.close();
    assertThat(registry.getNames()).containsExactly("limiterkit.store.shed");
  }

  @Test
  void isUnhealthyOnlyForWhatSomebodyHasToMend() {
    HealthCheckRegistry health = new HealthCheckRegistry();
    FixedFigures figures = new FixedFigures("a");
    KitMetrics.Publication publication =
        DropwizardMetrics.on(registry).prefix("shop.limits").healthChecks(health).publish(figures);

    figures.mode = Mode.DEGRADED;
    assertThat(health.runHealthCheck("shop.limits").isHealthy()).isTrue();
    figures.alarm = "redis 127.0.0.1:6379: AUTHENTICATION";
    assertThat(health.runHealthCheck("shop.limits").isHealthy()).isFalse();
    assertThat(health.runHealthCheck("shop.limits").getMessage()).contains("AUTHENTICATION");

    publication.close();
    assertThat(health.getNames()).isEmpty();
    assertThat(registry.getNames()).isEmpty();
  }

  @Test
  void letsTwoKitsShareAHealthRegistry() {
    HealthCheckRegistry health = new HealthCheckRegistry();
    DropwizardMetrics metrics = DropwizardMetrics.on(registry).healthChecks(health);
    KitMetrics.Publication first = metrics.publish(new FixedFigures("a"));
    metrics.publish(new FixedFigures("b"));

    assertThat(health.getNames()).containsExactly("limiterkit", "limiterkit-2");
    first.close();
    assertThat(health.getNames()).containsExactly("limiterkit-2");
  }

  @Test
  void refusesAPrefixThatIsNotAName() {
    DropwizardMetrics metrics = DropwizardMetrics.on(registry);

    assertThatThrownBy(() -> metrics.prefix("limits."))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"limits.\"");
  }

  private WeakReference<FixedFigures> publishAndClose() {
    FixedFigures figures = new FixedFigures("a");
    DropwizardMetrics.on(registry).publish(figures).close();
    return new WeakReference<>(figures);
  }

  private long count(String name) {
    return registry.getCounters().get(name).getCount();
  }

  private Object gauge(String name) {
    return registry.getGauges().get(name).getValue();
  }
}
