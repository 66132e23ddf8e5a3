package io.github.limiterkit.http.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** SF-8: the members of other components stay, and no policy is named twice. */
class FieldListTest {

  private static final Predicate<String> OURS = Set.of("p", "q-1s")::contains;
  private static final String P = "\"p\";r=1;t=2";

  private static String join(String... present) {
    return FieldList.join(List.of(present), OURS, P);
  }

  @Test
  void isOursAloneIfNothingIsThere() {
    assertThat(join()).isEqualTo(P);
    assertThat(join("")).isEqualTo(P);
    assertThat(join(" , ")).isEqualTo(P);
  }

  @Test
  @DisplayName("SF-8: members of other components stay")
  void appendsToOneLineAndToSeveral() {
    assertThat(join("\"edge\";r=9;t=1")).isEqualTo("\"edge\";r=9;t=1, " + P);
    assertThat(join("\"a\";r=1 ,\"b\";r=2", "\"c\";r=3"))
        .isEqualTo("\"a\";r=1, \"b\";r=2, \"c\";r=3, " + P);
  }

  @Test
  @DisplayName("SF-8: no policy is named twice")
  void replacesWhatIsOurs() {
    assertThat(join("\"p\";r=5;t=9, \"edge\";r=9")).isEqualTo("\"edge\";r=9, " + P);
    assertThat(join("\"p\"")).isEqualTo(P);
    assertThat(join(P, P)).isEqualTo(P);
    assertThat(FieldList.join(List.of("\"q-1s\";r=0;t=1"), OURS, "")).isEmpty();
  }

  @Test
  void doesNotMistakeAPrefixForAName() {
    assertThat(join("\"pp\";r=1")).isEqualTo("\"pp\";r=1, " + P);
    assertThat(join("p;r=1")).isEqualTo("p;r=1, " + P);
  }

  @Test
  void findsNoCommaInQuotes() {
    assertThat(join("\"a,\\\"p\\\",b\";r=1;x=\", \", \"c\""))
        .isEqualTo("\"a,\\\"p\\\",b\";r=1;x=\", \", \"c\", " + P);
  }

  @Test
  void keepsWhatIsNotAListOfTheseDrafts() {
    assertThat(join("limit=100, remaining=50, reset=30"))
        .isEqualTo("limit=100, remaining=50, reset=30, " + P);
    assertThat(join("\"unclosed")).isEqualTo("\"unclosed, " + P);
  }

  @Property(tries = 10_000)
  void neverThrows(@ForAll String present) {
    assertThatCode(() -> join(present)).doesNotThrowAnyException();
  }
}
