package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.codahale.metrics.MetricRegistry;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Source;
import io.github.limiterkit.metrics.DropwizardMetrics;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.setup.LogCapture;
import io.github.limiterkit.testing.FaultProxy;
import io.github.limiterkit.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Script cache lost (NOSCRIPT). */
class K07ScriptLostIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  private final MetricRegistry registry = new MetricRegistry();

  @Test
  @DisplayName("ST-017 the script is flushed between the calls of 8 threads, and nobody notices")
  void survivesLosingTheScript() throws Exception {
    flushAndCall(8, 25);
  }

  @Test
  @Tag("deep")
  @DisplayName("ST-017 the same 1,000 times")
  void survivesLosingTheScriptAThousandTimes() throws Exception {
    flushAndCall(8, 125);
  }

  private void flushAndCall(int threads, int callsOfEach) throws Exception {
    try (LogCapture log = new LogCapture();
        LimiterKit kit = kit(redis.url())) {
      Together.run(
          threads,
          thread -> {
            for (int i = 0; i < callsOfEach; i++) {
              redis.command("SCRIPT", "FLUSH");
              assertThat(Kits.ask(kit, "plenty").source()).isEqualTo(Source.SHARED);
            }
            return 0;
          });
      Decision last = Kits.ask(kit, "plenty");
      assertThat(1_000_000 - Answers.left(last)).isEqualTo(1L + (long) threads * callsOfEach);
      assertThat(kit.mode()).isEqualTo(Mode.SHARED);
      assertThat(faults()).isZero();
      assertThat(log.at(Level.WARN)).isEmpty();
      assertThat(log.at(Level.ERROR)).isEmpty();
    }
  }

  @Test
  @DisplayName("ST-017 sibling: also while replies take long and several calls are under way")
  void survivesLosingTheScriptWithCallsBehindIt() throws Exception {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = kit(proxy.url())) {
      proxy.delayReplies(Duration.ofMillis(30));
      Together.run(
          8,
          thread -> {
            for (int i = 0; i < 10; i++) {
              redis.command("SCRIPT", "FLUSH");
              assertThat(Kits.ask(kit, "plenty").source()).isEqualTo(Source.SHARED);
              Thread.sleep(thread);
            }
            return 0;
          });
      assertThat(Answers.left(Kits.ask(kit, "plenty"))).isEqualTo(1_000_000 - 81);
      assertThat(faults()).isZero();
    }
  }

  @Test
  @DisplayName("ST-017 one lost script is one line at DEBUG, and one execution")
  void saysItOnceAtDebugLevel() {
    try (LogCapture log = new LogCapture();
        LimiterKit kit = kit(redis.url())) {
      redis.command("SCRIPT", "FLUSH");
      long before = TestRedis.executions(redis.server());
      assertThat(Answers.left(Kits.ask(kit, "plenty"))).isEqualTo(999_999);
      assertThat(TestRedis.executions(redis.server())).isEqualTo(before + 1);
      assertThat(log.at(Level.DEBUG)).filteredOn(line -> line.contains("script")).hasSize(1);
    }
  }

  @Test
  @DisplayName("ST-017 sibling: the first decisions after an empty restart are right")
  void countsRightAfterAnEmptyRestart() {
    try (RedisServer own = RedisServer.start();
        LimiterKit kit = kit(own.url())) {
      for (int i = 0; i < 3; i++) {
        Kits.ask(kit, "plenty", "user:before");
      }
      own.restart();
      // The connection is gone: until there is a new one, answers are local.
      List<Decision> answers = new ArrayList<>();
      do {
        answers.add(Kits.ask(kit, "plenty", "user:ada"));
      } while (answers.get(answers.size() - 1).source() != Source.SHARED);
      assertThat(Answers.left(answers.get(answers.size() - 1)))
          .as("what was admitted here meanwhile is not forgotten")
          .isEqualTo(1_000_000L - answers.size());
    }
  }

  @Test
  @DisplayName("ST-017 sibling: a replica that became the master has no script either")
  void countsRightOnAPromotedReplica() {
    try (RedisServer replica = RedisServer.start();
        FaultProxy proxy = FaultProxy.inFrontOf(redis.server().port());
        LimiterKit kit = kit(proxy.url())) {
      proxy.leadTo(replica.port());
      Decision decision;
      do {
        decision = Kits.ask(kit, "plenty", "user:ada");
      } while (decision.source() != Source.SHARED);
      assertThat(decision.allowed()).isTrue();
      replica.command("SCRIPT", "FLUSH");
      assertThat(Kits.ask(kit, "plenty", "user:ada").source()).isEqualTo(Source.SHARED);
    }
  }

  private LimiterKit kit(String url) {
    return Kits.shared(
        Kits.over(url, Kits.AMPLE, Kits.plenty()).metrics(DropwizardMetrics.on(registry)).build());
  }

  private long faults() {
    return registry.getCounters().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("limiterkit.store.faults."))
        .mapToLong(entry -> entry.getValue().getCount())
        .sum();
  }
}
