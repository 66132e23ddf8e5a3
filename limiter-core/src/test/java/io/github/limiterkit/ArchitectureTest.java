package io.github.limiterkit;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The arrows between the packages, and what only one of them may touch. */
class ArchitectureTest {

  private static final String ROOT = "io.github.limiterkit";

  /**
   * Package to what it may import. Whoever adds an arrow changes the design, so it is said here.
   */
  private static final Map<String, Set<String>> ARROWS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("", Set.of()),
              Map.entry(".window", Set.of("")),
              Map.entry(".local", Set.of("", ".window")),
              Map.entry(".store", Set.of("")),
              Map.entry(".redis", Set.of("", ".store", ".window", ".redis.topology")),
              Map.entry(".redis.topology", Set.of("", ".store")),
              Map.entry(".degraded", Set.of("", ".store", ".local", ".window")),
              Map.entry(".metrics", Set.of("", ".store", ".local", ".degraded")),
              Map.entry(".http", Set.of("", ".http.address", ".http.answer")),
              Map.entry(".http.answer", Set.of("")),
              Map.entry(".http.address", Set.of()),
              Map.entry(
                  ".setup",
                  Set.of(
                      "",
                      ".window",
                      ".local",
                      ".store",
                      ".redis",
                      ".redis.topology",
                      ".degraded",
                      ".metrics",
                      ".http",
                      ".http.answer",
                      ".http.address"))));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  static Stream<String> packages() {
    return ARROWS.keySet().stream();
  }

  @ParameterizedTest(name = "limiterkit{0}")
  @MethodSource("packages")
  void importsOnlyWhatItsArrowsAllow(String name) {
    Set<String> allowed = new TreeSet<>(ARROWS.get(name));
    allowed.add(name);
    String[] forbidden =
        ARROWS.keySet().stream()
            .filter(other -> !allowed.contains(other))
            .map(other -> ROOT + other)
            .toArray(String[]::new);

    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT + name)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(forbidden));
  }

  @Test
  void hasNoPackageWithoutArrows() {
    Set<String> found =
        CLASSES.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith(ROOT))
            .map(name -> name.substring(ROOT.length()))
            .collect(Collectors.toCollection(TreeSet::new));

    Set<String> expected = new TreeSet<>(ARROWS.keySet());
    expected.remove(".redis.topology"); // not there yet
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void hasNoCycles() {
    check(slices().matching(ROOT + ".(**)").should().beFreeOfCycles());
  }

  @Test
  void isUsedWithNothingButJavaInTheVocabulary() {
    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT)
            .should()
            .dependOnClassesThat(
                DescribedPredicate.not(
                    resideInAnyPackage(ROOT, "java..", "org.jspecify.annotations"))));
  }

  @Test
  void speaksToRedisInOnePlace() {
    onlyIn(".redis..", "redis.clients..");
  }

  @Test
  void speaksToDropwizardInOnePlace() {
    onlyIn(".metrics..", "com.codahale..");
  }

  @Test
  void readsYamlInOnePlace() {
    onlyIn(".setup..", "org.snakeyaml..");
  }

  @Test
  void knowsNoContainerAndNoJsonLibrary() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "jakarta..",
                "javax.servlet..",
                "javax.ws.rs..",
                "javax.inject..",
                "org.springframework..",
                "com.google.inject..",
                "com.fasterxml.jackson..",
                "com.google.gson..",
                "org.json.."));
  }

  /**
   * Reading the wall clock would make limits follow its jumps. One field of answers tells the time
   * of day, and nothing is decided by it.
   */
  @Test
  void decidesNothingByTheWallClock() {
    check(noClasses().should().callMethod(System.class, "currentTimeMillis"));
    check(
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName(ROOT + ".http.answer.EpochClock")
            .should()
            .callMethod(Instant.class, "now"));
    check(noClasses().should().dependOnClassesThat().areAssignableTo(Clock.class));
  }

  /** Or sealed: nobody outside can extend those either. */
  @Test
  void makesClassesFinal() {
    check(
        ArchRuleDefinition.classes()
            .that()
            .areNotInterfaces()
            .and(DescribedPredicate.not(isAbstractEnum()))
            .and(DescribedPredicate.not(isSealed()))
            .should()
            .haveModifier(JavaModifier.FINAL));
  }

  /** An enum whose constants have bodies cannot be final. */
  private static DescribedPredicate<JavaClass> isAbstractEnum() {
    return DescribedPredicate.describe(
        "enums with constants that have bodies and what the compiler makes",
        type -> type.isEnum() || type.isAnonymousClass() || type.getName().contains("$1"));
  }

  private static DescribedPredicate<JavaClass> isSealed() {
    return DescribedPredicate.describe("sealed classes", type -> type.reflect().isSealed());
  }

  private static void onlyIn(String home, String library) {
    check(
        noClasses()
            .that(DescribedPredicate.not(resideInAPackage(ROOT + home)))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(library));
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(CLASSES);
  }
}
