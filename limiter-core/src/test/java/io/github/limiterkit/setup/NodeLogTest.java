package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Mode;
import io.github.limiterkit.degraded.Transition;
import io.github.limiterkit.metrics.StoreCounters;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeLogTest {

  private static final String NODE = "10.0.3.7:6379";

  private final FakeTicker ticker = new FakeTicker();
  private final StoreCounters counters = new StoreCounters();
  private final NodeLog nodes = new NodeLog(ticker::read, counters);

  @Test
  void tellsWhatHappenedBetweenTheLossAndTheReturn() {
    try (LogCapture log = new LogCapture()) {
      nodes.begin(List.of(), () -> "limiting locally");
      decide(7, true, false);
      lose();
      decide(17_894, true, false);
      decide(307, false, false);
      decide(3, false, true);
      comeBack(Duration.ofSeconds(47));

      assertThat(log.at(Level.WARN))
          .containsExactly("store 10.0.3.7:6379 is lost (a reason): limiting locally");
      assertThat(log.at(Level.INFO))
          .containsExactly(
              "store 10.0.3.7:6379 is back after 47 s: limiting together; 18,204 decided here"
                  + " meanwhile, 310 of them refused, 3 by the lowered limit alone");
    }
  }

  @Test
  void saysFirstWhoDoesNotAnswerYet() {
    try (LogCapture log = new LogCapture()) {
      nodes.transition(new Transition(NODE, Mode.DEGRADED, Mode.PROBING, "x", Duration.ZERO));
      nodes.begin(List.of(NODE), () -> "limiting locally");
      decide(2, true, false);
      comeBack(Duration.ofMillis(1_500));

      assertThat(log.at(Level.WARN))
          .containsExactly("store 10.0.3.7:6379 does not answer yet: limiting locally");
      assertThat(log.at(Level.INFO))
          .containsExactly(
              "store 10.0.3.7:6379 answers after 1.5 s: limiting together; 2 decided here"
                  + " meanwhile, 0 of them refused, 0 by the lowered limit alone");
    }
  }

  @Test
  void fillsNoDiskWithAStoreThatComesAndGoes() {
    try (LogCapture log = new LogCapture()) {
      nodes.begin(List.of(), () -> "limiting locally");
      for (int second = 0; second < 60; second++) {
        lose();
        comeBack(Duration.ofMillis(500));
        nodes.sayWhatWasKept();
        ticker.advance(Duration.ofSeconds(1));
      }
      assertThat(log.at(Level.WARN)).hasSize(3);
      assertThat(log.at(Level.INFO)).hasSize(3);

      nodes.sayWhatWasKept();
      nodes.sayWhatWasKept();

      assertThat(log.at(Level.WARN))
          .hasSize(4)
          .last()
          .asString()
          .isEqualTo(
              "store 10.0.3.7:6379 was lost and came back all the time, 114 changes more than are"
                  + " told here; it is back now");
      lose();
      assertThat(log.at(Level.WARN)).as("a minute later it is told again").hasSize(5);
    }
  }

  @Test
  void limitsEachNodeByItself() {
    try (LogCapture log = new LogCapture()) {
      nodes.begin(List.of(), () -> "limiting locally");
      for (int i = 0; i < 100; i++) {
        lose();
      }
      nodes.transition(
          new Transition("10.0.3.8:6379", Mode.SHARED, Mode.DEGRADED, "x", Duration.ZERO));
      assertThat(log.at(Level.WARN)).hasSize(7).last().asString().contains("10.0.3.8:6379");
    }
  }

  @Test
  void isSilentBeforeTheStartAndAfterTheEnd() {
    try (LogCapture log = new LogCapture()) {
      lose();
      nodes.begin(List.of(), () -> "limiting locally");
      nodes.end();
      lose();
      assertThat(log.at(Level.WARN)).isEmpty();
    }
  }

  private void lose() {
    nodes.transition(
        new Transition(NODE, Mode.SHARED, Mode.DEGRADED, "a reason", Duration.ofMinutes(1)));
  }

  private void comeBack(Duration lasted) {
    nodes.transition(new Transition(NODE, Mode.PROBING, Mode.SHARED, "probes", lasted));
  }

  private void decide(int times, boolean allowed, boolean lowered) {
    for (int i = 0; i < times; i++) {
      counters.countDecidedHere(allowed, lowered);
    }
  }
}
