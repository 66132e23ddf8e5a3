package io.github.limiterkit.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalTableTest {

  private static final Policy POLICY = Policy.named("a").limits("5/1m").build();

  private final AtomicLong now = new AtomicLong();

  /** A state that is told how live it is. */
  private static final class Told implements LocalTable.State {
    long units;
    double part;

    @Override
    public long liveUnits(long nowMillis) {
      return units;
    }

    @Override
    public double usedPart(long nowMillis) {
      return part;
    }
  }

  private LocalTable<Told> table(int maxKeys) {
    return new LocalTable<>(maxKeys, now::get, policy -> new Told());
  }

  private static void tell(LocalTable<Told> table, String key, long units, double part) {
    table.with(
        Charge.of(POLICY, key),
        (charge, state, nowMillis) -> {
          state.units = units;
          state.part = part;
          return state;
        });
  }

  private static long unitsOf(LocalTable<Told> table, String key) {
    return table.with(Charge.of(POLICY, key), (charge, state, nowMillis) -> state.units);
  }

  private static Charge key(int i) {
    return Charge.of(POLICY, "user:" + i);
  }

  @Test
  void keepsOneStatePerPolicyNameAndKey() {
    LocalTable<Told> table = table(10);
    tell(table, "user:1", 1, 0.5);
    tell(table, "user:2", 2, 0.5);
    Policy sameName = Policy.named("a").limits("50/1h").build();
    Policy otherName = Policy.named("b").limits("5/1m").build();
    assertThat(unitsOf(table, "user:1")).isEqualTo(1);
    assertThat(unitsOf(table, "user:2")).isEqualTo(2);
    List<Long> units =
        table.with(
            List.of(Charge.of(otherName, "user:1"), Charge.of(sameName, "user:2")),
            (charges, states, nowMillis) -> states.stream().map(state -> state.units).toList());
    assertThat(units).containsExactly(0L, 2L);
  }

  @Test
  void forgetsAKeyUnderOnePolicyAndKeepsItUnderTheOthers() {
    List<Charge> charges =
        Stream.of("a", "b", "c")
            .map(name -> Charge.of(Policy.named(name).limits("5/1m").build(), "user:1"))
            .toList();
    for (Charge forgotten : charges) {
      LocalTable<Told> table = table(10);
      for (Charge charge : charges) {
        table.with(charge, (asked, state, time) -> state.units = 1);
      }
      table.with(forgotten, (asked, state, time) -> state.units = 0);
      assertThat(table.sweep()).isEqualTo(1);
      assertThat(table.size()).isEqualTo(2);
      for (Charge charge : charges) {
        assertThat(table.peek(charge) == null).isEqualTo(charge.equals(forgotten));
      }
      table.with(forgotten, (asked, state, time) -> state.units = 1);
      assertThat(charges).noneMatch(charge -> table.peek(charge) == null);
    }
  }

  @Test
  void leavesNoTraceOfAKeyThatWasOnlyLookedAt() {
    LocalTable<Told> table = table(10);
    tell(table, "user:1", 0, 0);
    table.with(List.of(key(2), key(3)), (charges, states, nowMillis) -> "");
    assertThat(table.size()).isZero();
    assertThatThrownBy(
            () ->
                table.with(
                    key(4),
                    (charge, state, nowMillis) -> {
                      throw new IllegalStateException("broken");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(table.size()).isZero();
  }

  @Test
  void namesThePolicyOfTwoChargesToOneKey() {
    LocalTable<Told> table = table(10);
    tell(table, "user:1", 1, 0.5);
    for (Charge charge : List.of(key(1), key(2))) {
      assertThatThrownBy(
              () -> table.with(List.of(charge, key(3), charge), (charges, states, time) -> ""))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("\"a\"")
          .hasMessageNotContaining("user:");
    }
    assertThat(table.size()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void refusesToHoldNothing(int maxKeys) {
    assertThatThrownBy(() -> table(maxKeys))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Integer.toString(maxKeys));
  }

  @Test
  void neverTurnsTheTimeOfAKeyBack() {
    LocalTable<Told> table = table(10);
    List<Long> times = new ArrayList<>();
    now.set(50);
    table.with(List.of(key(1), key(2)), (charges, states, time) -> states.get(0).units = 1);
    now.set(70);
    table.with(key(1), (charge, state, time) -> times.add(time));
    now.set(60);
    table.with(key(1), (charge, state, time) -> times.add(time));
    table.with(List.of(key(2), key(1)), (charges, states, time) -> times.add(time));
    table.with(key(2), (charge, state, time) -> times.add(time));
    assertThat(times).startsWith(70L, 70L, 70L);
  }

  @Test
  void forgetsFirstWhatHasNoLiveUnit() {
    LocalTable<Told> table = table(8);
    for (int i = 0; i < 8; i++) {
      tell(table, "user:" + i, 1, 0.1 * i);
    }
    tell(table, "user:5", 0, 0.9);
    tell(table, "user:8", 1, 0.5);
    assertThat(table.forgottenUnits()).isZero();
    assertThat(unitsOf(table, "user:0")).isEqualTo(1);
    assertThat(table.size()).isEqualTo(8);
  }

  @Test
  void forgetsWhatUsedTheSmallestPartOfItsLimit() {
    LocalTable<Told> table = table(8);
    double[] parts = {0.9, 0.3, 1.0, 0.2, 0.8, 0.2, 0.7, 1.0};
    for (int i = 0; i < 8; i++) {
      tell(table, "user:" + i, 10 + i, parts[i]);
    }
    tell(table, "user:8", 100, 1.0);
    // Of the two that used a fifth, the newer one.
    assertThat(table.forgottenUnits()).isEqualTo(15);
    for (int i = 9; i < 14; i++) {
      tell(table, "user:" + i, 100, 1.0);
    }
    assertThat(table.forgottenUnits()).isEqualTo(15 + 13 + 11 + 16 + 14 + 10);
    assertThat(unitsOf(table, "user:2")).isEqualTo(12);
  }

  @Test
  void forgetsARefusingKeyOnlyIfAllAreRefusing() {
    LocalTable<Told> table = table(8);
    for (int i = 0; i < 9; i++) {
      tell(table, "user:" + i, 1, 1.0);
    }
    assertThat(table.size()).isEqualTo(8);
    assertThat(table.forgottenUnits()).isEqualTo(1);
    // The newest of those that were there.
    assertThat(unitsOf(table, "user:6")).isEqualTo(1);
    assertThat(unitsOf(table, "user:8")).isEqualTo(1);
  }

  @Test
  void holdsMoreThanItsBoundOnlyWhileSoManyAreInUse() {
    LocalTable<Told> table = table(2);
    List<Charge> charges = IntStream.range(0, 5).mapToObj(LocalTableTest::key).toList();
    int during =
        table.with(
            charges,
            (all, states, time) -> {
              states.forEach(state -> state.units = 1);
              return table.size();
            });
    assertThat(during).isEqualTo(5);
    assertThat(table.size()).isEqualTo(2);
    assertThat(table.forgottenUnits()).isEqualTo(3);
  }

  @Test
  @DisplayName("ST-074: a flood of new keys gives no amnesty to a key that is refusing")
  void neverForgetsAnAbuserUnderAFlood() {
    LocalLimiter limiter = new LocalLimiter(now::get, 1_000);
    Charge victim = Charge.of(POLICY, "user:victim");
    for (int i = 0; i < 5; i++) {
      assertThat(limiter.acquire(victim).allowed()).isTrue();
    }
    for (int i = 0; i < 20_000; i++) {
      assertThat(limiter.acquire(key(i)).allowed()).isTrue();
      assertThat(limiter.size()).isLessThanOrEqualTo(1_000);
      if (i % 100 == 0) {
        assertThat(limiter.acquire(victim).allowed()).isFalse();
      }
    }
    assertThat(limiter.forgottenUnits()).isEqualTo(20_001 - 1_000);
    now.set(60_000_000_000L);
    assertThat(limiter.acquire(victim).allowed()).isTrue();
  }

  @Test
  void takesBackTheRoomOfWhatExpiredBeforeItForgetsAnythingLive() {
    LocalLimiter limiter = new LocalLimiter(now::get, 1_000);
    for (int i = 0; i < 1_000; i++) {
      limiter.acquire(key(i));
    }
    now.set(60_000_000_000L);
    for (int i = 1_000; i < 2_000; i++) {
      limiter.acquire(key(i));
    }
    assertThat(limiter.size()).isEqualTo(1_000);
    assertThat(limiter.forgottenUnits()).isZero();
  }

  @Test
  @DisplayName("ST-072: without traffic the table empties")
  void emptiesWithoutTraffic() {
    LocalLimiter limiter = new LocalLimiter(now::get, 100_000);
    for (int i = 0; i < 50_000; i++) {
      limiter.acquire(key(i));
    }
    assertThat(limiter.sweep()).isZero();
    now.set(120_000_000_000L);
    limiter.acquire(key(77));
    assertThat(limiter.size()).isEqualTo(50_000);
    assertThat(limiter.sweep()).isEqualTo(49_999);
    assertThat(limiter.size()).isEqualTo(1);
    now.set(240_000_000_000L);
    assertThat(limiter.sweep()).isEqualTo(1);
    assertThat(limiter.size()).isZero();
    assertThat(limiter.forgottenUnits()).isZero();
  }

  @Test
  void keepsHugeKeysAsAHash() {
    for (String kept :
        List.of("k", "k".repeat(200), "é".repeat(100), "€".repeat(66), "\ud83d\ude00".repeat(50))) {
      assertThat(StoredKey.of(kept)).isSameAs(kept);
    }
    List<String> hashed =
        List.of(
            "k".repeat(201),
            "k".repeat(202),
            "é".repeat(100) + "k",
            "€".repeat(67),
            "\ud83d\ude00".repeat(50) + "k",
            "\ud83d".repeat(201),
            "\ud83e".repeat(201));
    assertThat(hashed.stream().map(StoredKey::of).toList())
        .doesNotHaveDuplicates()
        .noneMatch(String.class::isInstance);
    String fresh = "k".repeat(201);
    assertThat(StoredKey.of(fresh)).isEqualTo(StoredKey.of(hashed.get(0)));
  }
}
