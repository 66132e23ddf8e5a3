package io.github.limiterkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.conformance.ContractTests.NamedTest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every rule of HTTP has a test that names it, and the documentation says which. */
class HttpConformanceTest {

  /** System property: {@code true} writes the page instead of comparing it. */
  private static final String UPDATE = "limiterkit.docs.update";

  private static final Path PAGE = Path.of("..", "docs", "http-conformance.md");
  private static final List<String> MODULES =
      List.of("limiter-core", "limiter-servlet", "limiter-jaxrs");

  @Test
  void hasATestForEveryRule() throws IOException {
    List<NamedTest> tests = tests();
    Set<String> untested = new TreeSet<>(rules().keySet());
    tests.forEach(test -> untested.removeAll(test.ids()));

    assertThat(untested).as("rules that no @DisplayName begins with").isEmpty();
  }

  @Test
  void namesNoRuleThatDoesNotExist() throws IOException {
    Set<String> known = rules().keySet();
    Set<String> families = new TreeSet<>();
    known.forEach(id -> families.add(family(id)));
    Set<String> unknown = new TreeSet<>();
    for (NamedTest test : tests()) {
      test.ids().stream()
          .filter(id -> families.contains(family(id)) && !known.contains(id) && !isCase(id))
          .forEach(unknown::add);
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void runsTheContractsInEveryContainer() throws IOException {
    Set<String> containers = new TreeSet<>();
    tests().forEach(test -> containers.addAll(test.in()));

    assertThat(containers)
        .containsExactly(
            "CXF 4.1",
            "Jersey 3.1",
            "Jetty 12 ee10",
            "Jetty 12 ee11",
            "RESTEasy 6.2",
            "Tomcat 10.1",
            "Tomcat 11",
            "Undertow 2.3");
  }

  @Test
  void isWhatThePageSays() throws IOException {
    String page = HttpConformancePage.write(rules(), tests());
    if (Boolean.getBoolean(UPDATE)) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE))
        .as("docs/http-conformance.md; write it anew with -D%s=true", UPDATE)
        .isEqualTo(page);
  }

  private static List<NamedTest> tests() throws IOException {
    List<NamedTest> tests = new ArrayList<>();
    for (String module : MODULES) {
      tests.addAll(ContractTests.of(module));
    }
    return tests;
  }

  /** Id to rule, in the order of the list. */
  private static Map<String, String> rules() throws IOException {
    Map<String, String> rules = new LinkedHashMap<>();
    try (InputStream list = HttpConformanceTest.class.getResourceAsStream("http-rules.txt")) {
      new String(list.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" {2}", 2))
          .forEach(row -> rules.put(row[0], row[1]));
    }
    return rules;
  }

  private static String family(String id) {
    return id.substring(0, 2);
  }

  /** Cases of stores have three digits, and one of their families is called like one of ours. */
  private static boolean isCase(String id) {
    return id.length() > 5;
  }
}
