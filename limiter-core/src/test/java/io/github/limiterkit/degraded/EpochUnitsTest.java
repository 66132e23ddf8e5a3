package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Limit;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What may be divided after replies in whatever order, with epochs of ten seconds. */
class EpochUnitsTest {

  private final EpochUnits units = new EpochUnits(new Limit(100, Duration.ofSeconds(10)));

  @BeforeEach
  void twoEpochs() {
    units.reply(15_000, 0, 3, 7);
    units.reply(25_000, 0, 2, 9);
  }

  @Test
  void dividesTheEpochBefore() {
    assertThat(units.divisible(29_999)).isEqualTo(9);
    assertThat(units.ownBefore()).isEqualTo(3);
    assertThat(units.divisible(30_000)).as("no reply of that epoch").isZero();
  }

  @Test
  void countsALateReplyWhereItBelongs() {
    units.reply(19_000, 0, 4, -1);
    assertThat(units.divisible(25_000)).isEqualTo(9);
    assertThat(units.ownBefore()).isEqualTo(7);
  }

  @Test
  void beginsAnewWhereTheClockSteppedBack() {
    units.reply(5_000, 0, 1, -1);
    assertThat(units.divisible(25_000)).isZero();
    assertThat(units.divisible(5_000)).as("nothing is known of the one before").isZero();
  }
}
