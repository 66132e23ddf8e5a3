package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.limiterkit.Mode;
import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One test per arrow of the gate's diagram, and per event that is no arrow. */
class HealthGateTest {

  private static final String NODE = "redis:6379";
  private static final Duration PROMPT = Duration.ofMillis(1);
  private static final Duration SLOW = Duration.ofMillis(26);

  /** Whose readings mean nothing by themselves. */
  private final FakeTicker ticker = new FakeTicker().advance(Duration.ofHours(1));

  private final List<Transition> transitions = new ArrayList<>();
  private final HealthGate gate =
      new HealthGate(
          NODE,
          GateSettings.defaults().numbers(Duration.ofMillis(50), 1),
          ticker::read,
          () -> 1.0,
          transitions::add);

  @Test
  void beginsShutAndProbesAtOnce() {
    assertThat(gate.state()).isEqualTo(Mode.DEGRADED);
    assertThat(gate.isOpen()).isFalse();
    assertThat(gate.nextProbeNanos()).isZero();
  }

  @Test
  void opensAfterThreePromptProbesInARow() {
    probe(PROMPT);
    assertThat(gate.state()).isEqualTo(Mode.PROBING);
    probe(PROMPT);
    assertThat(gate.state()).isEqualTo(Mode.PROBING);
    probe(PROMPT);
    assertThat(gate.state()).isEqualTo(Mode.SHARED);
    assertThat(transitions).extracting(Transition::to).containsExactly(Mode.PROBING, Mode.SHARED);
  }

  @Test
  void halfOfTheDeadlineIsNotSlow() {
    for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
      probe(Duration.ofMillis(25));
    }
    assertThat(gate.isOpen()).isTrue();
  }

  @Test
  void staysShutWithoutATransitionIfAFirstProbeFails() {
    probeFails(StoreFault.UNREACHABLE);
    assertThat(gate.state()).isEqualTo(Mode.DEGRADED);
    assertThat(gate.nextProbeNanos()).isPositive();
    assertThat(transitions).isEmpty();
  }

  @Test
  void tellsHowLongItWasInEachState() {
    ticker.advance(Duration.ofSeconds(3));
    probe(PROMPT);
    ticker.advance(Duration.ofSeconds(2));
    probe(SLOW);
    ticker.advance(Duration.ofSeconds(1));
    probe(PROMPT);
    probe(PROMPT);
    probe(PROMPT);
    ticker.advance(Duration.ofSeconds(7));
    assertThat(gate.timeIn(Mode.DEGRADED)).isEqualTo(Duration.ofSeconds(4));
    assertThat(gate.timeIn(Mode.PROBING)).isEqualTo(Duration.ofSeconds(2));
    assertThat(gate.timeIn(Mode.SHARED)).isEqualTo(Duration.ofSeconds(7));
    assertThat(gate.timeIn(Mode.LOCAL)).isZero();
  }

  @Test
  void staysShutOnceItIsClosed() {
    probe(PROMPT);
    probe(PROMPT);
    probe(PROMPT);
    transitions.clear();

    gate.close();
    gate.close();

    for (int i = 0; i < 9; i++) {
      probe(PROMPT);
    }
    assertThat(gate.state()).isEqualTo(Mode.DEGRADED);
    assertThat(transitions).as("nothing has happened to the store").isEmpty();
  }

  @Test
  void aSlowProbeBreaksTheRow() {
    probe(PROMPT);
    probe(PROMPT);
    probe(SLOW);
    assertThat(gate.state()).isEqualTo(Mode.DEGRADED);
    probe(PROMPT);
    probe(PROMPT);
    assertThat(gate.state()).isEqualTo(Mode.PROBING);
    probe(PROMPT);
    assertThat(gate.isOpen()).isTrue();
  }

  @Test
  void aFailedProbeBreaksTheRow() {
    probe(PROMPT);
    probeFails(StoreFault.TIMEOUT);
    assertThat(gate.state()).isEqualTo(Mode.DEGRADED);
    assertThat(transitions.get(1).reason()).contains("timeout");
  }

  @ParameterizedTest
  @EnumSource(StoreFault.class)
  void shutsAtOnceOnWhatCannotGetBetterByTheNextCall(StoreFault fault) {
    open();
    fails(fault);
    assertThat(gate.isOpen()).isEqualTo(!fault.shutsAtOnce());
  }

  @Test
  void shutsOnThreeFailedSamplesInARow() {
    open();
    fails(StoreFault.TIMEOUT);
    fails(StoreFault.RESET);
    assertThat(gate.isOpen()).isTrue();
    fails(StoreFault.TIMEOUT);
    assertThat(gate.state()).isEqualTo(Mode.DEGRADED);
    assertThat(transitions.get(2).reason()).contains("3 round trips in a row");
  }

  @Test
  void aSuccessBetweenFailuresKeepsItOpen() {
    open();
    for (int i = 0; i < 2; i++) {
      fails(StoreFault.TIMEOUT);
      fails(StoreFault.TIMEOUT);
      answers(PROMPT);
    }
    assertThat(gate.isOpen()).isTrue();
  }

  @Test
  void shutsOnFiveSlowSamplesOfTen() {
    open();
    for (int i = 0; i < 4; i++) {
      answers(SLOW);
      answers(PROMPT);
    }
    assertThat(gate.isOpen()).isTrue();
    answers(SLOW);
    assertThat(gate.isOpen()).isFalse();
    assertThat(transitions.get(2).reason()).contains("5 of the last 9").contains("25 ms");
  }

  @Test
  void fiveOfElevenAreNotFiveOfTen() {
    open();
    answers(SLOW);
    for (int i = 0; i < 6; i++) {
      answers(PROMPT);
    }
    for (int i = 0; i < 4; i++) {
      answers(SLOW);
    }
    assertThat(gate.isOpen()).isTrue();
  }

  @Test
  void whatIsOlderThanTenSecondsIsForgotten() {
    open();
    for (int i = 0; i < 4; i++) {
      answers(SLOW);
    }
    ticker.advance(Duration.ofMillis(10_001));
    answers(SLOW);
    assertThat(gate.isOpen()).isTrue();
  }

  @Test
  void aRoundTripOfHalfTheDeadlineIsNotSlow() {
    open();
    for (int i = 0; i < 20; i++) {
      answers(Duration.ofMillis(25));
    }
    assertThat(gate.isOpen()).isTrue();
  }

  @Test
  void timeThatThisProcessStoodStillIsNotHeldAgainstTheStore() {
    open();
    for (int i = 0; i < 20; i++) {
      sample(Duration.ofMillis(200), StoreFault.TIMEOUT, true);
      sample(SLOW, null, true);
    }
    assertThat(gate.isOpen()).isTrue();
  }

  @Test
  void whatTheServerSaidCountsAlsoAfterAPauseOfThisProcess() {
    open();
    sample(SLOW, StoreFault.READONLY, true);
    assertThat(gate.isOpen()).isFalse();
  }

  @Test
  void aSampleWhileShutChangesNothing() {
    answers(PROMPT);
    answers(PROMPT);
    answers(PROMPT);
    fails(StoreFault.READONLY);
    assertThat(gate.state()).isEqualTo(Mode.DEGRADED);
    assertThat(transitions).isEmpty();
  }

  @Test
  void aSampleWhileProbingChangesNothing() {
    probe(PROMPT);
    fails(StoreFault.READONLY);
    answers(PROMPT);
    assertThat(gate.state()).isEqualTo(Mode.PROBING);
  }

  @Test
  void aProbeWhileOpenChangesNothing() {
    open();
    probeFails(StoreFault.UNREACHABLE);
    assertThat(gate.isOpen()).isTrue();
  }

  @Test
  void badSamplesFromBeforeDoNotShutANewlyOpenedGate() {
    open();
    for (int i = 0; i < 4; i++) {
      answers(SLOW);
    }
    fails(StoreFault.READONLY);
    reopen();
    answers(SLOW);
    assertThat(gate.isOpen()).isTrue();
  }

  @Test
  void waitsLongerAfterEachFailedProbeUpToTheLongest() {
    probeFails(StoreFault.UNREACHABLE);
    assertThat(waitsMillis(7)).containsExactly(100L, 200L, 400L, 800L, 1600L, 2000L, 2000L);
  }

  @Test
  void probesAgainSoonAfterAPromptOne() {
    probe(PROMPT);
    assertThat(gate.nextProbeNanos()).isEqualTo(Duration.ofMillis(50).toNanos());
  }

  @Test
  void aGateThatShutsAgainSoonGoesOnWhereItsBackoffStopped() {
    probeFails(StoreFault.UNREACHABLE);
    waitsMillis(3);
    reopen();
    ticker.advance(Duration.ofSeconds(9));
    fails(StoreFault.READONLY);
    assertThat(waitsMillis(1)).containsExactly(800L);
  }

  @Test
  void aGateThatStayedOpenBeginsItsBackoffAnew() {
    probeFails(StoreFault.UNREACHABLE);
    waitsMillis(3);
    reopen();
    ticker.advance(Duration.ofSeconds(10));
    fails(StoreFault.READONLY);
    assertThat(waitsMillis(1)).containsExactly(100L);
  }

  @Test
  void tellsHowLongTheStoreWasGone() {
    open();
    fails(StoreFault.READONLY);
    ticker.advance(Duration.ofSeconds(46));
    probe(PROMPT);
    ticker.advance(Duration.ofSeconds(1));
    probe(PROMPT);
    probe(PROMPT);
    Transition back = transitions.get(transitions.size() - 1);
    assertThat(back.to()).isEqualTo(Mode.SHARED);
    assertThat(back.lasted()).isEqualTo(Duration.ofSeconds(47));
  }

  @Test
  void tellsHowLongItWasInEachMode() {
    ticker.advance(Duration.ofSeconds(2));
    open();
    ticker.advance(Duration.ofSeconds(7));
    fails(StoreFault.READONLY);
    ticker.advance(Duration.ofSeconds(3));
    probe(PROMPT);
    ticker.advance(Duration.ofSeconds(1));
    assertThat(gate.timeIn(Mode.SHARED)).isEqualTo(Duration.ofSeconds(7));
    assertThat(gate.timeIn(Mode.DEGRADED)).isEqualTo(Duration.ofSeconds(5));
    assertThat(gate.timeIn(Mode.PROBING)).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void hasJustOpenedForTwoSecondsEachTime() {
    assertThat(gate.hasJustOpened()).as("never open").isFalse();
    open();
    long opened = ticker.read();
    assertThat(gate.openSince()).isEqualTo(opened);
    ticker.advance(Duration.ofSeconds(2).minusNanos(1));
    assertThat(gate.hasJustOpened()).isTrue();
    ticker.advance(1);
    assertThat(gate.hasJustOpened()).isFalse();
    assertThat(gate.hasJustOpened()).as("asked once more").isFalse();

    fails(StoreFault.READONLY);
    long shut = ticker.read();
    ticker.advance(Duration.ofSeconds(7));
    open();
    assertThat(gate.hasJustOpened()).isTrue();
    assertThat(gate.shutSince()).isEqualTo(shut);
    assertThat(gate.openSince()).isEqualTo(ticker.read());

    fails(StoreFault.READONLY);
    assertThat(gate.hasJustOpened()).as("shut again meanwhile").isFalse();
  }

  @Test
  void aLargeFleetProbesLessOftenPerInstance() {
    assertThat(GateSettings.defaults().numbers(Duration.ofMillis(50), 1000).probeLongest())
        .isEqualTo(Duration.ofSeconds(5));
  }

  private void open() {
    reopen();
    assertThat(gate.isOpen()).isTrue();
  }

  private void reopen() {
    for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
      probe(PROMPT);
    }
  }

  private List<Long> waitsMillis(int count) {
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      waits.add(Duration.ofNanos(gate.nextProbeNanos()).toMillis());
    }
    return waits;
  }

  private void probe(Duration took) {
    gate.probed(took.toNanos(), null);
  }

  private void probeFails(StoreFault fault) {
    gate.probed(PROMPT.toNanos(), new StoreException(fault, "in a test"));
  }

  private void answers(Duration took) {
    sample(took, null, false);
  }

  private void fails(StoreFault fault) {
    sample(PROMPT, fault, false);
  }

  private void sample(Duration took, @Nullable StoreFault fault, boolean selfPaused) {
    StoreException failure = fault == null ? null : new StoreException(fault, "in a test");
    gate.sample(new Sample(NODE, took.toNanos(), failure, selfPaused));
  }
}
