package io.github.limiterkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LongKeyTest {

  private static final Policy POLICY = Policy.named("p").limits("1/1s").build();

  @Test
  void keepsKeysOfOrdinaryLength() {
    for (String key : List.of("ip:203.0.113.9", "x".repeat(256), "\ud83d".repeat(256))) {
      assertThat(Charge.of(POLICY, key).key()).isEqualTo(key);
    }
  }

  @Test
  void replacesLongKeysByShortOnesThatStayApart() {
    Set<String> bounded = new HashSet<>();
    List<String> ends = List.of("a", "b", "é", "e\u0301", "\u20ac", "\ud83d", "\ud83e", "?", "\0");
    for (String end : ends) {
      for (int length : new int[] {256, 257, 10_000}) {
        bounded.add(LongKey.bounded("x".repeat(length) + end));
      }
    }
    // One byte a character and two must not be taken for each other.
    bounded.add(LongKey.bounded("\u0101".repeat(257)));
    bounded.add(LongKey.bounded("\u0001".repeat(514)));
    assertThat(bounded).hasSize(3 * ends.size() + 2);
    assertThat(bounded).allSatisfy(key -> assertThat(key).hasSizeLessThan(100));
  }

  @Test
  void replacesAKeyOnceOnly() {
    Charge charge = Charge.of(POLICY, "x".repeat(1_000));
    assertThat(new Charge(POLICY, charge.key(), 7).key()).isEqualTo(charge.key());
  }
}
