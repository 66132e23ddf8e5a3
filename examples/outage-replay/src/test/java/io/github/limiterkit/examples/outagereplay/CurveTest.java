package io.github.limiterkit.examples.outagereplay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CurveTest {

  private static final int WINDOWS = 150;

  private static final Curve OF_WHOLE_PARTS = Curve.take(100, 1, WINDOWS);

  @Test
  void nobodyWhoIsWellBehavedIsRefused() {
    assertThat(Quota.wellBehavedUpTo(100, 1)).isCloseTo(0.32, within(0.005));
    assertThat(OF_WHOLE_PARTS.points())
        .filteredOn(point -> point.use() <= Quota.wellBehavedUpTo(100, 1))
        .hasSize(6)
        .allSatisfy(point -> assertThat(point.refused()).isZero());
  }

  @Test
  void halfOfTheQuotaCostsLittleWithWholePartsAndAFifthWithHalfOfThem() {
    assertThat(OF_WHOLE_PARTS.refusedAt(0.5)).isBetween(0.0001, 0.002);
    assertThat(Curve.take(100, 0.5, WINDOWS / 5).refusedAt(0.5)).isCloseTo(0.22, within(0.02));
  }

  @Test
  @Tag("deep")
  void alsoALargeQuotaIsRefusedToWhoUsesAllOfIt() {
    Curve curve = Curve.take(1000, 1, 10);

    assertThat(Quota.wellBehavedUpTo(1000, 1)).isCloseTo(0.68, within(0.01));
    assertThat(curve.refusedAt(0.65)).isZero();
    assertThat(curve.refusedAt(1)).isPositive();
  }
}
