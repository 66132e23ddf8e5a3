package io.github.limiterkit.servlet;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What the adapter may know of the kit. */
class ArchitectureTest {

  private static final String ROOT = "io.github.limiterkit";
  private static final String OWN = ROOT + ".servlet";

  @Test
  void knowsTheRulesOfHttpAndTheKitAndNothingElse() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage(ROOT + "..")
                .and(not(resideInAnyPackage(OWN, ROOT + ".http", ROOT + ".setup"))))
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(OWN));
  }
}
