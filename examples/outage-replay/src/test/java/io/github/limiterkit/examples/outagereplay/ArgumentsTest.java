package io.github.limiterkit.examples.outagereplay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ArgumentsTest {

  @Test
  void replaysInFullUnlessToldOtherwise() {
    assertThat(Arguments.parse())
        .isEqualTo(new Arguments(Plan.FULL, Path.of("outage-replay"), null));
  }

  @Test
  void takesTheLastOfAnOptionThatIsGivenTwice() {
    assertThat(Arguments.parse("--out", "one", "--quick", "--out", "two"))
        .isEqualTo(new Arguments(Plan.QUICK, Path.of("two"), null));
  }

  @Test
  void takesAPageForTheDocumentation() {
    assertThat(Arguments.parse("--doc", "page.md").doc()).isEqualTo(Path.of("page.md"));
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arguments.parse("--quik"))
        .withMessage("unknown argument \"--quik\"");
  }

  @Test
  void refusesAnOptionWithoutItsValue() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arguments.parse("--out"))
        .withMessage("--out needs the name of a directory after it");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arguments.parse("--doc", "--quick"))
        .withMessage("--doc needs the name of a file after it");
  }

  @Test
  void refusesAPageOfAReplayThatIsTooShortForOne() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arguments.parse("--quick", "--doc", "page.md"))
        .withMessageContaining("--quick");
  }
}
