package io.github.limiterkit.http.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KeptProblemsTest {

  private final KeptProblems kept = new KeptProblems(Problem.STANDARD);

  @Test
  void writesWhatTheProblemWrites() {
    List<Violations> all = new ArrayList<>();
    List<String> names = new ArrayList<>(List.of("Aa", "BB")); // which have one hash
    for (int i = 0; i < KeptProblems.PLACES; i++) {
      names.add("p" + i);
    }
    for (long wait = 1; wait <= 5; wait++) {
      all.add(Violations.unavailable(wait));
    }
    for (String name : names) {
      all.add(Violations.keyless(Violations.TOO_MANY_REQUESTS, List.of(name)));
      all.add(Violations.keyless(Violations.SERVICE_UNAVAILABLE, List.of(name)));
    }
    for (int round = 0; round < 2; round++) {
      for (Violations violations : all) {
        for (BodyForm form : BodyForm.values()) {
          assertThat(kept.write(form, violations))
              .isEqualTo(Problem.STANDARD.write(form, violations));
        }
      }
    }
  }

  @Test
  void keepsTheWaitsOfOnePolicySideBySide() {
    List<String> first = new ArrayList<>();
    for (long wait = 1; wait <= 5; wait++) {
      first.add(kept.write(BodyForm.PROBLEM, Violations.unavailable(wait)));
    }
    for (int wait = 1; wait <= 5; wait++) {
      assertThat(kept.write(BodyForm.PROBLEM, Violations.unavailable(wait)))
          .isSameAs(first.get(wait - 1));
    }
  }

  @Test
  void keepsTheBodiesOfTwoPoliciesWithOneWait() {
    Violations one = Violations.keyless(Violations.TOO_MANY_REQUESTS, List.of("one"));
    Violations two = Violations.keyless(Violations.TOO_MANY_REQUESTS, List.of("two"));
    String first = kept.write(BodyForm.PROBLEM, one);

    assertThat(kept.write(BodyForm.PROBLEM, two)).contains("two");
    assertThat(kept.write(BodyForm.PROBLEM, one)).isSameAs(first);
  }

  @Test
  void writesTheSameBodyOnce() {
    Violations one = Violations.keyless(Violations.TOO_MANY_REQUESTS, List.of("one"));
    Violations same = Violations.keyless(Violations.TOO_MANY_REQUESTS, List.of("one"));

    assertThat(kept.write(BodyForm.PROBLEM, same)).isSameAs(kept.write(BodyForm.PROBLEM, one));
    assertThat(kept.write(BodyForm.TEXT, one)).isNotEqualTo(kept.write(BodyForm.PROBLEM, one));
  }
}
