package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Policy;
import io.github.limiterkit.degraded.LargeFleet.Call;
import io.github.limiterkit.degraded.LargeFleet.Kind;
import io.github.limiterkit.degraded.LargeFleet.Turned;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a large fleet does to its store: while all is well, while it is gone for a minute, and when
 * it is there again. The figures are those of {@code docs/large-fleets.md}.
 */
class LargeFleetTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long MILLI = Duration.ofMillis(1).toNanos();
  private static final Duration OUTAGE = Duration.ofMinutes(1);
  private static final Policy POLICY = Policy.named("p").limits("100000/1m").build();

  @Test
  void aHundredInstances() {
    bearsAnOutage(100, Duration.ofMillis(100));
  }

  @Test
  @Tag("deep")
  void aThousandInstances() {
    bearsAnOutage(1_000, Duration.ofSeconds(1));
  }

  private static void bearsAnOutage(int size, Duration betweenRequests) {
    LargeFleet fleet = new LargeFleet(size, POLICY, betweenRequests, new Random(size));
    fleet.pass(Duration.ofSeconds(20));
    long well = fleet.now();
    fleet.pass(Duration.ofSeconds(10));
    long lost = fleet.now();
    fleet.lose();
    fleet.pass(OUTAGE.dividedBy(2));
    Policy limit = Policy.named("hot").limits(10 * size + "/1h").build();
    assertThat(fleet.storm(limit, 30)).as("each gives out its part").isEqualTo(10L * size);
    fleet.pass(OUTAGE.dividedBy(2));
    long mended = fleet.now();
    fleet.mend();
    fleet.pass(Duration.ofSeconds(20));

    long longest = Math.max(2 * SECOND, size * 5L * MILLI);
    heartbeatsOnceASecond(fleet, size, well, lost);
    asksNoMoreInTheOutage(fleet, size, lost, mended);
    probesByTheSchedule(fleet, lost, mended, longest);
    probesTogetherSeldom(fleet, size, lost, mended, longest);
    returnsSpreadOverTheLongestWait(fleet, size, mended, longest);
    loadsTheStoreNoMoreThanBefore(fleet, well, lost, mended);
    print(fleet, size, well, lost, mended);
  }

  private static void heartbeatsOnceASecond(LargeFleet fleet, int size, long from, long to) {
    long seconds = (to - from) / SECOND;
    assertThat(count(fleet, Kind.HEARTBEAT, from, to)).isEqualTo(size * seconds);
    assertThat(count(fleet, Kind.PROBE, from, to)).isZero();
  }

  /** One call of each shows that nobody is there; then its gate is shut. */
  private static void asksNoMoreInTheOutage(LargeFleet fleet, int size, long lost, long mended) {
    assertThat(
            count(fleet, Kind.DECISION, lost, mended) + count(fleet, Kind.HEARTBEAT, lost, mended))
        .isEqualTo(size);
  }

  /** The k-th wait is half to all of 100 ms · 2^k, up to the longest. */
  private static void probesByTheSchedule(LargeFleet fleet, long lost, long mended, long longest) {
    Map<Integer, List<Long>> probes = new HashMap<>();
    for (Turned shut : fleet.turned) {
      if (!shut.open()) {
        probes.computeIfAbsent(shut.instance(), none -> new ArrayList<>()).add(shut.at());
      }
    }
    for (Call call : fleet.calls) {
      if (call.kind() == Kind.PROBE && call.at() > lost && call.at() <= mended) {
        probes.get(call.instance()).add(call.at());
      }
    }
    for (List<Long> times : probes.values()) {
      long wait = 100 * MILLI;
      for (int i = 1; i < times.size(); i++) {
        assertThat(times.get(i) - times.get(i - 1)).isBetween(wait / 2, wait);
        wait = Math.min(2 * wait, longest);
      }
      assertThat(times.get(times.size() - 1)).isGreaterThan(mended - longest);
    }
  }

  /**
   * In the long run an instance probes once in ¾ of the longest wait. How it falls out in one
   * second is chance: with 6 standard deviations of what would be, were each probe by itself.
   */
  private static void probesTogetherSeldom(
      LargeFleet fleet, int size, long lost, long mended, long longest) {
    double mean = size * (double) SECOND / (0.75 * longest);
    for (long from = lost + 6 * longest; from + SECOND <= mended; from += SECOND) {
      assertThat((double) count(fleet, Kind.PROBE, from, from + SECOND))
          .isLessThan(mean + 6 * Math.sqrt(mean));
    }
  }

  private static void returnsSpreadOverTheLongestWait(
      LargeFleet fleet, int size, long mended, long longest) {
    List<Long> back = returns(fleet, mended);
    assertThat(back).hasSize(size);
    assertThat(back.get(back.size() - 1)).isLessThanOrEqualTo(longest + 100 * MILLI);
    double mean = size * 100.0 * MILLI / (0.75 * longest);
    for (long from = 0; from < longest; from += 100 * MILLI) {
      long begin = from;
      assertThat(
              (double) back.stream().filter(at -> at >= begin && at < begin + 100 * MILLI).count())
          .as("back %d ms after the store", from / MILLI)
          .isLessThan(mean + 6 * Math.sqrt(mean));
    }
  }

  private static List<Long> returns(LargeFleet fleet, long mended) {
    return fleet.turned.stream()
        .filter(each -> each.at() > mended && each.open())
        .map(each -> each.at() - mended)
        .toList();
  }

  private static void loadsTheStoreNoMoreThanBefore(
      LargeFleet fleet, long well, long lost, long mended) {
    double normal = (double) count(fleet, well, lost) * SECOND / (lost - well);
    for (long from = mended; from < mended + 10 * SECOND; from += SECOND) {
      assertThat((double) count(fleet, from, from + SECOND)).isLessThanOrEqualTo(1.2 * normal);
    }
  }

  private static long count(LargeFleet fleet, Kind kind, long from, long to) {
    return fleet.calls.stream()
        .filter(call -> call.kind() == kind && call.at() > from && call.at() <= to)
        .count();
  }

  private static long count(LargeFleet fleet, long from, long to) {
    return fleet.calls.stream().filter(call -> call.at() > from && call.at() <= to).count();
  }

  private static void print(LargeFleet fleet, int size, long well, long lost, long mended) {
    long middle = lost + (mended - lost) / 2;
    List<Long> back = returns(fleet, mended);
    System.out.printf(
        "%,d instances: %,d heartbeats/s; probes in the first second %,d, at most %,d in 100 ms;"
            + " later %,d a second, at most %,d; back %,d to %,d ms after the store, half after %,d"
            + " ms, at most %,d in 100 ms, probes then at most %,d a second%n",
        size,
        count(fleet, Kind.HEARTBEAT, well, lost) * SECOND / (lost - well),
        count(fleet, Kind.PROBE, lost, lost + SECOND),
        most(fleet, Kind.PROBE, lost, lost + SECOND, 100 * MILLI),
        count(fleet, Kind.PROBE, middle, mended) * SECOND / (mended - middle),
        most(fleet, Kind.PROBE, middle, mended, SECOND),
        back.get(0) / MILLI,
        back.get(size - 1) / MILLI,
        back.get(size / 2) / MILLI,
        LongStream.range(0, 100)
            .map(tenth -> back.stream().filter(at -> at / (100 * MILLI) == tenth).count())
            .max()
            .orElseThrow(),
        most(fleet, Kind.PROBE, mended, mended + 5 * SECOND, SECOND));
  }

  private static long most(LargeFleet fleet, Kind kind, long from, long to, long step) {
    long most = 0;
    for (long at = from; at + step <= to; at += step) {
      most = Math.max(most, count(fleet, kind, at, at + step));
    }
    return most;
  }
}
