package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GateSettingsTest {

  private static final Duration DEADLINE = Duration.ofMillis(50);
  private static final Duration MILLI = Duration.ofMillis(1);

  @Test
  void hasTheNumbersOfTheDesignUnlessSomebodyChooses() {
    assertThat(GateSettings.defaults().numbers(DEADLINE, 1))
        .isEqualTo(
            new GateNumbers(
                Duration.ofMillis(25), 3, 5, Duration.ofMillis(100), Duration.ofSeconds(2)));
  }

  @Test
  void takesEveryNumber() {
    GateSettings chosen =
        GateSettings.defaults()
            .slow(Duration.ofMillis(10))
            .failuresInARow(4)
            .failuresOfTen(6)
            .probeFirst(Duration.ofMillis(20))
            .probeLongest(Duration.ofSeconds(9));

    assertThat(chosen.numbers(DEADLINE, 10_000))
        .isEqualTo(
            new GateNumbers(
                Duration.ofMillis(10), 4, 6, Duration.ofMillis(20), Duration.ofSeconds(9)));
  }

  @Test
  void waitsAtLeastTheFirstWaitWhereOnlyThatWasChosen() {
    GateSettings patient = GateSettings.defaults().probeFirst(Duration.ofSeconds(30));

    patient.requireFits(DEADLINE);

    assertThat(patient.numbers(DEADLINE, 1).probeLongest()).isEqualTo(Duration.ofSeconds(30));
  }

  static Stream<Arguments> outOfRange() {
    return Stream.of(
        wrong(gate -> gate.slow(Duration.ZERO), "slow PT0S is outside 1ms to 10s"),
        wrong(gate -> gate.slow(Duration.ofMillis(10_001)), "slow 10001ms is outside 1ms to 10s"),
        wrong(gate -> gate.failuresInARow(0), "failures-in-a-row 0 is outside 1 to 100"),
        wrong(gate -> gate.failuresInARow(101), "failures-in-a-row 101 is outside 1 to 100"),
        wrong(gate -> gate.failuresOfTen(0), "failures-of-ten 0 is outside 1 to 11"),
        wrong(gate -> gate.failuresOfTen(12), "failures-of-ten 12 is outside 1 to 11"),
        wrong(
            gate -> gate.probeFirst(Duration.ofSeconds(-1)),
            "probe-first PT-1S is outside 1ms to 1m"),
        wrong(gate -> gate.probeFirst(Duration.ofSeconds(61)), "probe-first 61s is outside"),
        wrong(gate -> gate.probeLongest(Duration.ofNanos(1)), "probe-longest PT0.000000001S"),
        wrong(
            gate -> gate.probeLongest(Duration.ofSeconds(Long.MAX_VALUE)), "is outside 1ms to 1h"));
  }

  @ParameterizedTest
  @MethodSource("outOfRange")
  void namesTheNumberItsValueAndItsRange(UnaryOperator<GateSettings> setting, String message) {
    assertThatThrownBy(() -> setting.apply(GateSettings.defaults()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  static Stream<UnaryOperator<GateSettings>> atTheEnds() {
    return Stream.of(
        gate -> gate.slow(MILLI),
        gate -> gate.slow(DEADLINE),
        gate -> gate.failuresInARow(1),
        gate -> gate.failuresInARow(100),
        gate -> gate.failuresOfTen(1),
        gate -> gate.failuresOfTen(11),
        gate -> gate.probeFirst(MILLI).probeLongest(MILLI),
        gate -> gate.probeFirst(Duration.ofMinutes(1)),
        gate -> gate.probeLongest(Duration.ofHours(1)));
  }

  @ParameterizedTest
  @MethodSource("atTheEnds")
  void takesTheEndsOfEachRange(UnaryOperator<GateSettings> setting) {
    assertThatCode(() -> setting.apply(GateSettings.defaults()).requireFits(DEADLINE))
        .doesNotThrowAnyException();
  }

  @Test
  void nothingCanBeSlowThatIsLongerThanTheDeadline() {
    GateSettings gate = GateSettings.defaults().slow(Duration.ofMillis(51));

    assertThatThrownBy(() -> gate.requireFits(DEADLINE))
        .hasMessage("slow 51ms is outside 1ms to the deadline, which is 50ms");
  }

  @Test
  void theLongestWaitIsNotBelowTheFirst() {
    GateSettings gate = GateSettings.defaults().probeLongest(Duration.ofMillis(99));

    assertThatThrownBy(() -> gate.requireFits(DEADLINE))
        .hasMessage("probe-longest 99ms is outside probe-first, which is 100ms, to 1h");
  }

  @Test
  void theLimiterChecksThemAgainstItsStore() {
    DegradedLimiter.Builder limiter =
        DegradedLimiter.over(new FakeStore(() -> 0))
            .gate(GateSettings.defaults().slow(Duration.ofSeconds(10)));

    assertThatThrownBy(limiter::build).hasMessageStartingWith("slow 10s is outside 1ms to the");
  }

  @Test
  void theLimiterGoesByThem() {
    DegradedLimiter limiter =
        DegradedLimiter.over(new FakeStore(() -> 0))
            .gate(GateSettings.defaults().failuresInARow(1))
            .build();
    HealthGate gate = limiter.gate(FakeStore.NODE);
    for (int i = 0; i < HealthGate.PROBES_TO_OPEN; i++) {
      gate.probed(1, null);
    }
    assertThat(gate.isOpen()).isTrue();

    gate.sample(Samples.failed(StoreFault.TIMEOUT));

    assertThat(gate.isOpen()).isFalse();
  }

  private static Arguments wrong(UnaryOperator<GateSettings> setting, String message) {
    return Arguments.of(setting, message);
  }
}
