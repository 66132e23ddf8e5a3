package io.github.limiterkit.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.limiterkit.Limit;
import io.github.limiterkit.LimitUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlidingLogTest {

  private static final long MINUTE = Duration.ofMinutes(1).toMillis();
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = Duration.ofDays(1).toMillis();

  /** A log and a quota, asked the way a limiter asks. */
  private static final class Limiter {
    final SlidingLog log;
    long quota;

    Limiter(long quota, long window) {
      this.log = new SlidingLog(window);
      this.quota = quota;
    }

    boolean charge(long now, long cost) {
      if (cost > 0) {
        log.clamp(now, quota);
      }
      boolean admitted = log.admits(now, cost, quota);
      assertThat(log.retryAfter(now, cost, quota) == 0).isEqualTo(admitted);
      assertThat(log.remaining(now, quota)).isBetween(0L, quota);
      if (admitted) {
        log.add(now, cost, quota);
      }
      assertThat(log.resetAfter(now, quota)).isBetween(0L, log.windowMillis());
      return admitted;
    }

    boolean charge(long now) {
      return charge(now, 1);
    }

    int chargeTimes(int times, long now) {
      int admitted = 0;
      for (int i = 0; i < times; i++) {
        admitted += charge(now) ? 1 : 0;
      }
      return admitted;
    }

    long retryAfter(long now) {
      return log.retryAfter(now, 1, quota);
    }

    long remaining(long now) {
      return log.remaining(now, quota);
    }

    long resetAfter(long now) {
      return log.resetAfter(now, quota);
    }
  }

  @Nested
  class AdmitsUpToTheQuota {

    @Test
    @DisplayName("ST-037: no burst over the edge of a minute")
    void admitsNoBurstOverTheEdgeOfAMinute() {
      Limiter limiter = new Limiter(100, MINUTE);
      assertThat(limiter.chargeTimes(150, 59_999)).isEqualTo(100);
      assertThat(limiter.chargeTimes(150, 60_001)).isZero();
      assertThat(limiter.retryAfter(60_001)).isEqualTo(59_998);
      assertThat(limiter.chargeTimes(150, 90_000)).isZero();
      assertThat(limiter.chargeTimes(150, 119_999)).isEqualTo(100);
      assertThat(limiter.chargeTimes(150, 120_000)).isZero();
    }

    @Test
    @DisplayName("ST-039: a unit exactly one window old no longer counts")
    void forgetsAUnitThatIsExactlyOneWindowOld() {
      Limiter limiter = new Limiter(1, 10_000);
      assertThat(limiter.charge(0)).isTrue();
      assertThat(limiter.charge(9_999)).isFalse();
      assertThat(limiter.retryAfter(9_999)).isEqualTo(1);
      assertThat(limiter.charge(10_000)).isTrue();
    }

    @Test
    @DisplayName("ST-040: ten of eleven, and the tenth says that none remains")
    void admitsExactlyTheQuotaAndCountsDown() {
      Limiter limiter = new Limiter(10, MINUTE);
      for (int remaining = 9; remaining >= 0; remaining--) {
        assertThat(limiter.charge(5)).isTrue();
        assertThat(limiter.remaining(5)).isEqualTo(remaining);
      }
      assertThat(limiter.charge(5)).isFalse();
      assertThat(limiter.remaining(5)).isZero();
    }

    @Test
    @DisplayName("ST-041: calls of one instant do not collapse into one")
    void countsEveryCallOfOneInstant() {
      Limiter limiter = new Limiter(100, MINUTE);
      assertThat(limiter.chargeTimes(1_000, 42)).isEqualTo(100);
      assertThat(limiter.log.total(42)).isEqualTo(100);
    }

    @Test
    @DisplayName("ST-042: a limit of one admits one")
    void admitsWithAQuotaOfOne() {
      Limiter limiter = new Limiter(1, 10_000);
      assertThat(limiter.charge(0)).isTrue();
      assertThat(limiter.remaining(0)).isZero();
      assertThat(limiter.charge(0)).isFalse();
      for (long now = 20_000; now <= 10 * MINUTE; now += 20_000) {
        assertThat(limiter.charge(now)).isTrue();
      }
    }

    @Test
    @DisplayName("ST-043: a refused call consumes nothing")
    void chargesNothingForARefusal() {
      Limiter limiter = new Limiter(5, 10_000);
      List<Integer> admitted = new ArrayList<>();
      for (int second = 0; second <= 60; second++) {
        if (limiter.charge(second * 1_000L)) {
          admitted.add(second);
        }
      }
      assertThat(admitted)
          .containsExactly(
              0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24, 30, 31, 32, 33, 34, 40, 41, 42,
              43, 44, 50, 51, 52, 53, 54, 60);
    }

    @Test
    @DisplayName("ST-044: the window slides")
    void slides() {
      Limiter limiter = new Limiter(3, 3_000);
      assertThat(limiter.charge(0)).isTrue();
      assertThat(limiter.charge(1_000)).isTrue();
      assertThat(limiter.charge(2_000)).isTrue();
      assertThat(limiter.charge(3_000)).isTrue();
      assertThat(limiter.charge(3_500)).isFalse();
      assertThat(limiter.charge(4_000)).isTrue();
      // Several windows at once.
      assertThat(limiter.chargeTimes(10, 400_000)).isEqualTo(3);
    }

    @Test
    @DisplayName("ST-045: remaining is the quota less the units in the window")
    void remainingIsTheQuotaLessTheUnitsInTheWindow() {
      Limiter limiter = new Limiter(100, 10_000);
      assertThat(limiter.chargeTimes(50, 5_000)).isEqualTo(50);
      assertThat(limiter.chargeTimes(10, 10_500)).isEqualTo(10);
      assertThat(limiter.remaining(11_000)).isEqualTo(40);
      assertThat(limiter.remaining(15_000)).isEqualTo(90);
    }

    @Test
    @DisplayName("ST-061: of several limits all are charged or none")
    void severalLogsCanBeAskedBeforeAnyIsCharged() {
      Limiter minute = new Limiter(10, MINUTE);
      Limiter halfHour = new Limiter(30, 30 * MINUTE);
      assertThat(chargeBoth(minute, halfHour, 0, 16)).isEqualTo(10);
      assertThat(chargeBoth(minute, halfHour, 60, 15)).isEqualTo(10);
      assertThat(halfHour.log.total(75_000)).isEqualTo(20);
      assertThat(chargeBoth(minute, halfHour, 125, 1)).isEqualTo(1);
    }

    private int chargeBoth(Limiter first, Limiter second, int fromSecond, int seconds) {
      int admitted = 0;
      for (int i = 0; i < seconds; i++) {
        long now = (fromSecond + i) * 1_000L;
        if (first.log.admits(now, 1, first.quota) && second.log.admits(now, 1, second.quota)) {
          first.log.add(now, 1, first.quota);
          second.log.add(now, 1, second.quota);
          admitted++;
        }
      }
      return admitted;
    }
  }

  @Nested
  class SaysHowLongToWait {

    @Test
    @DisplayName("ST-046: waiting for exactly the announced time is enough, and less is not")
    void announcesTheExactWait() {
      Limiter limiter = new Limiter(5, 10_000);
      limiter.chargeTimes(5, 0);
      assertThat(limiter.retryAfter(0)).isEqualTo(10_000);
      assertThat(limiter.retryAfter(9_999)).isEqualTo(1);
      assertThat(limiter.charge(9_999)).isFalse();
      assertThat(limiter.charge(10_000)).isTrue();
    }

    @Test
    @DisplayName("ST-048: the wait is in milliseconds, neither rounded nor cut")
    void announcesMilliseconds() {
      Limiter limiter = new Limiter(1, 1_000);
      limiter.charge(0);
      assertThat(limiter.retryAfter(600)).isEqualTo(400);
    }

    @Test
    @DisplayName("ST-049: the wait is for the unit that frees enough, not for the newest")
    void waitsForTheUnitThatFreesEnough() {
      Limiter limiter = new Limiter(2, MINUTE);
      limiter.charge(0);
      limiter.charge(10_000);
      assertThat(limiter.charge(20_000)).isFalse();
      assertThat(limiter.retryAfter(20_000)).isEqualTo(40_000);
      assertThat(limiter.log.retryAfter(20_000, 2, 2)).isEqualTo(50_000);
      assertThat(limiter.resetAfter(20_000)).isEqualTo(40_000);
    }

    @Test
    @DisplayName("ST-050: resetAfter is 0 without units, and a duration always")
    void resetsAfterZeroWithoutUnits() {
      Limiter limiter = new Limiter(2, MINUTE);
      assertThat(limiter.resetAfter(7)).isZero();
      limiter.charge(7);
      assertThat(limiter.resetAfter(7)).isEqualTo(MINUTE);
      assertThat(limiter.resetAfter(6 + MINUTE)).isEqualTo(1);
      assertThat(limiter.resetAfter(7 + MINUTE)).isZero();
    }

    @Test
    @DisplayName("ST-053: a short remainder is a refusal still")
    void refusesToTheLastMillisecond() {
      Limiter limiter = new Limiter(1, 1_000);
      limiter.charge(0);
      for (long now = 1; now < 1_000; now++) {
        assertThat(limiter.retryAfter(now)).isEqualTo(1_000 - now);
      }
    }

    @Test
    @DisplayName("ST-058: what costs more than the quota never succeeds, and consumes nothing")
    void neverAdmitsACostAboveTheQuota() {
      Limiter limiter = new Limiter(3, MINUTE);
      assertThat(limiter.charge(0, 4)).isFalse();
      assertThat(limiter.log.retryAfter(0, 4, 3)).isEqualTo(LimitUsage.NEVER);
      assertThat(limiter.charge(0, 3)).isTrue();
    }
  }

  @Nested
  class StaysExactWithLargeNumbers {

    @Test
    @DisplayName("ST-051: a long idle time overflows nothing")
    void survivesALongIdleTime() {
      Limiter million = new Limiter(1_000_000, 1_000);
      million.charge(0);
      assertThat(million.charge(12 * HOUR)).isTrue();
      assertThat(million.remaining(12 * HOUR)).isEqualTo(999_999);
      Limiter large = new Limiter(1L << 31, 1_000);
      large.charge(0, 1L << 31);
      assertThat(large.charge(400 * DAY)).isTrue();
      assertThat(large.remaining(400 * DAY)).isEqualTo((1L << 31) - 1);
    }

    @Test
    @DisplayName("ST-054: a window of a year")
    void countsForAYear() {
      Limiter limiter = new Limiter(5, 365 * DAY);
      assertThat(limiter.chargeTimes(5, 0)).isEqualTo(5);
      assertThat(limiter.charge(30 * DAY)).isFalse();
      assertThat(limiter.retryAfter(30 * DAY)).isEqualTo(28_944_000_000L);
      assertThat(limiter.charge(365 * DAY)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 999, 1_000, 3_600_000, 2_678_400_000L, 31_622_400_000L})
    @DisplayName("ST-055: every window from 1 ms to 366 days, at the ends of time")
    void countsInEveryWindowAtTheEndsOfTime(long window) {
      for (long start : new long[] {-(1L << 62), -1, 0, (1L << 62) - 2 * window}) {
        Limiter limiter = new Limiter(Limit.MAX_PERMITS, window);
        assertThat(limiter.charge(start, Limit.MAX_PERMITS)).isTrue();
        assertThat(limiter.retryAfter(start)).isEqualTo(window);
        assertThat(limiter.charge(start + window - 1)).isFalse();
        assertThat(limiter.charge(start + window)).isTrue();
      }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 31_622_400_001L, 315_360_000_000L, Long.MAX_VALUE})
    @DisplayName("ST-055: a window out of range is refused with the bound")
    void refusesAWindowOutOfRange(long window) {
      assertThatThrownBy(() -> new SlidingLog(window))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(Long.toString(window))
          .hasMessageContaining("31622400000");
    }

    @Test
    @DisplayName("ST-056: a negative cost gives nothing back")
    void refusesToAddANegativeCost() {
      Limiter limiter = new Limiter(3, MINUTE);
      limiter.charge(0, 2);
      for (long cost : new long[] {-1, Integer.MIN_VALUE, Long.MIN_VALUE}) {
        assertThatThrownBy(() -> limiter.log.add(0, cost, 3))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(Long.toString(cost));
      }
      assertThat(limiter.remaining(0)).isEqualTo(1);
    }
  }

  @Nested
  class KeepsItsUnitsWhenTheQuotaChanges {

    @Test
    @DisplayName("ST-059: a raised limit admits at once")
    void admitsMoreOnceTheQuotaRises() {
      Limiter limiter = new Limiter(10, MINUTE);
      limiter.chargeTimes(3, 0);
      limiter.quota = 1_000;
      assertThat(limiter.charge(1)).isTrue();
      assertThat(limiter.remaining(1)).isEqualTo(996);
    }

    @Test
    @DisplayName("ST-060: a lowered limit rules at once")
    void admitsLessOnceTheQuotaFalls() {
      Limiter limiter = new Limiter(100, MINUTE);
      limiter.chargeTimes(2, 0);
      limiter.quota = 10;
      assertThat(limiter.charge(1)).isTrue();
      assertThat(limiter.remaining(1)).isEqualTo(7);

      Limiter lowered = new Limiter(10, MINUTE);
      lowered.chargeTimes(4, 0);
      lowered.chargeTimes(4, 500);
      lowered.quota = 5;
      assertThat(lowered.charge(1_000)).isFalse();
      assertThat(lowered.remaining(1_000)).isZero();
      assertThat(lowered.retryAfter(1_000)).isEqualTo(MINUTE - 1_000);
      lowered.quota = 4;
      assertThat(lowered.retryAfter(1_000)).isEqualTo(MINUTE - 500);
    }

    @Test
    void looksWithoutRoomOnceTheQuotaFallsBelowWhatIsLive() {
      Limiter limiter = new Limiter(10, MINUTE);
      limiter.chargeTimes(8, 0);
      limiter.quota = 8;
      assertThat(limiter.charge(10, 0)).isTrue();
      limiter.quota = 5;
      assertThat(limiter.charge(10, 0)).isFalse();
      assertThat(limiter.log.retryAfter(10, 0, 5)).isEqualTo(MINUTE - 10);
    }

    @Test
    void holdsItsBoundOnEntriesWhenTheQuotaRises() {
      Limiter limiter = new Limiter(120, MINUTE);
      for (int i = 0; i < 120; i++) {
        assertThat(limiter.charge(i)).isTrue();
      }
      assertThat(limiter.log.entries()).isEqualTo(120);
      limiter.quota = 1_000_000;
      for (long now = 120; now < MINUTE; now += 10) {
        assertThat(limiter.charge(now)).isTrue();
      }
      assertThat(limiter.log.entries()).isEqualTo(120 + 59);
    }
  }

  @Nested
  class GroupsUnitsOfALargeQuota {

    @Test
    void keepsEveryMillisecondUpToTwoPerSlot() {
      Limiter limiter = new Limiter(120, MINUTE);
      limiter.charge(0);
      limiter.charge(1);
      assertThat(limiter.log.entries()).isEqualTo(2);
      assertThat(limiter.remaining(MINUTE)).isEqualTo(119);
    }

    @Test
    void sharesAnEntryWithinASixtiethOfTheWindow() {
      Limiter limiter = new Limiter(121, MINUTE);
      limiter.charge(0);
      limiter.charge(999);
      assertThat(limiter.log.entries()).isEqualTo(1);
      assertThat(limiter.resetAfter(999)).isEqualTo(MINUTE);
      limiter.charge(1_000);
      assertThat(limiter.log.entries()).isEqualTo(2);
      // The first unit stays for as long as the last of its slot.
      assertThat(limiter.remaining(MINUTE + 998)).isEqualTo(118);
      assertThat(limiter.remaining(MINUTE + 999)).isEqualTo(120);
    }

    @Test
    void roundsASixtiethUp() {
      Limiter limiter = new Limiter(121, 61);
      limiter.charge(0);
      limiter.charge(1);
      limiter.charge(2);
      assertThat(limiter.log.entries()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
      "60000, 1, 1",
      "60000, 120, 1",
      "60000, 121, 1000",
      "60001, 121, 1001",
      "59, 121, 1",
      "60, 4000000000, 1",
      "61, 121, 2",
      "31622400000, 121, 527040000"
    })
    void saysHowFarApartUnitsOfOneEntryMayBe(long window, long quota, long grain) {
      assertThat(SlidingLog.grainMillis(window, quota)).isEqualTo(grain);
    }

    @Test
    void keepsItsCellsBeforeTheEpoch() {
      Limiter limiter = new Limiter(121, MINUTE);
      limiter.charge(-1_000);
      limiter.charge(-1);
      assertThat(limiter.log.entries()).isEqualTo(1);
      limiter.charge(0);
      assertThat(limiter.log.entries()).isEqualTo(2);
    }

    @Test
    void hasAtMostOneEntryPerSlotAndOneMore() {
      Limiter limiter = new Limiter(1_000_000, MINUTE);
      for (long now = 500; now < 5 * MINUTE; now += 7) {
        limiter.charge(now);
        assertThat(limiter.log.entries()).isLessThanOrEqualTo(SlidingLog.SLOTS + 1);
      }
      assertThat(limiter.log.entries()).isEqualTo(SlidingLog.SLOTS + 1);
    }
  }

  @Nested
  class MovesUnitsOfTheFutureToThePresent {

    @Test
    void forgetsThemOneWindowAfterTheClockSteppedBack() {
      Limiter limiter = new Limiter(2, MINUTE);
      limiter.charge(10 * HOUR);
      limiter.charge(10 * HOUR + 5);
      assertThat(limiter.charge(0)).isFalse();
      assertThat(limiter.retryAfter(0)).isEqualTo(MINUTE);
      assertThat(limiter.charge(MINUTE - 1)).isFalse();
      assertThat(limiter.charge(MINUTE)).isTrue();
      assertThat(limiter.remaining(MINUTE)).isEqualTo(1);
    }

    @Test
    void leavesUnitsOfThePastWhereTheyAre() {
      Limiter limiter = new Limiter(3, MINUTE);
      limiter.charge(100);
      limiter.charge(200);
      limiter.charge(300);
      assertThat(limiter.charge(200)).isFalse();
      assertThat(limiter.log.entries()).isEqualTo(2);
      assertThat(limiter.log.retryAfter(200, 1, 3)).isEqualTo(MINUTE - 100);
      assertThat(limiter.log.retryAfter(200, 2, 3)).isEqualTo(MINUTE);
    }

    @Test
    void mergesThemWithWhatLiesInTheCellOfThePresent() {
      Limiter limiter = new Limiter(1_000, MINUTE);
      limiter.charge(5_100);
      limiter.charge(9_000);
      limiter.charge(12_000);
      limiter.log.clamp(5_900, 1_000);
      assertThat(limiter.log.entries()).isEqualTo(1);
      assertThat(limiter.log.total(5_900 + MINUTE - 1)).isEqualTo(3);
      assertThat(limiter.log.total(5_900 + MINUTE)).isZero();
    }

    @Test
    void mergesEveryFineEntryOfThatCellOnceTheQuotaRose() {
      Limiter limiter = new Limiter(120, MINUTE);
      limiter.charge(4_999);
      limiter.charge(5_000);
      limiter.charge(5_100);
      limiter.charge(7_000);
      limiter.log.clamp(5_200, 1_000);
      assertThat(limiter.log.entries()).isEqualTo(2);
      assertThat(limiter.log.total(4_999 + MINUTE)).isEqualTo(3);
    }

    @Test
    void leavesFineEntriesOfThatCellAloneWhileNoneLiesInTheFuture() {
      Limiter limiter = new Limiter(120, MINUTE);
      limiter.charge(5_000);
      limiter.charge(5_200);
      limiter.log.clamp(5_200, 1_000);
      assertThat(limiter.log.entries()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {900, 1_000, 1_001, 5_000, 5_900, 8_999, 9_000, 61_000})
    void answersAsIfItHadMovedThemWhenItOnlyLooks(long now) {
      SlidingLog looked = new SlidingLog(MINUTE);
      SlidingLog moved = new SlidingLog(MINUTE);
      for (SlidingLog log : List.of(looked, moved)) {
        log.add(1_000, 10, 1_000);
        log.add(5_100, 300, 1_000);
        log.add(9_000, 690, 1_000);
      }
      moved.clamp(now, 1_000);
      for (long cost : new long[] {1, 10, 11, 310, 311, 1_000}) {
        assertThat(looked.retryAfter(now, cost, 1_000))
            .isEqualTo(moved.retryAfter(now, cost, 1_000));
      }
      assertThat(looked.resetAfter(now, 1_000)).isEqualTo(moved.resetAfter(now, 1_000));
      assertThat(looked.total(now)).isEqualTo(moved.total(now));
      assertThat(looked.isLive(now)).isTrue();
      assertThat(looked.entries()).isEqualTo(3);
    }

    @Test
    void changesNothingForACostOfZero() {
      Limiter limiter = new Limiter(3, MINUTE);
      limiter.charge(5_000);
      limiter.charge(0, 0);
      assertThat(limiter.log.total(5_000 + MINUTE - 1)).isEqualTo(1);
      limiter.charge(70_000, 0);
      assertThat(limiter.log.entries()).isEqualTo(1);
    }

    @Test
    void keepsWhatExpiredUntilSomethingIsAdmitted() {
      Limiter limiter = new Limiter(2, MINUTE);
      limiter.charge(0);
      limiter.charge(30_000);
      // Refused, so the unit that has expired is still there when the clock steps back.
      assertThat(limiter.charge(MINUTE, 2)).isFalse();
      assertThat(limiter.remaining(MINUTE - 1)).isZero();
      assertThat(limiter.charge(MINUTE, 1)).isTrue();
      assertThat(limiter.log.entries()).isEqualTo(2);
    }
  }

  @Nested
  class TakesWhatOthersCounted {

    @Test
    void neverForgetsEarlyWhatComesLate() {
      SlidingLog log = new SlidingLog(MINUTE);
      log.add(1_000, 1, 100);
      log.add(990, 1, 100);
      log.add(1_010, 1, 100);
      assertThat(log.total(MINUTE + 999)).isEqualTo(3);
      assertThat(log.total(MINUTE + 1_000)).isEqualTo(1);
      assertThat(log.total(MINUTE + 1_010)).isZero();
    }

    @Test
    void holdsItsBoundOnEntriesWhateverIsAdded() {
      SlidingLog log = new SlidingLog(MINUTE);
      for (int i = 0; i < 10_000; i++) {
        log.add(i, 3, 10);
        assertThat(log.entries()).isLessThanOrEqualTo(SlidingLog.MAX_ENTRIES);
        assertThat(log.total(i)).isEqualTo(3L * (i + 1));
      }
      // Nobody is forgotten early, and nobody is kept for more than a sixtieth of the window.
      for (int i = 0; i < 10_000; i++) {
        assertThat(log.total(MINUTE + i - 1)).isGreaterThanOrEqualTo(3L * (10_000 - i));
        assertThat(log.total(MINUTE + i + 999)).isLessThanOrEqualTo(3L * (10_000 - i));
      }
    }

    @Test
    void mergesWholeSixtiethsOnceItIsFull() {
      SlidingLog log = new SlidingLog(MINUTE);
      for (int i = 0; i < SlidingLog.MAX_ENTRIES; i++) {
        log.add(i, 1, 100);
      }
      assertThat(log.entries()).isEqualTo(SlidingLog.MAX_ENTRIES);
      log.add(2_000, 1, 100);
      assertThat(log.entries()).isEqualTo(2);
      assertThat(log.resetAfter(2_000, 100)).isEqualTo(MINUTE - 2_000 + 180);
      assertThat(log.total(2_000)).isEqualTo(SlidingLog.MAX_ENTRIES + 1);
    }

    @Test
    void goesOnInOrderAfterItsRingHasWrapped() {
      SlidingLog log = new SlidingLog(10);
      for (int i = 0; i < 1_000; i++) {
        log.add(i, i + 1, 100);
        long live = 0;
        for (int j = Math.max(0, i - 9); j <= i; j++) {
          live += j + 1;
        }
        assertThat(log.total(i)).isEqualTo(live);
        assertThat(log.resetAfter(i, 100)).isEqualTo(i < 10 ? 10 - i : 1);
      }
    }
  }

  @Nested
  class Forgetting {

    private final SlidingLog log = new SlidingLog(MINUTE);

    Forgetting() {
      log.add(1_000, 1, 100);
      log.add(2_000, 10, 100);
      log.add(3_000, 100, 1_000);
    }

    @Test
    void takesWhatWasAddedByThatTimeAndNothingLater() {
      log.forgetUntil(2_000);

      assertThat(log.total(3_000)).isEqualTo(100);
      assertThat(log.resetAfter(3_000, 100)).isEqualTo(MINUTE);
      assertThat(log.entries()).isEqualTo(1);
    }

    @Test
    void takesNothingThatWasAddedAMillisecondLater() {
      log.forgetUntil(1_999);

      assertThat(log.total(3_000)).isEqualTo(110);
    }

    @Test
    void leavesNothingWhenAllWasAddedByThen() {
      log.forgetUntil(3_000);

      assertThat(log.total(3_000)).isZero();
      assertThat(log.entries()).isZero();
    }
  }
}
