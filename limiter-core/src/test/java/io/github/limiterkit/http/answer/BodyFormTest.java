package io.github.limiterkit.http.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyFormTest {

  @DisplayName("EB-9, ST-5: negotiation never ends in a 406")
  @ParameterizedTest(name = "<{0}>: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "''|PROBLEM",
        "*/*|PROBLEM",
        "application/problem+json|PROBLEM",
        "application/json|PROBLEM",
        "application/*|PROBLEM",
        "APPLICATION/JSON; charset=utf-8|PROBLEM",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8|PROBLEM",
        "text/html|HTML",
        "TEXT/HTML;level=1|HTML",
        "text/html, text/plain|HTML",
        "text/plain, text/html|HTML",
        "text/html;q=0.1, text/plain|HTML",
        "text/html;q=0, text/plain|TEXT",
        "text/html;q=0, text/*|TEXT",
        "text/plain|TEXT",
        "text/*|TEXT",
        "image/png|PROBLEM",
        "image/png, text/*;q=0|PROBLEM",
        "*/*;q=0|PROBLEM",
        "text/html, */*;q=0|HTML",
        "text/html, */*; q=0.000|HTML",
        "text/html, */*;q=0.001|PROBLEM",
        "text/html, application/problem+json;q=0, */*|HTML",
        "application/*;q=0, */*|TEXT",
        "application/*;q=0, text/plain;q=0, */*|PROBLEM",
        "application/json;Q=0, text/html|HTML",
        "text/html;a=\"b, application/json\"|HTML",
        "text/html;a=\"\\\", application/json\"|HTML",
        ", ,text/html,,|HTML",
        "garbage|PROBLEM",
        "text/html;q=0x|HTML",
        "text/html;q=|HTML",
      })
  void chooses(String accept, BodyForm form) {
    assertThat(BodyForm.accepted(List.of(accept))).isEqualTo(form);
  }

  @Test
  void readsAllLines() {
    assertThat(BodyForm.accepted(List.of())).isEqualTo(BodyForm.PROBLEM);
    assertThat(BodyForm.accepted(List.of("text/html", "text/plain;q=0"))).isEqualTo(BodyForm.HTML);
    assertThat(BodyForm.accepted(List.of("text/html", "application/json")))
        .isEqualTo(BodyForm.PROBLEM);
  }

  @Test
  @DisplayName("EB-1: problem details have no charset parameter")
  void namesTypes() {
    assertThat(BodyForm.PROBLEM.contentType()).isEqualTo("application/problem+json");
    assertThat(BodyForm.HTML.contentType()).isEqualTo("text/html;charset=utf-8");
    assertThat(BodyForm.TEXT.contentType()).isEqualTo("text/plain;charset=utf-8");
  }

  @Test
  void looksAtABoundedPartOfTheField() {
    assertThat(BodyForm.accepted(List.of("x/y,".repeat(2000) + "text/html")))
        .isEqualTo(BodyForm.PROBLEM);
  }

  @Property(tries = 10_000)
  void neverThrows(@ForAll("acceptLike") String accept) {
    assertThatCode(() -> BodyForm.accepted(List.of(accept))).doesNotThrowAnyException();
  }

  @Provide
  Arbitrary<String> acceptLike() {
    return Arbitraries.of(
            "text/html",
            "text/*",
            "*/*",
            "application/json",
            ";",
            ",",
            "q=0",
            "\"",
            "\\",
            " ",
            "\u0000")
        .list()
        .ofMaxSize(20)
        .map(parts -> String.join("", parts));
  }
}
