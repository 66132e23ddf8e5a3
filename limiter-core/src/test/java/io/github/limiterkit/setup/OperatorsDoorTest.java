package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.health.HealthCheckRegistry;
import com.google.common.testing.GcFinalization;
import io.github.limiterkit.OperatorSwitch;
import io.github.limiterkit.Source;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.metrics.DecisionCount;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.metrics.Outcome;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMX;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator switches a running kit, in code and through the platform's MBean server. */
class OperatorsDoorTest {

  private static final HttpPolicy LOGIN = HttpPolicy.named("login").limits("2/1m").build();

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final AtomicLong nanos = new AtomicLong();
  private Set<ObjectName> before = Set.of();

  @BeforeEach
  void remembersWhatIsThere() throws Exception {
    before = kits();
  }

  @Test
  void switchesThroughTheApi() {
    MetricRegistry registry = new MetricRegistry();
    HealthCheckRegistry health = new HealthCheckRegistry();
    DropwizardMetrics metrics = DropwizardMetrics.on(registry).healthChecks(health);
    try (LimiterKit kit = kit().metrics(metrics).build()) {
      kit.override(OperatorSwitch.ALLOW_ALL, Duration.ofMinutes(15), "INC-1234");
      for (int i = 0; i < 9; i++) {
        assertThat(kit.acquire("login", "user:ada").source()).isEqualTo(Source.OVERRIDE);
      }
      assertThat(kit.status().override().position()).isEqualTo(OperatorSwitch.ALLOW_ALL);
      assertThat(kit.status().override().reason()).isEqualTo("INC-1234");
      assertThat(registry.getGauges().get("limiterkit.override").getValue()).isEqualTo(2L);
      assertThat(health.runHealthCheck("limiterkit").getMessage())
          .isEqualTo("mode LOCAL, override ALLOW_ALL");
      assertThat(kit.status().decisions())
          .containsExactly(new DecisionCount("login", Source.OVERRIDE, Outcome.ALLOWED, 9));

      nanos.addAndGet(Duration.ofMinutes(15).toNanos());

      assertThat(kit.status().override()).isNull();
      assertThat(registry.getGauges().get("limiterkit.override").getValue()).isEqualTo(0L);
      assertThat(kit.acquire("login", "user:ada", 2).allowed()).isTrue();
      assertThat(kit.acquire("login", "user:ada").allowed()).isFalse();
    }
  }

  @Test
  void switchesThroughTheMBeanServer() throws Exception {
    try (LogCapture log = new LogCapture();
        LimiterKit kit = kit().build()) {
      LimiterKitMXBean bean = JMX.newMXBeanProxy(server, added(), LimiterKitMXBean.class);
      assertThat(bean.getMode()).isEqualTo("LOCAL");
      assertThat(bean.getPolicies()).containsExactly("login");
      assertThat(bean.getAlarm()).isEmpty();
      assertThat(bean.getOverride()).isEqualTo("NORMAL");
      assertThat(bean.getOverrideSecondsLeft()).isZero();
      assertThat(bean.getOverrideReason()).isEmpty();

      bean.allowAll(15, "INC-1234");

      nanos.addAndGet(Duration.ofMillis(1_500).toNanos());
      assertThat(kit.acquire("login", "user:ada", 1_000_000).allowed()).isTrue();
      assertThat(bean.getOverride()).isEqualTo("ALLOW_ALL");
      assertThat(bean.getOverrideSecondsLeft()).isEqualTo(899);
      assertThat(bean.getOverrideReason()).isEqualTo("INC-1234");
      bean.limitLocallyOnly(1_440, "INC-1234");
      assertThat(bean.getOverride()).isEqualTo("LOCAL_ONLY");
      bean.backToNormal("mended");
      assertThat(bean.getOverride()).isEqualTo("NORMAL");
      assertThat(log.at(Level.WARN)).hasSize(4).allMatch(line -> line.startsWith("override "));
    }
  }

  @Test
  void tellsAnOperatorWhatWasWrong() throws Exception {
    try (LimiterKit kit = kit().build()) {
      LimiterKitMXBean bean = JMX.newMXBeanProxy(server, added(), LimiterKitMXBean.class);
      for (long minutes : new long[] {Long.MIN_VALUE, -1, 0, 1_441, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> bean.allowAll(minutes, "INC-1234"))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("is outside 1s to 24h");
      }
      ObjectName name = added();
      assertThatThrownBy(
              () ->
                  server.invoke(
                      name,
                      "allowAll",
                      new Object[] {15L, null},
                      new String[] {"long", "java.lang.String"}))
          .isInstanceOf(RuntimeMBeanException.class)
          .hasMessageContaining("needs a reason of 1 to 200 characters");
      assertThat(kit.status().override()).isNull();
    }
  }

  @Test
  void namesItsParametersForWhoeverLooksAtThemAtNight() throws Exception {
    try (LimiterKit kit = kit().build()) {
      assertThat(kit.mode()).isNotNull();
      MBeanOperationInfo allowAll =
          Arrays.stream(server.getMBeanInfo(added()).getOperations())
              .filter(operation -> operation.getName().equals("allowAll"))
              .findAny()
              .orElseThrow();
      assertThat(allowAll.getDescription()).contains("NO LIMIT is in force");
      assertThat(allowAll.getSignature()[0].getName()).isEqualTo("minutes");
      assertThat(allowAll.getSignature()[1].getName()).isEqualTo("reason");
    }
  }

  @Test
  void takesOutItsMBeanWhenItIsClosedAndNoOther() throws Exception {
    LimiterKit first = kit().build();
    ObjectName ofFirst = added();
    LimiterKit second = kit().build();

    first.close();
    first.close();

    assertThat(server.isRegistered(ofFirst)).isFalse();
    assertThat(kits()).hasSize(before.size() + 1);
    second.close();
    assertThat(kits()).isEqualTo(before);
  }

  /** Else an application's class loader would live as long as the JVM. */
  @Test
  void holdsNothingOfAKitThatIsClosed() {
    WeakReference<Ticker> ofTheKit = buildSwitchAndClose();

    GcFinalization.awaitClear(ofTheKit);
  }

  private WeakReference<Ticker> buildSwitchAndClose() {
    Ticker ticker = new AtomicLong()::get;
    LimiterKit kit = LimiterKit.inMemory().ticker(ticker).policy(LOGIN).build();
    kit.override(OperatorSwitch.ALLOW_ALL, Duration.ofHours(1), "INC-1234");
    kit.close();
    return new WeakReference<>(ticker);
  }

  @Test
  void hasNoMBeanIfItIsNotWanted() throws Exception {
    try (LimiterKit kit = kit().jmx(false).build()) {
      assertThat(kit.mode()).isNotNull();
      assertThat(kits()).isEqualTo(before);
    }
  }

  @Test
  void limitsAfterItIsClosedWhateverItWasSwitchedTo() {
    LimiterKit kit = kit().build();
    kit.override(OperatorSwitch.ALLOW_ALL, Duration.ofHours(24), "INC-1234");

    kit.close();

    assertThat(kit.acquire("login", "user:ada", 2).allowed()).isTrue();
    assertThat(kit.acquire("login", "user:ada").allowed()).isFalse();
    assertThatThrownBy(
            () -> kit.override(OperatorSwitch.ALLOW_ALL, Duration.ofHours(1), "INC-1234"))
        .isInstanceOf(IllegalStateException.class);
  }

  private LimiterKit.Builder kit() {
    return LimiterKit.inMemory().ticker(nanos::get).policy(LOGIN);
  }

  /** The one that was not there before. */
  private ObjectName added() throws Exception {
    Set<ObjectName> now = kits();
    now.removeAll(before);
    assertThat(now).hasSize(1);
    return now.iterator().next();
  }

  private Set<ObjectName> kits() throws Exception {
    return new TreeSet<>(
        server.queryNames(new ObjectName("io.github.limiterkit:type=LimiterKit,*"), null));
  }
}
