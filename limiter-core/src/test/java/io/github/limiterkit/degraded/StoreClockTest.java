package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The store's clock as an instance knows it, with a deadline of 50 ms. */
class StoreClockTest {

  private final StoreClock clock = new StoreClock(50);

  @Test
  void goesAsThisMachineDoesBeforeTheFirstReply() {
    assertThat(clock.at(7)).isEqualTo(7);
  }

  @Test
  void believesTheFirstReplyAlsoWhereTheStoreIsBehind() {
    clock.see(80, 100);
    assertThat(clock.at(100)).isEqualTo(80);
    clock.see(75, 105);
    assertThat(clock.at(105)).as("that one took longer").isEqualTo(85);
  }

  @Test
  void goesByTheReplyThatTravelledFastest() {
    clock.see(1_000, 10);
    clock.see(1_040, 70);
    assertThat(clock.at(70)).isEqualTo(1_060);
    clock.see(1_100, 100);
    assertThat(clock.at(100)).isEqualTo(1_100);
  }

  @Test
  void followsAClockThatSteppedBack() {
    clock.see(1_000, 0);
    clock.see(1_150, 200);
    assertThat(clock.at(200)).as("a reply may take a deadline").isEqualTo(1_200);
    clock.see(1_149, 200);
    assertThat(clock.at(200)).as("but not more").isEqualTo(1_149);
  }

  @Test
  void knowsWhenTheStoreShowedNoMoreThanAStamp() {
    clock.see(1_000, 10);
    assertThat(clock.localBefore(1_100)).isEqualTo(60);
  }
}
