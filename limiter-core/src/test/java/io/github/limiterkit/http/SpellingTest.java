package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpellingTest {

  private static final List<String> WORDS = List.of("limits", "name", "key", "when-store-fails");

  @Test
  void findsTheNearest() {
    assertThat(Spelling.nearest("limt", WORDS)).isEqualTo("limits");
    assertThat(Spelling.nearest("Limits", WORDS)).isEqualTo("limits");
    assertThat(Spelling.nearest("nmae", WORDS)).isEqualTo("name");
    assertThat(Spelling.nearest("when-stores-fail", WORDS)).isEqualTo("when-store-fails");
    assertThat(Spelling.nearest("lim", WORDS)).as("the beginning").isEqualTo("limits");
    assertThat(Spelling.didYouMean("kye", WORDS)).isEqualTo("; did you mean \"key\"?");
  }

  @Test
  void countsLettersThatAreSwappedAsOneMistake() {
    assertThat(Spelling.nearest("ba", List.of("ab"))).isEqualTo("ab");
    assertThat(Spelling.nearest("ab", List.of("ba", "ab"))).isEqualTo("ab");
  }

  @Test
  void findsTheFirstOfEquallyNearOnes() {
    assertThat(Spelling.nearest("limx", List.of("limy", "limz"))).isEqualTo("limy");
  }

  @Test
  void findsNothingFarOff() {
    assertThat(Spelling.nearest("colour", WORDS)).isNull();
    assertThat(Spelling.nearest("the-limits", WORDS)).as("four letters more").isNull();
    assertThat(Spelling.nearest("xy", List.of("ab"))).as("no letter in common").isNull();
    assertThat(Spelling.nearest("", WORDS)).isNull();
    assertThat(Spelling.nearest("x", List.of())).isNull();
    assertThat(Spelling.didYouMean("colour", WORDS)).isEmpty();
  }
}
