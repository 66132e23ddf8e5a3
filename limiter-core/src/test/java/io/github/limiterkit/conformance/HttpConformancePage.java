package io.github.limiterkit.conformance;

import io.github.limiterkit.conformance.ContractTests.NamedTest;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes the page that says which test holds which rule, and where it runs. */
final class HttpConformancePage {

  private static final String HEAD =
      """
      # Which test holds which rule of HTTP

      Written by `HttpConformanceTest` out of the tests themselves, so do not edit it by hand:

      ```sh
      mvn -pl limiter-core test -Dtest=HttpConformanceTest -Dlimiterkit.docs.update=true
      ```

      A test names the rules that it holds at the beginning of its `@DisplayName`. Every rule has a test, or the build
      fails. A test without a container is one of the rules alone, which every adapter asks.

      ## Rules

      | rule | in a few words | test | runs in |
      | --- | --- | --- | --- |
      """;

  private static final String CASES =
      """

      ## Failures seen in the field

      What has gone wrong in other limiters, each with the test that holds it.

      | case | test | runs in |
      | --- | --- | --- |
      """;

  private HttpConformancePage() {}

  static String write(Map<String, String> rules, List<NamedTest> tests) {
    StringBuilder page = new StringBuilder(HEAD);
    rules.forEach(
        (id, rule) -> {
          String first = "| " + id + " | " + escaped(rule) + " ";
          for (NamedTest test : naming(id, tests)) {
            page.append(first).append(columns(test));
            first = "| | ";
          }
        });
    page.append(CASES);
    Map<String, List<NamedTest>> cases = new TreeMap<>();
    for (NamedTest test : tests) {
      test.ids().stream()
          .filter(id -> id.startsWith("HT-"))
          .forEach(id -> cases.computeIfAbsent(id, any -> naming(id, tests)));
    }
    cases.forEach(
        (id, naming) -> {
          String first = "| " + id + " ";
          for (NamedTest test : naming) {
            page.append(first).append(columns(test));
            first = "| ";
          }
        });
    return page.toString();
  }

  static List<NamedTest> naming(String id, List<NamedTest> tests) {
    return tests.stream()
        .filter(test -> test.ids().contains(id))
        .sorted(
            Comparator.comparing(NamedTest::module)
                .thenComparing(NamedTest::type)
                .thenComparing(NamedTest::method))
        .toList();
  }

  private static String columns(NamedTest test) {
    String where = test.in().stream().collect(Collectors.joining(", "));
    return "| `"
        + test.type()
        + "."
        + test.method()
        + "` | "
        + where
        + (where.isEmpty() ? "|\n" : " |\n");
  }

  /** A bar would begin another column. */
  private static String escaped(String text) {
    return text.replace("|", "\\|");
  }
}
