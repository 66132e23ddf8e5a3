package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariablesTest {

  private static final Map<String, String> ENVIRONMENT =
      Map.of("HOST", "redis.example", "EMPTY", "", "SLY", "${HOST} $1 \\");

  private final Variables variables = new Variables(ENVIRONMENT::get);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          plain                        | plain
          ${HOST}                      | redis.example
          redis://${HOST}:6379         | redis://redis.example:6379
          ${HOST:-other}               | redis.example
          ${EMPTY}                     | ''
          ${EMPTY:-other}              | other
          ${ABSENT:-other}             | other
          ${ABSENT:-}                  | ''
          ${ABSENT:-a:-b}              | a:-b
          ${HOST}${HOST}               | redis.exampleredis.example
          $${HOST}                     | ${HOST}
          $HOST                        | $HOST
          100$                         | 100$
          ${SLY}                       | ${HOST} $1 \\
          """)
  void takesValuesFromTheEnvironment(String text, String filled) {
    assertThat(variables.in(text)).isEqualTo(filled);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ${ABSENT}   | the environment has no ABSENT; set it, or write ${ABSENT:-value}
          ${          | "${" is no variable; write ${NAME}
          ${HOST      | "${HOST" is no variable; write ${NAME}
          ${}         | "${}" is no variable; write ${NAME}
          ${A B}      | "${A B}" is no variable; write ${NAME}
          ${:-x}      | "${:-x}" is no variable; write ${NAME}
          ${a${HOST}} | "${a${HOST}" is no variable; write ${NAME}
          """)
  void saysWhatItCannotFillIn(String text, String message) {
    assertThatThrownBy(() -> variables.in(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
